import { detectionText, formatName } from '@/lib/words/detection'
import { detectFormat } from '@/lib/formats/detect'
import { beginsLikeJson, eachLine } from '@/lib/bytes/lines'
import { HEAD_BYTES } from './body'
import { Refusal } from './respond'
import { INGEST_KINDS, type IngestKind } from '@/lib/model/ingest-kinds'
import { bodyText } from '@/lib/words/server/bodies'

/** The kind named in the address, before the body is read. `auto` finds out from the bytes. */
export function namedKind(name: string): IngestKind | 'auto' {
  if (name === 'auto' || (INGEST_KINDS as readonly string[]).includes(name))
    return name as IngestKind | 'auto'
  throw new Refusal('not-found', bodyText.unknownKind({ name }))
}

/**
 * The kind to read a body as, by its first bytes. What begins inside of a stream is taken at its word; what begins one and is clearly of another agent is
 * refused by name, whatever it was said to be. Of a large body its beginning has to hold a record of some kind; the output of a command (`claude-stream`)
 * may begin with as much other text as its wrapper printed.
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
    throw new Refusal(
      'not-supported',
      bodyText.notSupported({ name: formatName(found.why), why: detectionText(found.why) }),
    )
  // Before the rest is read: a named kind keeps what is odd, and blanks alone would be an empty body.
  if (found.status !== 'supported' && head.length >= HEAD_BYTES && !mayGoOn(named, head))
    throw new Refusal('unknown-format', bodyText.notRecognised({ headBytes: HEAD_BYTES }))
  if (named !== 'auto') return named
  if (found.status === 'supported') return found.kind
  if (found.status === 'empty') return 'claude-transcript' // any kind gives the same answer: nothing was received
  throw new Refusal('unknown-format', bodyText.notAKnownFormat({ why: detectionText(found.why) }))
}

const mayGoOn = (named: IngestKind | 'auto', head: Uint8Array): boolean =>
  holdsJson(head) || (named === 'claude-stream' && holdsText(head))

/** Any byte beside blanks and NUL. */
const holdsText = (head: Uint8Array): boolean => head.some((byte) => byte > 0x20)

function holdsJson(head: Uint8Array): boolean {
  for (const { start, end } of eachLine(head)) if (beginsLikeJson(head, start, end)) return true
  return false
}
