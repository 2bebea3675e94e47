/** The server did not start; the message is one sentence. */
export class ServerStartError extends Error {
  override name = 'ServerStartError'

  /**
   * @param exit how its process ended
   * @param log  end of what it wrote
   */
  constructor(
    exit: string,
    readonly log: string,
    data: string,
    options?: ErrorOptions,
  ) {
    super(
      isFull(log)
        ? `The database server could not start because the disk that holds ${data} is full; free space on it and start again`
        : `The database server could not start (${exit}): ${reason(log)}`,
      options,
    )
  }
}

export const isFull = (text: string): boolean =>
  /No space left on device|Disk quota exceeded|ENOSPC/.test(text)

/** The line of the server's log that names why. */
function reason(log: string): string {
  const lines = log.split('\n').filter((line) => line.trim() !== '')
  const named = lines.findLast((line) => /\b(FATAL|PANIC):/.test(line)) ?? lines.at(-1)
  return named?.replace(/^.*?\b(FATAL|PANIC):\s+/, '') ?? 'it wrote nothing'
}
