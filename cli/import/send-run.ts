import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { IngestAnswer } from '@/lib/api/ingest-schemas'
import { bundleRun, type FolderFile } from '@/lib/formats/async-pipeline/bundle'
import { peekPart } from '@/lib/formats/peek-part'
import { streamIdentity } from '@/lib/formats/stream-identity'
import type { IngestClient } from './ingest-client'
import { readPatches, readRunFolder, runIdIn } from './run-folder'

export interface SendingRun {
  ingest: IngestClient
  /** The folder of the run. */
  folder: string
  name: string
  signal: AbortSignal
  onAnswer(answer: IngestAnswer): void
}

const kind = 'async-pipeline'

/**
 * Sends the files of a run as one document, and the patches that its tasks left in the cache as another, so that what the cache has lost since makes
 * no other run of it. What the server has already is not sent again. @returns bytes that were sent
 */
export async function sendRun(sending: SendingRun): Promise<number> {
  const { name, files } = await readRunFolder(sending.folder)
  const patches = await readPatches(sending.folder, files[0]!.bytes)
  const sent = await sendBundle(sending, name, files)
  return patches.length === 0
    ? sent
    : sent + (await sendBundle(sending, runIdIn(files[0]!.bytes) ?? name, patches))
}

async function sendBundle(
  { ingest, name, signal, onAnswer }: SendingRun,
  run: string,
  files: readonly FolderFile[],
): Promise<number> {
  signal.throwIfAborted()
  const body = Buffer.from(bundleRun(run, files))
  const streamId = streamIdentity({ kind, ...(await peekPart(kind, body, null)) })
  const standing = await ingest.readStanding(streamId)
  const digest = createHash('sha256').update(body).digest('hex')
  if (
    standing?.parts.some((part) => part.offset === 0 && part.length === body.length && part.sha256 === digest)
  )
    return 0
  // A run that has gone on since is another document, which the server keeps beside the first.
  onAnswer(
    await ingest.sendPart({
      kind,
      name,
      streamId,
      start: 0,
      length: body.length,
      more: false,
      body: () => Readable.from([body]),
    }),
  )
  return body.length
}
