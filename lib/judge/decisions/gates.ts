import { step, type RuleStep } from '../../model/rule-step'
import type { Verdict } from './verdict'
import type { DecisionOutcome } from './vocabulary'

/** What the gates behind the guards look at, without the texts. */
export interface GateFacts {
  /** A path that the agent named outside of its working directory. */
  contaminated: { token: string; path: string } | null
  /** Calls that wrote, or named a path, outside of it: listed, never judged. */
  warnings: number
  writeCount: number
  /**
   * Earlier attempts of the same command in a row that asked for another one; null without a history or a command. A command that the
   * history cuts is never found again, and so never counts.
   */
  earlierInARow: number | null
  commandIsCut: boolean
  maxConsecutiveRetries: number
  /** The contract asks for a write, and its conditions are met by the final text. */
  expectsWrites: boolean
}

/** A verdict on its way through the gates. */
export interface Gated {
  outcome: DecisionOutcome
  success: boolean
  needsRetry: boolean
  retryReason: string
  subtype: string
  trace: RuleStep[]
  /** What the history keeps of it: the verdict in front of the gates. */
  recorded: { success: boolean; needsRetry: boolean; retryReason: string; subtype: string }
  contaminated: boolean
}

type Judgement = Pick<Verdict, 'success' | 'needsRetry' | 'retryReason' | 'subtype' | 'trace'>

const WROTE_WITHOUT_DELIVERING = 'adjudicated_failure'

/** Path contamination, budget, contract recovery, budget, zero writes; the budget does not look at the last. */
export function passGates(verdict: Judgement, facts: GateFacts): Gated {
  let { success, needsRetry, retryReason, subtype }: Gated['recorded'] = verdict
  const trace = [...verdict.trace]
  const lacksContract = (): boolean =>
    !success && !needsRetry && subtype === WROTE_WITHOUT_DELIVERING && facts.writeCount > 0
  const recorded = lacksContract()
    ? { success, needsRetry: true, retryReason: 'contract_recovery', subtype }
    : { success, needsRetry, retryReason, subtype }

  const keepWithinBudget = (): void => {
    const count = needsRetry ? countWith(recorded, facts) : null
    if (count === null || !(count > facts.maxConsecutiveRetries)) return
    trace.push(
      step(
        'gates',
        'gate:budget_exhausted',
        { attempts: count, max: facts.maxConsecutiveRetries, reason: retryReason },
        'no more retries',
      ),
    )
    needsRetry = false
    retryReason = 'budget_exhausted'
  }

  if (facts.contaminated !== null) {
    trace.push(
      step(
        'gates',
        'gate:path_contamination',
        { token: facts.contaminated.token, path: facts.contaminated.path },
        'retriable',
      ),
    )
    success = false
    needsRetry = true
    retryReason = subtype = 'path_contamination'
  }
  if (facts.warnings > 0) trace.push(step('gates', 'warn:write_paths', { paths: facts.warnings }, 'none'))
  keepWithinBudget()
  if (lacksContract()) {
    trace.push(step('gates', 'gate:contract_recovery', { writes: facts.writeCount }, 'retriable'))
    needsRetry = true
    retryReason = 'contract_recovery'
    keepWithinBudget()
  }
  if (success && facts.writeCount === 0 && facts.expectsWrites) {
    trace.push(step('gates', 'gate:zero_writes', { writes: 0 }, 'success taken back, retriable'))
    success = false
    needsRetry = true
    retryReason = subtype = 'zero_writes'
  }
  const outcome = success ? 'succeeded' : needsRetry ? 'retriable' : 'failed'
  return {
    outcome,
    success,
    needsRetry,
    retryReason,
    subtype,
    trace,
    recorded,
    contaminated: facts.contaminated !== null,
  }
}

/** Attempts in a row that asked for another one, this one among them as the history has it; null when nobody counts. */
function countWith(recorded: Gated['recorded'], { earlierInARow, commandIsCut }: GateFacts): number | null {
  // A success enters the history behind the gates; until then the row is that of the attempts before.
  if (earlierInARow === null || commandIsCut || recorded.success) return earlierInARow
  return recorded.needsRetry ? earlierInARow + 1 : 0
}
