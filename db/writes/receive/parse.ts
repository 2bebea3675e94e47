import type { DocumentSpans } from '@/lib/bytes/json-spans'
import { adapterOf } from '@/lib/formats/adapters'
import type { ParsedPart } from '@/lib/model/normal-form'
import { parsePart } from '@/lib/formats/parse-part'
import type { LineMap } from '../../schema/received'
import { marksWithin } from './marks-within'
import type { Adapter, LineInput } from '@/lib/model/adapter'
import type { IngestKind } from '@/lib/model/ingest-kinds'

export interface FoldedPart extends ParsedPart<unknown> {
  /** Null when the kept bytes are the original ones. */
  lines: LineMap | null
}

/** Redacts and reads a part as it arrives; what is needed to read its kept bytes again is handed back with it. */
export async function parseArriving(
  kind: IngestKind,
  part: {
    bytes: Uint8Array
    offset: number
    context: unknown
    redact: boolean
    final: boolean
    failureTag?: string
    document?: DocumentSpans | null
  },
): Promise<FoldedPart> {
  const adapter = adapterOf(kind)
  const { changed, ...parsed } = await parsePart({ adapter, ...part })
  const { marks } = parsed
  const lines =
    marks.length === 0
      ? null
      : changed
          // What is only marked is kept as it came.
          .filter((line) => marksWithin(marks, line.keptStart, line.keptEnd) > 0)
          .map((line): LineMap[number] => [line.keptStart, line.offset, line.length, line.digest])
  return { ...parsed, lines }
}

/**
 * Reads kept bytes again. Identity and position are those of the original: what was taken out of a line moved all that follows,
 * and its digest is only known from the map that was stored with the part.
 */
export async function parseKept(
  kind: IngestKind,
  {
    lines,
    ...part
  }: { bytes: Uint8Array; offset: number; context: unknown; lines: LineMap | null; failureTag?: string },
): Promise<ParsedPart<unknown>> {
  const adapter = adapterOf(kind)
  if (lines === null) return parsePart({ adapter, ...part, redact: false, final: true })
  const changed = new Map(
    lines.map(([keptStart, offset, length, digest]) => [keptStart, { offset, length, digest }]),
  )
  const asItCame = (line: LineInput): LineInput => {
    const original = changed.get(line.keptStart)
    if (original === undefined) return line
    const { value, text, keptStart, keptEnd, failureTag } = line
    return { value, text, keptStart, keptEnd, failureTag, ...original }
  }
  const knowing: Adapter<unknown> = {
    ...adapter,
    read: (line, context) => adapter.read(asItCame(line), context),
    ...(adapter.within && { within: (line, context) => adapter.within!(asItCame(line), context) }),
  }
  const parsed = await parsePart({ adapter: knowing, ...part, redact: false, final: true })
  /** By how much the original is longer than what is kept, up to here. */
  let moved = 0
  /** End in the kept bytes of the last line that was changed: what is inside of it was given its place with the line. */
  let changedEnd = 0
  const records = parsed.records.map((record) => {
    const original = changed.get(record.keptStart)
    if (original === undefined)
      return record.keptStart < changedEnd ? record : { ...record, offset: record.offset + moved }
    // An odd record is made without the adapter: its identity is the digest of the line.
    const made = record.kind === 'odd' && record.type === '' ? { identity: original.digest } : {}
    changedEnd = record.keptEnd
    moved = original.offset + original.length - (part.offset + record.keptEnd)
    return { ...record, ...made, offset: original.offset, length: original.length }
  })
  const torn = records.find((record) => record.oddReason === 'torn_line')
  if (torn === undefined) return { ...parsed, records, nextOffset: parsed.nextOffset + moved }
  return { ...parsed, records, nextOffset: parsed.nextOffset === part.offset ? part.offset : torn.offset }
}
