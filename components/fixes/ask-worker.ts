import { ProblemError } from '../shared/get-json'
import type { DiffAsk, DiffMessage } from './diff-worker'

const AT_ONCE = 2
let running = 0
const waiting: (() => void)[] = []

async function turn(): Promise<void> {
  if (running < AT_ONCE) running++
  else await new Promise<void>((resolve) => waiting.push(resolve))
}

function leave(): void {
  const next = waiting.shift()
  if (next) next()
  else running--
}

/**
 * Asks a worker of its own, two at a time at most: a patch that takes long to read, or to colour, never holds up the page.
 *
 * @param patienceMs after which the worker is ended, and the answer is a problem
 * @throws ProblemError; what `signal` was aborted with
 */
export async function askWorker<K extends DiffAsk['kind']>(
  ask: Extract<DiffAsk, { kind: K }>,
  signal: AbortSignal,
  patienceMs: number,
): Promise<Extract<DiffMessage, { kind: K }>> {
  await turn()
  try {
    signal.throwIfAborted()
    return await answerOf(ask, signal, patienceMs)
  } finally {
    leave()
  }
}

function answerOf<K extends DiffAsk['kind']>(
  ask: Extract<DiffAsk, { kind: K }>,
  signal: AbortSignal,
  patienceMs: number,
): Promise<Extract<DiffMessage, { kind: K }>> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./diff-worker.ts', import.meta.url), { type: 'module' })
    const broke = (title: string): ProblemError =>
      new ProblemError({ type: '/problems/internal', title, status: 0 })
    const end = (): void => {
      worker.terminate()
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
    const stop = (): void => {
      end()
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      end()
      reject(broke('Reading this file timed out'))
    }, patienceMs)
    signal.addEventListener('abort', stop)
    worker.onmessage = ({ data }: MessageEvent<DiffMessage>) => {
      end()
      if (data.kind === 'problem') reject(new ProblemError(data.problem))
      else resolve(data as Extract<DiffMessage, { kind: K }>)
    }
    worker.onerror = () => {
      end()
      reject(broke('Could not read the patch in this browser'))
    }
    worker.postMessage(ask)
  })
}
