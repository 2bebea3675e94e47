import { capText } from '../text/cap-text'

/** Longest text that a message keeps of a record: more than any sentence shows, and little enough for a row. */
const MESSAGE_TEXT_CHARS_MAX = 1_000

/** A text of a record as a message keeps it. */
export function messageText(text: string): string
export function messageText(text: string | null): string | null
export function messageText(text: string | null): string | null {
  return text === null ? null : capText(text, MESSAGE_TEXT_CHARS_MAX)
}
