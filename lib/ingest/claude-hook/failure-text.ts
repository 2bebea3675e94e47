import { trimSpace } from '../../failure-signal/scan'
import { limits } from '../../limits'
import { rangeOf } from '../claude/span'
import { cutBytes } from '../claude/text'

/** Fixed texts for a failure that brings none: an empty error must not turn into a success. */
export const NO_ERROR_TEXT = { failed: 'tool call failed', interrupted: 'tool call interrupted' } as const

/**
 * Error text of a failure frame. A text is trimmed; anything else is taken as the raw JSON text it was sent as, so that an error that is
 * an object one day is not lost; nothing, `null` and blanks become a fixed text. Cut to 16 KiB on a character boundary, with a mark.
 *
 * @param error value of the frame's error field
 * @param text  the frame as received, and `key`, the field's name as spelled there
 * @see docs/sources.md#claude-hook
 */
export function failureText(error: unknown, text: string, key: string, isInterrupt: boolean): string {
  let said = ''
  if (typeof error === 'string') said = trimSpace(error)
  else if (error !== undefined && error !== null) {
    const range = rangeOf(text, [key])
    said = range === null ? JSON.stringify(error) : text.slice(range.start, range.end)
  }
  return said === '' ? (isInterrupt ? NO_ERROR_TEXT.interrupted : NO_ERROR_TEXT.failed) : cutBytes(said, limits.hookErrorBytesMax)
}
