/** Lines for whoever reads a log, at most this often. */
const PLAIN_EVERY_MS = 10_000

interface Out {
  isTTY?: boolean
  columns?: number
  write(text: string): unknown
}

export interface Progress {
  /** What is being done now, in a few words. */
  stage(words: string): void
  end(): void
}

/**
 * Says of something that takes its time that it goes on, since when and at what: one line that changes on a terminal, a plain one now and
 * then elsewhere.
 */
export function showProgress(what: string, out: Out = process.stderr): Progress {
  const started = Date.now()
  let stage = ''
  const line = (): string =>
    `inquest: ${what}${stage === '' ? '' : `: ${stage}`} (${Math.round((Date.now() - started) / 1000)} s)`
  const tell = (): void =>
    void out.write(out.isTTY ? `\r${line().slice(0, (out.columns ?? 80) - 1)}\u001b[K` : `${line()}\n`)
  const timer = setInterval(tell, out.isTTY ? 1000 : PLAIN_EVERY_MS)
  if (out.isTTY) tell()
  return {
    stage: (words) => {
      stage = words
      if (out.isTTY) tell()
    },
    end: () => {
      clearInterval(timer)
      if (out.isTTY) out.write('\r\u001b[K')
    },
  }
}
