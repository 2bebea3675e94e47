import { adapterOf } from './adapters'
import { readFileName } from './claude/context'
import { digestOfBytes } from '../bytes/digest'
import { hasMoreValues, isTooDeep } from '../text/json-depth'
import { limits } from '../limits'
import { readLineText } from '../bytes/line-text'
import type { DocumentSpans } from '../bytes/json-spans'
import { recordSpans } from '../bytes/record-spans'
import { redactLine } from '../text/redaction/redact'
import type { Adapter } from '../model/adapter'
import type { IngestKind } from '../model/ingest-kinds'

export interface Peek {
  sessionId: string | null
  agentId: string | null
  /** Which file of which run, for formats that name it in the path. */
  file?: string
  /** Digest of the first record, `''` without one. Of hook frames after redaction, so that one from the spool is the one sent at once. */
  firstLineDigest: string
}

/**
 * Looks for the session and agent that a body belongs to: the first session that any record names, else what the file's name says (first of
 * all, where the format has it so). `bytes` begin where their stream begins.
 */
export async function peekPart(
  kind: IngestKind,
  bytes: Uint8Array,
  fileName?: string | null,
  document?: DocumentSpans | null,
): Promise<Peek> {
  return peekWith(adapterOf(kind), kind === 'claude-hook', bytes, fileName, document)
}

/** `peekPart` with the adapter at hand. */
export async function peekWith<C>(
  adapter: Pick<Adapter<C>, 'peek' | 'nameOf'>,
  digestRedacted: boolean,
  bytes: Uint8Array,
  fileName?: string | null,
  document?: DocumentSpans | null,
): Promise<Peek> {
  let firstLineDigest = ''
  const belongs = adapter.nameOf?.(fileName ?? null) ?? null
  const named = adapter.nameOf ? { session: belongs?.sessionId ?? null, agent: null } : readFileName(fileName)
  for (const { start, end } of recordSpans(bytes, true, document)) {
    const original = bytes.subarray(start, end)
    if (firstLineDigest === '')
      firstLineDigest = digestOfBytes(digestRedacted ? await redactedBytes(original) : original)
    if (belongs !== null) break
    if (end - start > limits.lineBytesMax) continue
    const { text } = readLineText(original)
    const value = parsed(text)
    const says = value === undefined ? null : quietly(() => adapter.peek(value, text))
    if (says?.sessionId)
      return { sessionId: says.sessionId, agentId: says.agentId ?? named.agent, firstLineDigest }
  }
  return {
    sessionId: named.session,
    agentId: named.agent,
    ...(belongs && { file: belongs.file }),
    firstLineDigest,
  }
}

async function redactedBytes(original: Uint8Array): Promise<Uint8Array> {
  const line = readLineText(original)
  const redacted = await redactLine(line.text)
  return redacted.marks.length === 0 ? original : line.encode(redacted.text)
}

function parsed(text: string): unknown {
  return isTooDeep(text, limits.jsonDepthMax) || hasMoreValues(text, limits.recordValuesMax)
    ? undefined
    : quietly(() => JSON.parse(text) as unknown)
}

/** A line that cannot be read says nothing about its session; what is odd about it is reported when it is parsed. */
function quietly<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
