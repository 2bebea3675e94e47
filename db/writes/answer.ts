import { oddDetailText } from '@/lib/words/odd-details'
import type { IngestAnswer, ReceiptConflict } from '@/lib/api/ingest-schemas'
import { links } from '@/lib/links'
import type { IngestBody } from './receive/ingest-body'
import type { StreamRow } from './append/streams'
import type { Analysed } from './derive/write-summary'
import type { Touched } from './append/writing'

export const emptyAnswer = (originalSha256: string, streamId: string | null): IngestAnswer => ({
  accepted: 0,
  duplicates: 0,
  odd: [
    {
      line: null,
      byteStart: 0,
      reason: 'empty_input',
      detail: oddDetailText({ id: 'empty_body', params: {} }),
    },
  ],
  oddTotal: 1,
  executions: [],
  streamId,
  nextOffset: null,
  originalSha256,
})

/** The answer to the sender of a body. */
export function answerFor(
  body: IngestBody,
  originalSha256: string,
  done: { stream: StreamRow | null; touched: Touched; analysed: Analysed[]; conflicts?: ReceiptConflict[] },
): IngestAnswer {
  const { stream, touched, analysed } = done
  const lineOf = lineCounter(body.bytes, stream ? (body.offset ?? 0) : 0)
  return {
    accepted: touched.accepted,
    duplicates: touched.duplicates,
    odd: touched.odd
      .first()
      .map((o) => ({ line: lineOf(o.offset), byteStart: o.offset, reason: o.reason, detail: o.detail })),
    oddTotal: touched.odd.total,
    ...(done.conflicts && { conflicts: done.conflicts }),
    executions: analysed.flatMap(({ id, externalId, outcome, counts, failure }) =>
      outcome === null
        ? []
        : [
            {
              id,
              externalId,
              outcome,
              url: links.execution(id),
              ...counts,
              ...(failure && { analysisFailed: true as const }),
            },
          ],
    ),
    streamId: stream?.streamId ?? null,
    nextOffset: stream?.nextOffset ?? null,
    originalSha256,
  }
}

/** 1-based lines of the body by ascending offset; null for an offset that does not lie in it. */
function lineCounter(bytes: Uint8Array, start: number): (offset: number) => number | null {
  let line = 1
  let at = 0
  return (offset) => {
    const target = offset - start
    if (target < 0 || target > bytes.length) return null
    for (let next = bytes.indexOf(10, at); next !== -1 && next < target; next = bytes.indexOf(10, at)) {
      line++
      at = next + 1
    }
    return line
  }
}
