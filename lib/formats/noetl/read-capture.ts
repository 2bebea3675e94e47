import { eventIdOf, eventTypeOf } from './event-row'
import { member, memberAt, type ExactJson, type ExactObject } from '../../text/exact-json'
import type { RecordContent } from '../claude/draft'
import { spanOf } from '../claude/span'
import { idText } from '../claude/text'
import { capText } from '../../text/cap-text'
import { textOf } from './read-row'
import type { LineInput } from '../../model/adapter'

/** Whether a row, or the document around it, says that it was captured at the worker: before the engine made a row of it. */
export const isCapture = (value: ExactJson): boolean => member(value, 'layer') === 'worker'

/**
 * What a worker replied, as a capture of it says: what the rows of its step should hold. It takes part in the comparison of layers and in nothing else:
 * the engine never saw it.
 *
 * @see docs/parity.md#captures
 */
export function readCapture(capture: ExactObject, line: LineInput): RecordContent {
  const id = eventIdOf(capture)
  const type = eventTypeOf(capture)
  const step = textOf(member(capture, 'node_name') ?? member(capture, 'step'), 300)
  const path = REPLIES.find((keys) => (memberAt(capture, ...keys) ?? null) !== null)
  if (path === undefined)
    return {
      kind: 'meta',
      summary: { id: 'worker_reply', params: { step, isMissing: true } },
      facts: {},
      odd: { reason: 'wrong_type', detail: { id: 'no_reply', params: {} } },
    }
  return {
    kind: 'meta',
    summary: { id: 'worker_reply', params: { step, isMissing: false } },
    facts: {
      capture: {
        eventId: id === null ? null : idText(String(id)),
        type: type === '' ? null : capText(type, 120),
        node: step,
        path: path.join('/'),
        span: spanOf(line, path),
      },
    },
  }
}

/** Where a reply stands: by itself, or as the context of a row. */
const REPLIES = [['reply'], ['result', 'context']]
