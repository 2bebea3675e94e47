import { adapterOf } from '@/lib/ingest/adapters'
import type { Adapter, IngestKind, LineInput, ParsedPart } from '@/lib/ingest/normal-form'
import { parsePart } from '@/lib/ingest/parse-part'

/** Where a kept line stands in the original, and the digest of the original line: `[keptStart, offset, length, digest]`. */
export type LineMap = [keptStart: number, offset: number, length: number, digest: string][]

export interface FoldedPart extends ParsedPart<unknown> {
  /** Null when the kept bytes are the original ones. */
  lines: LineMap | null
}

/** Redacts and reads a part as it arrives; what is needed to read its kept bytes again is handed back with it. */
export async function parseArriving(
  kind: IngestKind,
  part: { bytes: Uint8Array; offset: number; context: unknown; redact: boolean; final: boolean },
): Promise<FoldedPart> {
  const adapter = adapterOf(kind)
  const seen: LineInput[] = []
  const watching: Pick<Adapter<unknown>, 'read'> = {
    read(line, context) {
      seen.push(line)
      return adapter.read(line, context)
    },
  }
  const parsed = await parsePart({ adapter: watching, ...part })
  const lines = parsed.marks.length === 0 ? null : seen.map((line): LineMap[number] => [line.keptStart, line.offset, line.length, line.digest])
  return { ...parsed, lines }
}

/**
 * Reads kept bytes again. Identity and position are those of the original, from the map that was stored with the part:
 * the kept bytes alone no longer tell them where something was taken out.
 */
export async function parseKept(
  kind: IngestKind,
  part: { bytes: Uint8Array; offset: number; context: unknown; lines: LineMap | null },
): Promise<ParsedPart<unknown>> {
  const adapter = adapterOf(kind)
  if (part.lines === null) return parsePart({ adapter, bytes: part.bytes, offset: part.offset, context: part.context, redact: false, final: true })
  const originals = new Map(part.lines.map(([keptStart, offset, length, digest]) => [keptStart, { offset, length, digest }]))
  const mapping: Pick<Adapter<unknown>, 'read'> = {
    read: (line, context) =>
      adapter.read({ value: line.value, text: line.text, keptStart: line.keptStart, keptEnd: line.keptEnd, offset: line.offset, length: line.length, digest: line.digest, ...originals.get(line.keptStart) }, context),
  }
  const parsed = await parsePart({ adapter: mapping, bytes: part.bytes, offset: part.offset, context: part.context, redact: false, final: true })
  const records = parsed.records.map((record) => {
    const original = originals.get(record.keptStart)
    if (!original) return record
    // An odd record is made without the adapter: its identity is the digest of the line.
    const made = record.kind === 'odd' && record.type === '' ? { identity: original.digest } : {}
    return { ...record, ...made, offset: original.offset, length: original.length }
  })
  const torn = records.find((record) => record.oddReason === 'torn_line')
  const end = part.lines.reduce((most, [, offset, length]) => Math.max(most, offset + length), part.offset)
  return { ...parsed, records, nextOffset: torn ? (parsed.nextOffset === part.offset ? part.offset : torn.offset) : end }
}
