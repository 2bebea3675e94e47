import type { NormalRecord } from '../../../model/normal-form'
import { digestOf } from '../text'
import type { Adapter, LineInput, StreamHint } from '../../../model/adapter'

/** One record as a line of its own at offset 0. */
export const lineOf = (value: unknown, text: string = JSON.stringify(value)): LineInput => {
  const length = new TextEncoder().encode(text).length
  return { value, text, offset: 0, length, keptStart: 0, keptEnd: length, digest: digestOf(text) }
}

/** Folds the lines of a text in order; every non-blank line must be JSON. The context makes a trip through JSON after each line, as between parts. */
export function foldText<Context>(
  adapter: Adapter<Context>,
  text: string,
  hint: StreamHint = {},
): NormalRecord[] {
  let context = adapter.start(hint)
  let offset = 0
  const records: NormalRecord[] = []
  for (const piece of text.split('\n')) {
    const line = lineOf(piece.trim() === '' ? null : JSON.parse(piece), piece)
    if (piece.trim() !== '') {
      records.push(
        adapter.read({ ...line, offset, keptStart: offset, keptEnd: offset + line.length }, context),
      )
      context = JSON.parse(JSON.stringify(context)) as Context
    }
    offset += line.length + 1
  }
  return records
}

export const foldAll = <Context>(
  adapter: Adapter<Context>,
  values: unknown[],
  hint: StreamHint = {},
): NormalRecord[] => foldText(adapter, values.map((value) => JSON.stringify(value)).join('\n'), hint)

/** The bytes a span points at, as text. */
export const bytesAt = (line: LineInput, span: { start: number; end: number }): string =>
  new TextDecoder().decode(new TextEncoder().encode(line.text).subarray(span.start, span.end))
