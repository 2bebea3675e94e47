import { detectFormat } from '@/lib/formats/detect'
import { Refusal } from './respond'
import { INGEST_KINDS, type IngestKind } from '@/lib/model/ingest-kinds'

/** The kind named in the address, before the body is read. `auto` finds out from the bytes. */
export function namedKind(name: string): IngestKind | 'auto' {
  if (name === 'auto' || (INGEST_KINDS as readonly string[]).includes(name))
    return name as IngestKind | 'auto'
  throw new Refusal(
    'not-found',
    `Unknown kind "${name.slice(0, 40)}"; there are auto, ${INGEST_KINDS.join(', ')}.`,
  )
}

/**
 * The kind to read a body as, by its first bytes. What begins inside of a stream is taken at its word; what begins one and is clearly of another agent is
 * refused by name, whatever it was said to be.
 */
export function chosenKind(
  named: IngestKind | 'auto',
  head: Uint8Array,
  fileName: string | null,
  offset: number | null,
): IngestKind {
  if (named !== 'auto' && (offset ?? 0) > 0) return named
  const found = detectFormat({ head, fileName })
  if (found.status === 'recognised')
    throw new Refusal('not-supported', `This is a ${found.name}: ${found.why}.`)
  if (named !== 'auto') return named
  if (found.status === 'supported') return found.kind
  if (found.status === 'empty') return 'claude-transcript' // any kind gives the same answer: nothing was received
  throw new Refusal('unknown-format', `Not recognised: ${found.why}.`)
}
