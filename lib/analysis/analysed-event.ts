import type { InputChannel, NormalRecord } from '../model/normal-form'
import type { AnalysedEvent } from '../model/summary'

/**
 * A record as the analysis reads it.
 *
 * @param from.received digest of the kept bytes, or another name of them that no other bytes of the execution have
 */
export const analysedEvent = (
  record: NormalRecord,
  from: { streamId: string; channel: InputChannel; received: string },
): AnalysedEvent => ({
  streamId: from.streamId,
  channel: from.channel,
  received: from.received,
  offset: record.offset,
  identity: record.identity,
  kind: record.kind,
  at: record.at,
  keptStart: record.keptStart,
  keptEnd: record.keptEnd,
  ...(record.oddReason === undefined ? {} : { oddReason: record.oddReason }),
  facts: record.facts,
})
