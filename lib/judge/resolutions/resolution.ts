import { isSameInput } from '../../model/same-input'
import type { ResolutionMessages } from '../../model/messages/resolution'
import type { Resolution } from '../../model/resolution'
import type { Chain } from '../../model/summary'
import { failureDetail } from '../calls/failure-detail'
import type { WorkedCall } from '../calls/merge-calls'
import { CHANGES_FILES, isIncomparable } from '../calls/retry-chain'
import { firstThatHolds, type Rule, type RuleTable } from '../rule-table'
import {
  correctedName,
  correctedPath,
  isRefusal,
  laterEdit,
  laterWrite,
  onSubject,
  resolutionFacts,
  sameStep,
  type ResolutionFacts,
} from './resolution-facts'
import { isCheck, workKindOf } from './work-kind'

type Rules = RuleTable<ResolutionFacts, Resolution, ResolutionMessages>
type Found = (facts: ResolutionFacts) => WorkedCall | null | undefined
type DoneBy = Exclude<
  keyof ResolutionMessages,
  'not_comparable' | 'nothing_followed' | 'refused_and_left' | 'not_done_again'
>

/** A rule that holds where a later call is found which did the work. */
const doneBy = (id: DoneBy, verdict: Resolution, find: Found): Rules[number] =>
  ({
    id,
    when: (facts) => find(facts) != null,
    verdict,
    params: (facts) => ({ number: find(facts)!.ordinal + 1 }),
    pointer: (facts) => find(facts)!.resultPointer,
  }) as Rule<ResolutionFacts, Resolution, Pick<ResolutionMessages, DoneBy>> as Rules[number]

const left = (
  id: Exclude<keyof ResolutionMessages, DoneBy | 'not_comparable'>,
  when: (facts: ResolutionFacts) => boolean,
): Rules[number] => ({ id, when, verdict: 'unresolved', params: () => ({}) }) as Rules[number]

const isEdit = ({ failed }: ResolutionFacts): boolean => CHANGES_FILES.has(failed.tool)
/** What was done instead of a call that was refused: a change, a command, or the tool once more. */
const didOther = (a: WorkedCall, { failed }: ResolutionFacts): boolean =>
  workKindOf(a) === 'edit' || workKindOf(a) === 'command' || a.tool === failed.tool
/** Instead of a command only another of its subject was run. */
const isCommand = ({ kind, failed }: ResolutionFacts): boolean =>
  kind === 'command' && failed.failureClass !== 'interrupted'
/** An edit whose new text is its old one asks for nothing that could be done again. */
const asksNothing = ({ failed }: ResolutionFacts): boolean =>
  failed.failureClass === 'edit_no_match' && failureDetail(failed) !== null

/** Ordered: the first that holds decides. docs/cause-accuracy.md says which sessions each rests on. */
export const RESOLUTION_RULES: Rules = [
  {
    id: 'not_comparable',
    when: ({ failed }) => isIncomparable(failed),
    verdict: 'unknown',
    params: () => ({}),
  },
  left('nothing_followed', ({ later }) => later.length === 0),
  doneBy('same_call', 'same_way', ({ failed, next }) =>
    next && isSameInput(next.inputDigest, failed.inputDigest) === true ? next : null,
  ),
  doneBy('refused_then_other_work', 'another_way', (facts) =>
    isRefusal(facts) && !isCommand(facts) ? facts.later.find((a) => didOther(a, facts)) : null,
  ),
  doneBy('work_went_on', 'another_way', (facts) =>
    facts.failed.failureClass === 'interrupted' ? facts.later[0] : null,
  ),
  doneBy('same_step', 'same_way', (facts) => (isRefusal(facts) ? sameStep(facts) : null)),
  doneBy('refused_then_other_work', 'another_way', (facts) => (isRefusal(facts) ? onSubject(facts) : null)),
  left('refused_and_left', isRefusal),
  doneBy('same_edit', 'same_way', (facts) => {
    const edit = laterEdit(facts)
    return edit && !asksNothing(facts) && !facts.refusedBefore(edit) ? edit : null
  }),
  doneBy('file_written_otherwise', 'another_way', (facts) => (isEdit(facts) ? laterWrite(facts) : null)),
  doneBy('corrected_name', 'same_way', correctedName),
  doneBy('corrected_path', 'same_way', correctedPath),
  doneBy('corrected_input', 'same_way', ({ next }) => next),
  doneBy('same_step', 'same_way', sameStep),
  doneBy('looked_elsewhere', 'another_way', (facts) => (facts.kind === 'look' ? onSubject(facts) : null)),
  // A check is there to pass: only the check itself shows that it does.
  doneBy('other_call_on_subject', 'another_way', (facts) =>
    isCheck(facts.failed) ? null : onSubject(facts),
  ),
  doneBy('work_went_on', 'another_way', (facts) => (facts.failed.target === null ? facts.later[0] : null)),
  left('not_done_again', () => true),
]

/**
 * A step of a workflow and a task of a pipeline are repeated by their engine or not at all; of a call that only
 * receipts tell of, and that names no target, nobody knows what another way would be.
 */
const REPEAT_RULES: Rules = RESOLUTION_RULES.filter(({ id }) =>
  ['not_comparable', 'same_call', 'corrected_input', 'not_done_again'].includes(id),
)
const isOnlyRepeated = ({ isStep, lastPlace, receiptOnly, target }: WorkedCall): boolean =>
  isStep || lastPlace.stream.channel === 'pipeline' || (receiptOnly && target === null)

/** Says of each failed call what became of it, in place. */
export function resolveCalls(
  calls: readonly WorkedCall[],
  chains: readonly Chain[],
  byId: ReadonlyMap<string, WorkedCall>,
): void {
  for (const failed of calls) {
    if (failed.state !== 'failed') continue
    const { verdict, rule, params } = firstThatHolds(
      isOnlyRepeated(failed) ? REPEAT_RULES : RESOLUTION_RULES,
      resolutionFacts(failed, calls, chains, byId),
    )!
    failed.resolution = { resolution: verdict, rule, params }
  }
}
