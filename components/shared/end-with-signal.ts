/**
 * Ends a worker when its asker gives up; the promise is rejected with the reason then.
 *
 * @returns ends it for an answer or an error: call it once one has come
 */
export function endWithSignal(
  worker: Worker,
  signal: AbortSignal,
  reject: (reason: Error) => void,
): () => void {
  const end = (): void => {
    worker.terminate()
    signal.removeEventListener('abort', stop)
  }
  const stop = (): void => {
    end()
    reject(signal.reason as Error)
  }
  signal.addEventListener('abort', stop)
  return end
}
