import type { LeadingMessages } from '../../model/messages/attention'
import { firstAfter } from '../../text/first-after'
import { memoize } from '../../text/memoize'
import { decisiveText } from '../calls/call-ref'
import type { WorkedCall } from '../calls/merge-calls'
import { stepsOfCall } from '../calls/command-steps'
import { CHANGES_FILES } from '../calls/retry-chain'
import { isSlip } from '../calls/slip'
import { workKindOf, type WorkKind } from '../resolutions/work-kind'
import { firstThatHolds, type RuleTable, type Verdict } from '../rule-table'
import type { Work } from './work'

/** Rounds of one failure from which on it has cost time. */
const ROUNDS_THAT_COST = 3
/** Failed calls on the way to a success from which on it was not fixed at once: a check that fails anew on new work is none. */
const FAILURES_THAT_COST = 2

/** The last step of a command, which it was run for; of another call its target. */
const aimOf = (a: WorkedCall): string | null => stepsOfCall(a).at(-1)?.name ?? a.target

interface LeadingFacts {
  /** Own failures in order: none that only hangs on another call. */
  failed: readonly WorkedCall[]
  work: Work
}

/** Work that a person would miss if it was not done: no look around, no note of the agent's own. */
const DOES_WORK: ReadonlySet<WorkKind> = new Set(['edit', 'command', 'other'])
const doesWork = (a: WorkedCall): boolean => DOES_WORK.has(workKindOf(a))

/** Not done for another reason than a person's, a hook's or a sibling's. */
const OF_OTHERS: ReadonlySet<string | null> = new Set([
  'user_rejected',
  'interrupted',
  'hook',
  'sibling_cancelled',
])
const ownFailure = (a: WorkedCall): boolean => !OF_OTHERS.has(a.failureClass)
const became = (a: WorkedCall): string | undefined => a.resolution?.resolution

/** The first; an edit of an unread file only where nothing else is left, since it says least about the work. */
function unresolvedWork({ failed }: LeadingFacts): WorkedCall | undefined {
  const left = failed.filter(
    (a) =>
      ownFailure(a) &&
      doesWork(a) &&
      !isSlip(a) &&
      a.failureClass !== 'input_validation' &&
      became(a) === 'unresolved',
  )
  return left.find(({ failureClass }) => failureClass !== 'not_read_first') ?? left[0]
}

const refusals = ({ failed }: LeadingFacts): WorkedCall[] =>
  failed.filter(({ failureClass }) => failureClass === 'user_rejected')

const interrupted = ({ failed }: LeadingFacts): WorkedCall | undefined =>
  failed.find(({ failureClass }) => failureClass === 'interrupted')

/** Failures of one tool and class on one target or with the same words. */
const kindsOf = memoize(({ failed }: LeadingFacts): WorkedCall[][] => {
  const kinds = new Map<string, WorkedCall[]>()
  for (const a of failed) {
    if (!ownFailure(a) || !doesWork(a)) continue
    const about = CHANGES_FILES.has(a.tool) ? (a.target ?? '') : decisiveText(a)
    const key = `${a.tool}\u0000${a.failureClass}\u0000${about}`
    const kind = kinds.get(key)
    if (kind) kind.push(a)
    else kinds.set(key, [a])
  }
  return [...kinds.values()]
})

/** How many times the agent came back to it: calls of one model message are one round. */
const roundsOf = (kind: readonly WorkedCall[]): number =>
  new Set(kind.map((a) => a.messageId ?? a.callId)).size

const repeated = (facts: LeadingFacts): WorkedCall[] | undefined =>
  kindsOf(facts).find((kind) => roundsOf(kind) >= ROUNDS_THAT_COST)

const isCommand = (a: WorkedCall): boolean => workKindOf(a) === 'command'

const workedAround = ({ failed }: LeadingFacts): WorkedCall | undefined =>
  failed.find((a) => ownFailure(a) && isCommand(a) && became(a) === 'another_way')

