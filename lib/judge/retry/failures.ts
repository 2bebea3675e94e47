import type { Aftermath } from '../../model/messages/failures'
import type { FailureAdvice, FailuresAdvice } from '../../model/advice'
import { decisiveText, failedCallRef } from '../calls/call-ref'
import { isIncomparable } from '../calls/retry-chain'
import type { ChainsRead, Focus } from '../causes/focus'
import { commonOf, type FailedRequest } from '../causes/on-the-way'
import { advise, adviseOnFailure } from './advise'
import { messageText } from '../message-text'
import type { FailureContext } from './call-facts'
import { laterWriter } from './later-writer'
import { workBetween } from './work-between'

/** Most kinds of failure that are listed one by one; how many calls are left out is counted. */
export const FAILURES_MAX = 8

/** Failures of one tool with the same words are one kind, whatever their targets were. */
interface Kind {
  lead: Focus
  members: Focus[]
}

const rankOf = (f: Focus): number => (f.recovered ? 2 : f.workaround ? 1 : 0)

/** What stayed open before what was done, what tells most first, then in the order it happened. */
const byUrgency = (a: Focus, b: Focus): number =>
  Number(a.hangs) - Number(b.hangs) ||
  rankOf(a) - rankOf(b) ||
  b.weight - a.weight ||
  a.call.ordinal - b.call.ordinal

function kindsOf({ open, workedAround, recovered, leading }: ChainsRead): Kind[] {
  const kinds = new Map<string, Kind>()
  const rest = [...open, ...workedAround, ...recovered]
    .filter((f) => f.chain === null || f.chain !== leading?.chain)
    .sort(byUrgency)
  for (const focus of leading ? [leading, ...rest] : rest) {
    const { tool, failureClass } = focus.call
    const key = `${tool}\u0000${failureClass}\u0000${decisiveText(focus.call)}`
    const kind = kinds.get(key)
    if (kind) kind.members.push(focus)
    else kinds.set(key, { lead: focus, members: [focus] })
  }
  return [...kinds.values()]
}

/** What became of each kind, in the terms of the counts. */
function aftermathOf({ lead, members }: Kind, context: FailureContext): Aftermath {
  const of = (is: (f: Focus) => boolean): number => members.filter(is).length
  const [fixed, workedAround] = [of((f) => f.recovered), of((f) => f.workaround !== null)]
  const unresolved = members.length - fixed - workedAround
  const isOne = members.length === 1
  const later = lead.recovered || lead.workaround ? null : laterWriter(lead.call, context.work)
  const writer = later && later.ordinal + 1
  const alike =
    isOne ||
    fixed === members.length ||
    workedAround === members.length ||
    (unresolved === members.length && members.every((f) => f.failedCalls === 1 && !f.next))
  if (!alike) return { id: 'mixed', params: { fixed, workedAround, unresolved, writer } }
  if (lead.recovered)
    return {
      id: 'fixed_on_retry',
      params: {
        members: members.length,
        number: isOne ? lead.next!.ordinal + 1 : null,
        between: isOne ? workBetween(lead.failed.at(-1) ?? lead.call, lead.next!, context) : null,
      },
    }
  if (lead.workaround)
    return {
      id: 'worked_around',
      params: { members: members.length, number: isOne ? lead.workaround.ordinal + 1 : null },
    }
  if (lead.next) return { id: 'retry_without_result', params: { writer } }
  if (members.every((f) => isIncomparable(f.call))) return { id: 'not_comparable', params: { writer } }
  return lead.failedCalls > 1
    ? { id: 'all_attempts_failed', params: { attempts: lead.failedCalls, writer } }
    : { id: 'not_retried', params: { members: members.length, writer } }
}

function readKind(kind: Kind, context: FailureContext): FailureAdvice {
  const { lead, members } = kind
  const failed = members.reduce((sum, f) => sum + f.failedCalls, 0)
  const numbers = (of: Focus[]): number[] => of.map((f) => f.chain!.number).sort((a, b) => a - b)
  const done = members.filter((f) => f.workaround !== null)
  return {
    chains: numbers(members),
    ...(done.length > 0 && { doneOtherwise: numbers(done) }),
    failed,
    what: {
      id: 'calls_failed',
      params: {
        call: failedCallRef(lead.call),
        failed,
        targets: members.length === 1 || members.some((f) => f.call.target === null) ? null : members.length,
        error: messageText(decisiveText(lead.call)),
      },
    },
    ended: aftermathOf(kind, context),
    ...adviseOnFailure(lead, context),
  }
}

const requestsRead = (requests: readonly FailedRequest[], wentOn: boolean): FailureAdvice => ({
  chains: [],
  failed: requests.length,
  what: { id: 'requests_failed', params: { requests: requests.length, ...commonOf(requests) } },
  ended: wentOn ? { id: 'run_continued', params: {} } : { id: 'nothing_followed', params: {} },
  ...advise({ requests: { wentOn } }),
})

/**
 * Everything that failed inside a run, kind by kind: what, what became of it, whether a retry would help, what to do.
 * The kind that the cause is about comes first.
 */
export function readFailures(
  read: ChainsRead,
  requests: { all: readonly FailedRequest[]; wentOn: boolean },
  context: FailureContext,
): FailuresAdvice {
  const kinds = kindsOf(read)
  const leftOut = kinds
    .slice(FAILURES_MAX)
    .flatMap((kind) => kind.members)
    .reduce((sum, f) => sum + f.failedCalls, 0)
  return {
    failures: [
      ...(requests.all.length === 0 ? [] : [requestsRead(requests.all, requests.wentOn)]),
      ...kinds.slice(0, FAILURES_MAX).map((kind) => readKind(kind, context)),
    ],
    ...(leftOut > 0 && { failuresLeftOut: leftOut }),
  }
}
