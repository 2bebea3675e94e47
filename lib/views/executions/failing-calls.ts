import type { Advice, FailureRead } from '../../model/execution'
import { callVerdict, endedWords, failingCallHeading } from '../../words/first-screen'

/** What became of a failed call; and, where the advice on the run is about another one, its own answers. */
export interface ReadOfCall {
  ended: string
  verdict: string | null
  next: string | null
}

interface FailedCall {
  chain: number | null
  isMain: boolean
  /** The verdict on the identical call, which is shown with it; rows of older versions have none. */
  retry?: unknown
}

export interface FailingCalls<C> {
  /** One or two, each with what is known of it; none where no call failed. */
  shown: { call: C; heading: string; read: ReadOfCall | undefined }[]
  /** Everything else that failed, kind by kind. */
  others: FailureRead[]
}

/**
 * What the first look at an execution says of its failed calls: what is above about the cause is not said again
 * below its call, and what is shown with a call is not listed again.
 *
 * @param failing the first and the last failure to look at, as `firstAndLast` gives them
 * @param failedCalls of the whole execution
 */
export function placeFailures<C extends FailedCall>(
  advice: Advice | null,
  failing: readonly C[],
  failedCalls: number,
): FailingCalls<C> {
  const [first] = failing
  const last = failing.at(-1)
  const failures = advice?.failures ?? []
  const readOf = (call: C) =>
    failures.find((failure) => call.chain !== null && failure.chains.includes(call.chain))
  // The failure that the advice is about has its words there already.
  const aboutCause = (failure: FailureRead) => failure.retry === advice?.retry && failure.next === advice.next
  const shownFailures = new Set(failing.map(readOf))
  const others = failures.filter((failure) => !shownFailures.has(failure) && !aboutCause(failure))
  const place = (call: C, heading: string) => {
    const read = readOf(call)
    return { call, heading, read: read && readSaid(read, aboutCause(read), call) }
  }
  if (!first || !last) return { shown: [], others }
  return {
    shown:
      first === last
        ? [place(first, failingCallHeading('one', first.isMain, failedCalls))]
        : [
            place(first, failingCallHeading('first', first.isMain, failedCalls)),
            place(last, failingCallHeading('last', last.isMain, failedCalls)),
          ],
    others,
  }
}

const readSaid = (read: FailureRead, isAboutCause: boolean, call: FailedCall): ReadOfCall => ({
  ended: endedWords(read),
  verdict: isAboutCause || call.retry ? null : callVerdict(read),
  next: isAboutCause ? null : read.next,
})
