import type { FoundCause, JudgedCause } from '../model/messages/cause'
import { causeText } from '../words/cause'

/** A cause with the text of today beside its messages. */
export function withCauseText<Judged extends JudgedCause>(cause: Judged): Judged & FoundCause {
  const { message, earlier, ...rest } = cause
  return { message, earlier, text: causeText(message, earlier), ...rest } as Judged & FoundCause
}