/** Failed calls of other work, from this one to the call that resolved it, with this one. */
function failuresUntilDone(a: WorkedCall, { failed }: LeadingFacts): number {
  const done = (a.resolution?.params as { number?: number } | undefined)?.number ?? 0
  const aim = aimOf(a)
  let failures = 1
  for (let i = firstAfter(failed, a.ordinal, (one) => one.ordinal); i < failed.length; i++) {
    const one = failed[i]!
    if (one.ordinal >= done - 1) break
    if (doesWork(one) && aimOf(one) !== aim) failures += 1
  }
  return failures
}

const fixedLate = memoize((facts: LeadingFacts): WorkedCall | undefined =>
  facts.failed.find(
    (a) =>
      ownFailure(a) &&
      isCommand(a) &&
      became(a) === 'same_way' &&
      failuresUntilDone(a, facts) >= FAILURES_THAT_COST,
  ),
)

const firstOf = (...found: (WorkedCall | undefined)[]): WorkedCall | undefined =>
  found.filter((a) => a !== undefined).sort((a, b) => a.ordinal - b.ordinal)[0]

/** A file or folder that was not there, and was later, without a call of the agent that wrote it. */
const appearedLater = ({ failed, work }: LeadingFacts): WorkedCall | undefined =>
  failed.find((a) => {
    if (a.failureClass !== 'file_missing' || workKindOf(a) !== 'look' || became(a) !== 'same_way')
      return false
    const next = work.chains[a.chain ?? -1]?.nextCallId
    const found = next === undefined || next === null ? undefined : work.byId.get(next)
    return (
      found !== undefined &&
      !work.calls
        .slice(a.ordinal + 1, found.ordinal)
        .some((one) => one.state === 'succeeded' && CHANGES_FILES.has(one.tool) && one.target === a.target)
    )
  })

/** The failure that a reader should be shown first, where the run went on after it. docs/cause-accuracy.md cites the sessions. */
const LEADING_RULES: RuleTable<LeadingFacts, WorkedCall, LeadingMessages> = [
  {
    id: 'unresolved_work',
    when: (facts) => unresolvedWork(facts) !== undefined,
    verdict: (facts) => unresolvedWork(facts)!,
    params: () => ({}),
  },
  {
    id: 'refused_by_person',
    when: (facts) => refusals(facts).length > 0,
    verdict: (facts) => refusals(facts).find(doesWork) ?? refusals(facts)[0]!,
    params: (facts) => ({ refusals: refusals(facts).length }),
  },
  {
    id: 'failed_repeatedly',
    when: (facts) => repeated(facts) !== undefined,
    verdict: (facts) => repeated(facts)![0]!,
    params: (facts) => ({ rounds: roundsOf(repeated(facts)!) }),
  },
  {
    id: 'worked_around',
    when: (facts) => {
      const first = firstOf(workedAround(facts), fixedLate(facts))
      return first !== undefined && first === workedAround(facts)
    },
    verdict: (facts) => workedAround(facts)!,
    params: () => ({}),
  },
  {
    id: 'fixed_after_failures',
    when: (facts) => fixedLate(facts) !== undefined,
    verdict: (facts) => fixedLate(facts)!,
    params: (facts) => ({ failures: failuresUntilDone(fixedLate(facts)!, facts) }),
  },
  {
    id: 'appeared_later',
    when: (facts) => appearedLater(facts) !== undefined,
    verdict: (facts) => appearedLater(facts)!,
    params: () => ({}),
  },
  {
    id: 'interrupted_by_person',
    when: (facts) => interrupted(facts) !== undefined,
    verdict: (facts) => interrupted(facts)!,
    params: () => ({}),
  },
]

export type LeadingVerdict = Verdict<WorkedCall, LeadingMessages>

/** Null: whatever failed was resolved at little cost, so nothing needs a look. */
export const leadingFailure = (work: Work): LeadingVerdict | null =>
  firstThatHolds(LEADING_RULES, {
    failed: work.calls.filter((a) => a.state === 'failed' && !a.attachedTo?.callId),
    work,
  })
