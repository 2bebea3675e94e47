import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { IngestAnswer } from '@/lib/api/ingest-schemas'
import { limits } from '@/lib/limits'
import { importText } from '@/lib/words/cli/import'
import type { IngestClient, StreamStanding } from './ingest-client'
import { PartRefused } from './ingest-client'
import { digestRange, findPart } from './parts'
import type { Part } from './parts'
import type { Taken } from './recognise'
import type { DatabasePlace } from './send-database'

/** The file is not what it was a moment ago: shorter, or other bytes in the same place. */
export class FileChanged extends Error {
  override name = 'FileChanged'
}

export interface Sending {
  ingest: IngestClient
  path: string
  name: string
  taken: Taken
  /** Leave a torn last line for later, because the file is being followed. */
  wholeLinesOnly: boolean
  buffer: Buffer
  signal: AbortSignal
  /** Bytes that need no further look: sent, or known to be there. */
  onBytes(bytes: number): void
  onAnswer(answer: IngestAnswer): void
}

/** Where a file is after it was sent: what a follower needs to send only what is new. */
export interface FileStanding {
  streamId: string | null
  offset: number
  sentBytes: number
  /** It was known to the server, and its beginning was no longer the same. */
  rewritten: boolean
  /** Of a database. */
  database?: DatabasePlace
}

const chunkBytes = 256 * 1024

/** Opens without waiting: a pipe with a file's name must not stop the import. */
export const openFile = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDONLY | constants.O_NONBLOCK)

/**
 * Sends a file from where the server stands: what is there already is compared by digest and not sent again. A file
 * whose beginning changed is sent whole.
 */
export async function sendFile(sending: Sending): Promise<FileStanding> {
  const file = await openFile(sending.path)
  try {
    const standing =
      sending.taken.streamId === null ? null : await sending.ingest.readStanding(sending.taken.streamId)
    const known = standing === null ? 0 : await knownBytes(file, standing, sending.buffer)
    sending.onBytes(known)
    const rest = await sendFrom(file, known, sending)
    return { ...rest, rewritten: standing !== null && standing.nextOffset > 0 && known === 0 }
  } finally {
    await file.close()
  }
}

/** Sends what a followed file grew by. */
export async function sendTail(sending: Sending, offset: number): Promise<FileStanding> {
  const file = await openFile(sending.path)
  try {
    return { ...(await sendFrom(file, offset, sending)), rewritten: false }
  } finally {
    await file.close()
  }
}

/** How much of the file the server holds, or 0 when any of it reads differently here. */
async function knownBytes(file: FileHandle, standing: StreamStanding, buffer: Buffer): Promise<number> {
  let known = 0
  for (const part of [...standing.parts].sort((a, b) => a.offset - b.offset)) {
    if (part.offset > known) break
    if ((await digestRange(file, part.offset, part.length, buffer)) !== part.sha256) return 0
    known = Math.max(known, part.offset + part.length)
  }
  // A torn last line is held too; only when something follows is it read again with that.
  return known === (await file.stat()).size ? known : Math.min(known, standing.nextOffset)
}

async function sendFrom(
  file: FileHandle,
  from: number,
  sending: Sending,
): Promise<Omit<FileStanding, 'rewritten'>> {
  const { ingest, taken, signal } = sending
  const { size } = await file.stat()
  let streamId = taken.streamId
  let start = from
  let sentBytes = 0
  let part = await next(file, start, size, sending)
  while (part !== null) {
    signal.throwIfAborted()
    const length = part.end - part.start
    if (length > limits.bodyBytesMax) {
      throw new PartRefused(413, 'too-large', importText.unitTooLarge({ start, isDocument: taken.whole }))
    }
    const following: Part | null = await next(file, part.end, size, sending)
    const answer = await sendOne(file, part, {
      ingest,
      kind: taken.kind,
      name: sending.name,
      streamId,
      more: following !== null,
    })
    sending.onAnswer(answer)
    streamId = answer.streamId ?? streamId
    sentBytes += length
    sending.onBytes(length)
    start = part.end
    part = following
    // The stream turned out to be one that the server knows under another name, or another import is ahead of this one.
    if (part !== null && streamId !== null && (answer.nextOffset ?? 0) > start) {
      const standing = await ingest.readStanding(streamId)
      const known = standing === null ? 0 : await knownBytes(file, standing, sending.buffer)
      if (known > start) {
        sending.onBytes(known - start)
        start = known
        part = await next(file, start, size, sending)
      }
    }
  }
  return { streamId, offset: start, sentBytes }
}

async function next(
  file: FileHandle,
  start: number,
  size: number,
  { taken, wholeLinesOnly, buffer }: Sending,
): Promise<Part | null> {
  if (taken.whole) return start < size ? { start, end: size, lineFeeds: 0, torn: false } : null
  return findPart(file, start, size, { target: limits.partBytesTarget, takeTorn: !wholeLinesOnly, buffer })
}

async function sendOne(
  file: FileHandle,
  part: Part,
  about: { ingest: IngestClient; kind: Taken['kind']; name: string; streamId: string | null; more: boolean },
): Promise<IngestAnswer> {
  const length = part.end - part.start
  let digest = ''
  const body = (): Readable =>
    Readable.from(
      (async function* () {
        const hash = createHash('sha256')
        let position = part.start
        while (position < part.end) {
          const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, part.end - position))
          const { bytesRead } = await file.read(chunk, 0, chunk.length, position)
          if (bytesRead === 0) throw new FileChanged(importText.shrank)
          position += bytesRead
          hash.update(chunk.subarray(0, bytesRead))
          yield chunk.subarray(0, bytesRead)
        }
        digest = hash.digest('hex')
      })(),
      { objectMode: false, highWaterMark: chunkBytes },
    )
  try {
    const answer = await about.ingest.sendPart({ ...about, start: part.start, length, body })
    if (digest !== '' && answer.originalSha256 !== digest) throw new FileChanged(importText.differentData)
    return answer
  } catch (error) {
    // The server counts lines within what it was sent; the reader counts them in the file.
    if (error instanceof PartRefused && part.start > 0) {
      throw new PartRefused(
        error.status,
        error.slug,
        importText.countedFrom({ reason: error.message, start: part.start }),
      )
    }
    throw error
  }
}
