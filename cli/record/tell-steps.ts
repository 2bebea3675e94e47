/** Prints what is being done while nothing else is printed; a quick step prints nothing. */
export interface StepReporter {
  /** What is done now, in words. */
  step(words: string): void
  stop(): void
}

const FIRST_MS = 2_000

/** A log gets a line now and then; on a terminal the one line changes. */
const EVERY_MS = { log: 5_000, terminal: 500 }

/** @param write takes text for standard error */
export function reportSteps(write: (text: string) => void, terminal: boolean): StepReporter {
  let words = ''
  let shown = ''
  const tell = (): void => {
    if (words === shown) return
    shown = words
    write(terminal ? `\r\u001b[Kinquest: ${words}` : `inquest: ${words}\n`)
  }
  let every: ReturnType<typeof setInterval> | undefined
  const first = setTimeout(() => {
    tell()
    every = setInterval(tell, terminal ? EVERY_MS.terminal : EVERY_MS.log)
  }, FIRST_MS)
  return {
    step: (now) => void (words = now),
    stop() {
      clearTimeout(first)
      clearInterval(every)
      if (terminal && shown !== '') write('\r\u001b[K')
    },
  }
}
