import { trimSpace } from '../claude/failure-signal'
import { limits } from '../../limits'
import { cutBytes } from '../../bytes/cut-bytes'
import { textOf } from './go-fields'

/** Fixed texts for a failure that brings none: an empty error must not turn into a success. */
const NO_ERROR_TEXT = { failed: 'tool call failed', interrupted: 'tool call interrupted' } as const

/**
 * Error text of a failure frame. A text is trimmed; anything else is the JSON text that was sent, so that an error that is an object one
 * day is not lost; nothing, `null` and blanks become a fixed text. Cut to 16 KiB on a character boundary, with a mark.
 *
 * @param json the value as received, null when there is none
 * @see docs/sources/receipts.md#receipt-hook
 */
export function hookErrorText(json: string | null, isInterrupt: boolean): { text: string; cut: boolean } {
  const said = json === null || json === 'null' ? '' : trimSpace(json.startsWith('"') ? textOf(json) : json)
  if (said === '') return { text: isInterrupt ? NO_ERROR_TEXT.interrupted : NO_ERROR_TEXT.failed, cut: false }
  const text = cutBytes(said, limits.hookErrorBytesMax)
  return { text, cut: text !== said }
}
