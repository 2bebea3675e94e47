import type { LayerState } from '../../model/parity'
import { parseExactJson, type ExactJson } from '../../text/exact-json'
import { limits } from '../../limits'
import type { LayerReason } from '../../model/messages/parity'

/** The places where an execution can be read, in the order in which its data travels. */
export const LAYERS = ['source', 'event_log', 'api', 'persisted', 'rendered'] as const

/** One of the places where an execution can be read. The text is null where nothing was captured. */
export interface LayerInput {
  layer: string
  text: string | null
  /** False when the text is known to hold a part only, such as the first page: `joinPages` tells. */
  complete?: boolean
  /** Known beforehand: why it cannot be compared, whatever its text is. */
  state?: Exclude<LayerState, 'read'>
  /** Where the state alone does not say it. */
  reason?: LayerReason
  /** The same as a server or the code that asked it worded it. */
  why?: string
}

export type LayerReading =
  | { layer: string; state: 'read'; value: ExactJson }
  | { layer: string; state: Exclude<LayerState, 'read'> }

/** Reads a layer, as far as it can be compared. */
export function readLayer({ layer, text, complete = true, state }: LayerInput): LayerReading {
  if (state !== undefined) return { layer, state }
  if (text === null) return { layer, state: 'not_captured' }
  if (isTooLarge(text)) return { layer, state: 'skipped_too_large' }
  const read = parseExactJson(text)
  if (!read.ok) return { layer, state: 'unreadable' }
  return complete ? { layer, state: 'read', value: read.value } : { layer, state: 'incomplete' }
}

/** Measured in bytes of UTF-8. A text has no fewer of them than units, and no more than three for each. */
function isTooLarge(text: string): boolean {
  if (text.length > limits.parityBytesMax) return true
  return (
    text.length * 3 > limits.parityBytesMax && new TextEncoder().encode(text).length > limits.parityBytesMax
  )
}
