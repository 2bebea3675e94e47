import type { HistoryRecord } from './budget'
import type { Contract, ProcessFacts } from './verdict-facts'

export interface WriteExpectation {
  /** `always`, `conditional`, or null. */
  mode: string | null
  expectedWhen: readonly string[]
}

/** Everything that was kept of one attempt besides its output; empty texts where there was nothing. */
export interface RunContext extends ProcessFacts, Contract {
  stderr: string
  killReason: string
  transportSessionId: string
  channelBSessionId: string
  command: string
  /** Earlier attempts, oldest first; null when no history is kept. */
  history: readonly HistoryRecord[] | null
  maxConsecutiveRetries: number
  /** Working directory; empty when it is not known. */
  cwd: string
  writeExpectation: WriteExpectation | null
}
