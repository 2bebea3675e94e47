import type { FileHandle } from 'node:fs/promises'
import { detectFormat } from '@/lib/ingest/detect'
import { documentSpans } from '@/lib/ingest/json-spans'
import type { IngestKind } from '@/lib/ingest/normal-form'
import { peekPart } from '@/lib/ingest/peek-part'
import { streamIdentity } from '@/lib/ingest/stream-identity'
import { limits } from '@/lib/limits'
import { findPart } from './parts'
import type { Left, Recognise, Recognition } from './recognise'
import { openFile } from './send-file'
import type { FoundFile } from './walk'

const headBytes = 64 * 1024

/** A first line beyond this is not read here to name the stream: the server names it, and takes what it has as duplicates. */
const peekBytesMax = 16 * 1024 * 1024

/** Endings of files that hold records: one of them that is not taken is worth a failing status, a picture is not. */
const recordFile = /\.(jsonl|ndjson)$/i

/** Says what a file is, from its first bytes, and which stream it continues. */
export const recogniseFile: Recognise = async (file) => {
  const handle = await openFile(file.path)
  try {
    const info = await handle.stat()
    if (!info.isFile()) return { left: { because: 'it is no ordinary file', unfit: true } }
    const head = await readAt(handle, 0, Math.min(headBytes, info.size))
    const detection = detectFormat({ head, fileName: file.name })
    if (detection.status !== 'supported') return { left: leftBecause(detection.status, detection.why, file) }
    return await taken(handle, head, info.size, detection.kind, file)
  } finally {
    await handle.close()
  }
}

function leftBecause(status: 'recognised' | 'unknown' | 'empty' | 'binary', told: string, file: FoundFile): Left {
  // It may quote the file's first lines; a reason is one line.
  const why = told.replace(/\s+/g, ' ')
  if (status === 'recognised') return { because: `recognised, not supported yet: ${why}`, unfit: true, unsupported: true }
  if (status === 'empty') return { because: why, unfit: file.named }
  return { because: status === 'binary' ? why : `not recognised: ${why}`, unfit: file.named || recordFile.test(file.name) }
}

async function taken(handle: FileHandle, head: Buffer, size: number, kind: IngestKind, file: FoundFile): Promise<Recognition> {
  const whole = documentSpans(head) !== null
  // Frames have no file to be a part of: each is known by itself.
  if (kind === 'claude-hook') return { taken: { kind, streamId: null, whole } }
  const end = whole
    ? size
    : ((await findPart(handle, 0, size, { target: limits.partBytesTarget, takeTorn: true, buffer: Buffer.alloc(headBytes) }))?.end ?? 0)
  // The first lines name the session of nearly every file; only when they do not is as much read as the server will look at.
  const lastLine = whole ? -1 : head.lastIndexOf(0x0a)
  if (lastLine !== -1 && end > lastLine + 1) {
    const early = await peekPart(kind, head.subarray(0, lastLine + 1), null)
    if (early.sessionId !== null && early.firstLineDigest !== '')
      return { taken: { kind, whole, streamId: await identityOf(kind, head.subarray(0, lastLine + 1), file) } }
  }
  if (end > peekBytesMax) return { taken: { kind, streamId: null, whole } }
  return { taken: { kind, whole, streamId: await identityOf(kind, await readAt(handle, 0, end), file) } }
}

async function identityOf(kind: IngestKind, bytes: Buffer, file: FoundFile): Promise<string | null> {
  const peek = await peekPart(kind, bytes, file.name)
  return peek.firstLineDigest === '' ? null : streamIdentity({ kind, ...peek })
}

async function readAt(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, start + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}
