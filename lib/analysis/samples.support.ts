import { digestOf } from '../formats/claude/text'
import type { InputChannel, NormalRecord } from '../model/normal-form'
import type { AnalysedEvent } from '../model/summary'
import { analysedEvent } from './analysed-event'
import type { LineInput, StreamHint } from '../model/adapter'

/** The lines of a whole file as an adapter reads them, nothing redacted. Blank lines are no records. */
export function* linesOf(bytes: Uint8Array): Generator<LineInput> {
  let start = 0
  while (start < bytes.length) {
    const feed = bytes.indexOf(10, start)
    const end = feed === -1 ? bytes.length : feed
    const text = new TextDecoder().decode(bytes.subarray(start, end))
    if (text.trim() !== '') {
      const length = end - start
      yield {
        value: JSON.parse(text) as unknown,
        text,
        offset: start,
        length,
        keptStart: start,
        keptEnd: end,
        digest: digestOf(text),
      }
    }
    start = end + 1
  }
}

/** A record as the writer stores it and the analysis reads it. */
export const asEvent = (record: NormalRecord, streamId: string, channel: InputChannel): AnalysedEvent =>
  analysedEvent(record, { streamId, channel, received: 'a'.repeat(64) })

/** What the peek before the fold finds: the first session and agent that a record of the file names. */
export function hintOf(
  bytes: Uint8Array,
  fileName: string,
  peek: (value: unknown) => { sessionId: string | null; agentId: string | null },
): StreamHint {
  for (const { value } of linesOf(bytes)) {
    const { sessionId, agentId } = peek(value)
    if (sessionId !== null) return { fileName, sessionId, agentId }
  }
  return { fileName }
}
