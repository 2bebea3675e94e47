import type { AttentionMessage, AttentionMessages } from '../model/messages/attention'
import type { Attention, StoredAttention } from '../model/attention'
import { storedText, textOf, type Catalogue } from './catalogue'
import { some } from './phrases'

/** Why an execution needs a look, or doesn't. */
export const ATTENTION_WORDS: Catalogue<AttentionMessages> = {
  run_failed: () => 'The run failed.',
  run_stopped: () => 'The run was stopped.',
  unresolved_work: () => 'A call failed, and nothing later made up for it.',
  refused_by_person: ({ refusals }) =>
    refusals === 1 ? 'A person rejected a call.' : `A person rejected ${some(refusals, 'call')}.`,
  interrupted_by_person: () => 'A person interrupted a call.',
  failed_repeatedly: ({ rounds }) => `The same thing failed in ${some(rounds, 'message')} of the agent.`,
  worked_around: () => 'A command failed, and the agent worked around it.',
  fixed_after_failures: ({ failures }) =>
    `It took ${some(failures, 'failed call')} to get a command to succeed.`,
  appeared_later: () => 'A missing file appeared later, and no call of the agent wrote it.',
  end_unknown: () => 'It is unknown how the run ended.',
  minor_failures: () => 'Calls failed along the way, none of them worth a look.',
  nothing_failed: () => 'Nothing failed.',
}

/** With its text of the day, as rows keep it. */
export const storedAttention = ({ needed, rule, params }: Attention): StoredAttention => ({
  needed,
  rule,
  params,
  text: textOf(ATTENTION_WORDS, { id: rule, params } as AttentionMessage),
})

/** As a row keeps it, in the words of today. */
export const attentionToday = (stored: StoredAttention): StoredAttention => ({
  ...stored,
  text: storedText(ATTENTION_WORDS, { id: stored.rule, params: stored.params, text: stored.text }),
})
