/** A line that a process wrote; the decisive one says why it failed. */
export interface OutputTailLine {
  text: string
  decisive: boolean
}

/** Lines in a row, and how many before them are not shown. */
export interface OutputChunk {
  before: number
  lines: OutputTailLine[]
}

/** The end of one stream of a recorded process. `answer`: the final text of its agent. */
export interface OutputStream {
  name: 'stdout' | 'stderr' | 'answer'
  /** What was written before is not here: only the end is kept. */
  cut: boolean
  chunks: OutputChunk[]
}

/** Something that was asked of the output, and whether it was there; `unknown`: nothing tells. */
export interface ExpectedOutput {
  what: 'marker' | 'pattern'
  text: string
  state: 'found' | 'missing' | 'invalid' | 'differs' | 'unknown'
}

/** What a recorded process wrote last, beside what was expected of it where that is missing. */
export interface RunOutput {
  expected: ExpectedOutput[]
  streams: OutputStream[]
}
