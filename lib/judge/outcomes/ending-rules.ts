import type { OutcomeMessages, SessionChannel } from '../../model/messages/outcome'
import { messageText } from '../message-text'
import { firstThatHolds, type RuleTable } from '../rule-table'
import type { Ending } from './ending'
import { ended, judgementOf, mayTryAgain, type Ended, type Judgement } from './outcome'

type SessionMessages = Pick<
  OutcomeMessages,
  | 'no_activity'
  | 'api_error_last'
  | 'interrupted_last'
  | 'unanswered_prompt'
  | 'call_without_result'
  | 'failed_call_last'
  | 'stopped_by_hook'
  | 'signal_in_last_text'
  | 'left_open'
  | 'completed'
>

const source = ({ channel }: Ending): SessionChannel => channel as SessionChannel

/** How a session ended, from its last turns (claude-code-formats §5). */
const SESSION_RULES: RuleTable<Ending, Ended, SessionMessages> = [
  {
    id: 'no_activity',
    when: (end) => !end.active,
    verdict: ended('unknown'),
    params: (end) => ({ received: source(end) }),
  },
  {
    id: 'api_error_last',
    when: (end) => end.lastAssistant?.apiError !== undefined,
    verdict: (end) =>
      ended(mayTryAgain(end.lastAssistant!.apiError!) ? 'retriable' : 'failed', 'infrastructure'),
    params: () => ({}),
  },
  {
    id: 'interrupted_last',
    when: (end) => end.lastUser?.interruption !== undefined,
    verdict: ended('interrupted'),
    params: () => ({ by: 'message' }),
  },
  {
    id: 'unanswered_prompt',
    when: (end) => end.unanswered,
    verdict: ended('unknown'),
    params: (end) => ({ source: source(end) }),
  },
  {
    id: 'no_activity',
    when: (end) => end.lastAssistant === null,
    verdict: ended('unknown'),
    params: () => ({ received: 'results' }),
  },
  {
    id: 'call_without_result',
    when: (end) => end.openCalls.length > 0 && !end.textAfterCalls,
    verdict: ended('unknown'),
    params: (end) => ({ source: source(end) }),
  },
  {
    id: 'failed_call_last',
    when: (end) => end.lastCall?.state === 'failed' && !end.textAfterCalls,
    verdict: ended('failed', 'tool'),
    params: () => ({ by: 'session' }),
  },
  {
    id: 'stopped_by_hook',
    when: (end) => end.hookStop !== null,
    verdict: ended('failed', 'hook'),
    params: (end) => ({ prevented: end.hookStop!.fact.prevented }),
  },
  {
    id: 'signal_in_last_text',
    when: (end) => end.finalSaid?.fact.signal !== undefined,
    verdict: ended('failed', 'agent'),
    params: () => ({}),
  },
  {
    id: 'left_open',
    when: (end) => end.leftOpen !== null,
    verdict: ended('unknown'),
    params: (end) => ({ source: source(end), what: end.leftOpen! }),
  },
  {
    id: 'completed',
    when: () => true,
    verdict: ended('succeeded'),
    params: (end) => ({ source: source(end), endShown: end.textAfterCalls || end.lastCall === null }),
  },
]

/** Hook events alone: they come while the agent works, and a stop with nothing after it is taken for an end. */
const HOOK_RULES: RuleTable<
  Ending,
  Ended,
  Pick<OutcomeMessages, 'no_end_seen' | 'stop_failure' | 'stop_seen'>
> = [
  {
    id: 'no_end_seen',
    when: (end) => end.ended === null || end.wentOn,
    verdict: ended('running'),
    params: () => ({}),
  },
  {
    id: 'stop_failure',
    when: (end) => /failure/i.test(end.ended!.fact.how),
    verdict: (end) => {
      const { error } = end.ended!.fact
      const again = mayTryAgain({ class: error, status: null, text: error ?? '' })
      return ended(again ? 'retriable' : 'failed', 'infrastructure')
    },
    params: (end) => ({ error: messageText(end.ended!.fact.error) }),
  },
  {
    id: 'stop_seen',
    when: () => true,
    verdict: ended('succeeded'),
    params: (end) => ({ how: messageText(end.ended!.fact.how) }),
  },
]

/** Receipts tell of calls, and nothing of how the run went on and ended. */
const RECEIPT_RULES: RuleTable<
  Ending,
  Ended,
  Pick<OutcomeMessages, 'interrupted_last' | 'failed_call_last' | 'call_without_result' | 'no_activity'>
> = [
  {
    id: 'interrupted_last',
    when: (end) => end.lastCall?.failureClass === 'interrupted',
    verdict: ended('interrupted'),
    params: () => ({ by: 'receipt' }),
  },
  {
    id: 'failed_call_last',
    when: (end) => end.lastCall?.state === 'failed',
    verdict: ended('failed', 'tool'),
    params: () => ({ by: 'receipt' }),
  },
  {
    id: 'call_without_result',
    when: (end) => end.openCalls[0]?.endUntold === true,
    verdict: ended('unknown'),
    params: () => ({ source: 'unreadable_receipt' }),
  },
  {
    id: 'call_without_result',
    when: (end) => end.openCalls.length > 0,
    verdict: ended('unknown'),
    params: () => ({ source: 'receipt' }),
  },
  {
    id: 'no_activity',
    when: () => true,
    verdict: ended('unknown'),
    params: () => ({ received: 'receipts' }),
  },
]

/** Infers how a run without a result record ended. */
export function inferOutcome(end: Ending): Judgement {
  switch (end.channel) {
    case 'hook':
      return judgementOf(firstThatHolds(HOOK_RULES, end)!)
    case 'receipt':
      return judgementOf(firstThatHolds(RECEIPT_RULES, end)!)
    // Rows of an engine and files of a pipeline are judged by what they say of the run; they hold no turns.
    case 'pipeline':
      return noActivity('files')
    case 'rows':
      return noActivity('rows')
    default:
      return judgementOf(firstThatHolds(SESSION_RULES, end)!)
  }
}

export const noActivity = (received: OutcomeMessages['no_activity']['received']): Judgement => ({
  ...ended('unknown'),
  basis: 'inferred',
  rule: 'no_activity',
  params: { received },
})

/** Without an event that ends the run it has not ended, as far as is known. */
export const RUNNING: Judgement = { ...ended('running'), basis: 'inferred', rule: 'no_end_seen', params: {} }
