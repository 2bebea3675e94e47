import type { CauseCategory } from '../../model/cause-categories'
import type { CauseMessage, EarlierMessage, JudgedCause } from '../../model/messages/cause'
import type { RunFact } from '../../model/run-facts'
import type { ExecutionSummary } from '../../model/summary'
import type { Blamed } from '../causes/cause-found'
import { messageText } from '../message-text'
import { firstThatHolds } from '../rule-table'
import { CONTENT_CAUSES, contentFactsOf, lackingPatterns } from './content-cause'
import { lastRun } from './decide-execution'
import type { Decision } from './decision'
import { PROCESS_CAUSES } from './process-cause'
import { recordedCause } from './recorded-cause'

export type DecidedCause = JudgedCause & { category: CauseCategory }

type Said = Pick<DecidedCause, 'category' | 'message'>
const said = ({ rule, params, verdict }: { rule: string; params: unknown; verdict: Blamed }): Said => ({
  category: verdict.category,
  message: { id: rule, params } as CauseMessage,
})

export const causeAt = ({ category, message }: Said, pointer: JudgedCause['pointer']): DecidedCause => ({
  category,
  message,
  earlier: null,
  pointer,
})

/**
 * What broke, where it is a decision that says that anything did. The sentence is in the result record where there is one, else in the
 * record of the process.
 *
 * @see docs/sources/cause.md
 */
export function decidedCause(summary: ExecutionSummary, decision: Decision): DecidedCause {
  const { recorded, result } = summary.evidence
  if (decision.basis === 'recorded' && recorded)
    return causeAt(recordedCause(recorded.fact, decision), recorded.pointer)
  const run = lastRun(summary)
  const ended = run && processCause(run, decision)
  if (ended) return { ...ended, earlier: brokenContract(run.fact, decision) }
  const content = firstThatHolds(CONTENT_CAUSES, contentFactsOf(decision))!
  return causeAt(said(content), result?.pointer ?? run?.pointer ?? null)
}

/** How the process ended, where that is what broke; null where it is what it delivered. */
export function processCause(
  { fact, pointer }: { fact: RunFact; pointer: JudgedCause['pointer'] },
  decision: Decision,
): DecidedCause | null {
  const found = firstThatHolds(PROCESS_CAUSES, { run: fact, decision })
  return found && causeAt(said(found), pointer)
}

/** What a command that failed did not print either: it was judged too, and comes second. */
function brokenContract({ marker, patterns, stdout }: RunFact, decision: Decision): EarlierMessage | null {
  const { contentState } = decision
  if (stdout.kind !== null || (contentState !== 'absent' && contentState !== 'contract_violation'))
    return null
  const lacking = lackingPatterns(contentFactsOf(decision))
  return {
    id: 'contract_broken',
    params:
      contentState === 'absent' && marker !== ''
        ? { marker: messageText(marker), patterns: [], missing: 0, expected: patterns.length }
        : { marker: null, ...lacking },
  }
}
