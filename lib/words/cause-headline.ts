import type { CauseMessage, EarlierMessage } from '../model/messages/cause'
import type { FailedCallRef } from '../model/messages/call-ref'
import { cutAtWord, oneLine } from '../text/visible'
import { causeText, isKnownCause, statementOf } from './cause'
import { capital, commandOrName, whatHappened } from './phrases'

const CHARS_MAX = 90
/** Room that is kept for the program's own words. */
const QUOTE_CHARS = 44
const CALL_CHARS = 24

/** The cause in at most 90 characters, with room for the program's own words; ends in … where they are cut. */
export function causeHeadline(cause: CauseMessage): string {
  const { start, quote = '' } = statementOf(cause, true)
  // Of a run in which nothing needs a look the count leads, not one of the calls.
  if (cause.id === 'failures_along_the_way') return cutAtWord(start, CHARS_MAX)
  const error = oneLine(quote)
  const room = CHARS_MAX - Math.min(error.length, QUOTE_CHARS) - 2
  const head = cutInQuotes(
    'call' in cause.params && isFailed(cause.params.call) ? shortFailure(cause.params.call, room) : start,
    room,
  )
  return error === '' ? head : cutAtWord(`${head}: ${error}`, CHARS_MAX)
}

/** A cut inside of a quotation ends it, so that what follows does not read as part of it. */
function cutInQuotes(text: string, charsMax: number): string {
  const cut = cutAtWord(text, charsMax)
  if (cut === text || cut.lastIndexOf('“') <= cut.lastIndexOf('”')) return cut
  return `${cutAtWord(text, charsMax - 1)}”`
}

const isFailed = (call: object | null): call is FailedCallRef => call !== null && 'failureClass' in call

/** What happened to the call; a long command is cut, and not what became of it. */
function shortFailure(call: FailedCallRef, charsMax: number): string {
  const name = commandOrName(call, CHARS_MAX)
  const whole = whatHappened(call, CHARS_MAX, commandOrName)
  if (!whole.startsWith(name)) {
    let chars = CHARS_MAX
    while (chars > CALL_CHARS && whatHappened(call, chars).length > charsMax) chars -= 4
    return capital(whatHappened(call, chars))
  }
  return `${cutAtWord(name, Math.max(charsMax - (whole.length - name.length), CALL_CHARS))}${whole.slice(name.length)}`
}

/** A cause as a row keeps it: ids that may be those of another version, and the text of the day. */
export interface StoredCause {
  rule: string | null
  params: unknown
  earlier: { id: string; params: unknown } | null
  text: string
}

/** The headline and the text of a cause that a row keeps, rendered anew where all of it is known here. */
export function storedCauseWords({ rule, params, earlier, text }: StoredCause): {
  headline: string
  text: string
} {
  if (rule === null || params === null || !isKnownCause(rule, earlier?.id ?? null))
    return { headline: headlineOf(text), text }
  const cause = { id: rule, params } as CauseMessage
  return { headline: causeHeadline(cause), text: causeText(cause, earlier as EarlierMessage | null) }
}

/** The first line of a cause's text, cut where it is long. */
export const headlineOf = (text: string): string => cutAtWord(text.split('\n', 1)[0]!, CHARS_MAX)
