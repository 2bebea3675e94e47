import type { ResolutionMessage, ResolutionMessages } from '../model/messages/resolution'
import type { CallResolution, StoredResolution } from '../model/resolution'
import { storedText, textOf, type Catalogue } from './catalogue'
import { count } from './phrases'

/** Why: one sentence for each rule. All of it is inferred. */
export const RESOLUTION_WORDS: Catalogue<ResolutionMessages> = {
  not_comparable: () => 'The receipts don’t say what the call was about.',
  nothing_followed: () => 'No call succeeded after it.',
  refused_and_left: () => 'It was refused, and nothing was done instead.',
  refused_then_other_work: ({ number }) =>
    `It was refused; call ${count(number)} did something else instead.`,
  same_call: ({ number }) => `Call ${count(number)} repeated it and succeeded.`,
  same_edit: ({ number }) => `Call ${count(number)} edited the same file.`,
  corrected_name: ({ number }) => `Call ${count(number)} used the name that the error suggests.`,
  corrected_path: ({ number }) => `Call ${count(number)} used a corrected path.`,
  corrected_input: ({ number }) => `Call ${count(number)} succeeded on the same target with other input.`,
  same_step: ({ number }) => `Call ${count(number)} ran the same step in a different command.`,
  file_written_otherwise: ({ number }) => `Call ${count(number)} wrote the file another way.`,
  looked_elsewhere: ({ number }) => `Call ${count(number)} looked for it elsewhere.`,
  other_call_on_subject: ({ number }) => `Call ${count(number)} worked on the same thing.`,
  work_went_on: ({ number }) => `The run continued with call ${count(number)}.`,
  not_done_again: () => 'No later call did it.',
}

/** A resolution with its text of the day, as rows keep it. */
export const storedResolution = ({ resolution, rule, params }: CallResolution): StoredResolution => ({
  resolution,
  rule,
  params,
  text: textOf(RESOLUTION_WORDS, { id: rule, params } as ResolutionMessage),
})

/** A kept resolution in the words of today. */
export const resolutionToday = (stored: StoredResolution): StoredResolution => ({
  ...stored,
  text: storedText(RESOLUTION_WORDS, { id: stored.rule, params: stored.params, text: stored.text }),
})
