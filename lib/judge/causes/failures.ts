import { isIncomparable } from '../calls/retry-chain'
import { cutAtWord } from '../../text/visible'
import { adviseOnFailure, doneBetween, laterWriter, type FailureContext } from './advise-failure'
import type { ChainsRead, Focus } from './focus'
import { failedRequests } from '../../words/phrases'
import { commonOf, type FailedRequest } from './on-the-way'
import { capital, count, decisiveText, quoted, whatHappened } from './phrases'
import type { Advice, FailureRead } from '../../model/execution'

/** Most kinds of failure that are told one by one; how many calls are left out is said. */
export const FAILURES_MAX = 8
const WHAT_CHARS_MAX = 220

/** Failures of one tool with the same words are one kind, whatever their targets were. */
interface Kind {
  lead: Focus
  members: Focus[]
}

const rankOf = (f: Focus): number => (f.recovered ? 2 : f.otherwise ? 1 : 0)

/** What stayed open before what was done, what tells most first, then in the order it happened. */
const byUrgency = (a: Focus, b: Focus): number =>
  Number(a.hangs) - Number(b.hangs) ||
  rankOf(a) - rankOf(b) ||
  b.weight - a.weight ||
  a.call.ordinal - b.call.ordinal

function kindsOf({ open, otherwise, recovered, telling }: ChainsRead): Kind[] {
  const kinds = new Map<string, Kind>()
  const rest = [...open, ...otherwise, ...recovered].filter((f) => f !== telling).sort(byUrgency)
  for (const focus of telling ? [telling, ...rest] : rest) {
    const { tool, failureClass } = focus.call
    const key = `${tool}\u0000${failureClass}\u0000${decisiveText(focus.call)}`
    const kind = kinds.get(key)
    if (kind) kind.members.push(focus)
    else kinds.set(key, { lead: focus, members: [focus] })
  }
  return [...kinds.values()]
}

/** `not retried`, `2 fixed on retry, 1 worked around`: what became of each kind, in the words of the counts. */
function endedOf({ lead, members }: Kind): string {
  const of = (is: (f: Focus) => boolean): number => members.filter(is).length
  const [recovered, otherwise] = [of((f) => f.recovered), of((f) => f.otherwise !== null)]
  const open = members.length - recovered - otherwise
  if (
    members.length === 1 ||
    recovered === members.length ||
    otherwise === members.length ||
    (open === members.length && members.every((f) => f.failedCalls === 1 && !f.next))
  ) {
    const each = members.length > 1 ? (members.length === 2 ? 'both ' : 'all ') : ''
    if (lead.recovered)
      return `${each}fixed on retry${members.length === 1 ? ` (call ${count(lead.next!.ordinal + 1)})` : ''}`
    if (lead.otherwise)
      return `${each}worked around${members.length === 1 ? ` (call ${count(lead.otherwise.ordinal + 1)}, inferred)` : ' (inferred)'}`
    if (lead.next) return 'the next retry has no result'
    if (members.every((f) => isIncomparable(f.call))) return 'unclear if retried'
    return lead.failedCalls > 1
      ? `${count(lead.failedCalls)} attempts, all failed`
      : members.length > 1
        ? 'none retried'
        : 'not retried'
  }
  return [
    ...(recovered === 0 ? [] : [`${count(recovered)} fixed on retry`]),
    ...(otherwise === 0 ? [] : [`${count(otherwise)} worked around (inferred)`]),
    ...(open === 0
      ? []
      : [`${count(open)} ${recovered + otherwise > 0 ? 'unresolved' : 'not fixed on retry'}`]),
  ].join(', ')
}

/** What was done between the failure and its success, or that a later command may have made the change that failed here. */
function madeLater({ lead, members }: Kind, context: FailureContext): string {
  if (lead.recovered && lead.next && members.length === 1) {
    const between = doneBetween(lead.failed.at(-1) ?? lead.call, lead.next, context)
    return between === '' ? '' : `; between them: ${between}`
  }
  const writer = lead.recovered || lead.otherwise ? null : laterWriter(lead.call, context.work)
  return writer ? `; call ${count(writer.ordinal + 1)} names the same file and may have made the change` : ''
}

function readKind(kind: Kind, context: FailureContext): FailureRead {
  const { lead, members } = kind
  const failed = members.reduce((sum, f) => sum + f.failedCalls, 0)
  const alike =
    failed === 1
      ? ''
      : ` (${count(failed)} similar calls${members.length === 1 || members.some((f) => f.call.target === null) ? '' : `, ${count(members.length)} targets`})`
  const start = `${capital(whatHappened(lead.call))}${alike}`
  const quote = decisiveText(lead.call)
  const what = cutAtWord(
    quote === '' ? start : `${start}: ${quoted(quote, Math.max(WHAT_CHARS_MAX - start.length - 2, 24))}`,
    WHAT_CHARS_MAX,
  )
  const numbers = (of: Focus[]): number[] => of.map((f) => f.chain!.number).sort((a, b) => a - b)
  const otherwise = members.filter((f) => f.otherwise !== null)
  const done = otherwise.length === 0 ? {} : { doneOtherwise: numbers(otherwise) }
  return {
    chains: numbers(members),
    ...done,
    failed,
    what,
    ended: `${endedOf(kind)}${madeLater(kind, context)}`,
    ...adviseOnFailure(lead, context),
  }
}

const requestsRead = (requests: readonly FailedRequest[], wentOn: boolean): FailureRead => ({
  chains: [],
  failed: requests.length,
  what: `${capital(failedRequests(requests.length, commonOf(requests)))} failed`,
  ended: wentOn ? 'the run continued' : 'nothing followed',
  retry: wentOn ? 'helped' : 'could-help',
  retryBecause: wentOn ? 'The agent answered again after the last one.' : 'A busy service may recover.',
  next: wentOn
    ? 'No action needed. If this happens often, check the status of the model service.'
    : 'Resume the session with the same prompt.',
})

/**
 * Everything that failed inside a run, kind by kind: what, what became of it, whether a retry could have helped, what to do. The kind that
 * the
 * cause is about comes first.
 */
export function readFailures(
  read: ChainsRead,
  requests: { all: readonly FailedRequest[]; wentOn: boolean },
  context: FailureContext,
): Pick<Advice, 'failures' | 'failuresLeftOut'> {
  const kinds = kindsOf(read)
  const told = kinds.slice(0, FAILURES_MAX).map((kind) => readKind(kind, context))
  const leftOut = kinds
    .slice(FAILURES_MAX)
    .flatMap((kind) => kind.members)
    .reduce((sum, f) => sum + f.failedCalls, 0)
  const failures = [
    ...(requests.all.length === 0 ? [] : [requestsRead(requests.all, requests.wentOn)]),
    ...told,
  ]
  return { failures, ...(leftOut === 0 ? {} : { failuresLeftOut: leftOut }) }
}
