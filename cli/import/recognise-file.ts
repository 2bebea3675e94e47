import { detectionText } from '@/lib/words/detection'
import type { FileHandle } from 'node:fs/promises'
import { basename, sep } from 'node:path'
import { adapterOf } from '@/lib/formats/adapters'
import { isLogDocument, logFileName } from '@/lib/formats/autoskillit/layout'
import { detectFormat } from '@/lib/formats/detect'
import { isListOfRecords } from '@/lib/bytes/list-of-records'
import { documentSpans } from '@/lib/bytes/json-spans'
import { peekPart } from '@/lib/formats/peek-part'
import { streamIdentity } from '@/lib/formats/stream-identity'
import { limits } from '@/lib/limits'
import { findPart } from './parts'
import { readAt } from './read-at'
import type { Left, Recognise, Recognition, Taken } from './recognise'
import { isOfCache, RUN_RECORD, runAround } from './run-folder'
import { openFile } from './send-file'
import type { FoundFile } from './walk'
import { isLoose, type IngestKind } from '@/lib/model/ingest-kinds'
import { importText } from '@/lib/words/cli/import'

const headBytes = 64 * 1024

/** A first line beyond this is not read here to name the stream: the server names it, and takes what it has as duplicates. */
const peekBytesMax = 16 * 1024 * 1024

const sqliteMagic = Buffer.from('SQLite format 3\0')

/** Endings of files that hold records: one of them that is not taken is worth a failing status, a picture is not. */
const recordFile = /\.(jsonl|ndjson)$/i

/** Says what a file is, from its first bytes, and which stream it continues. */
export const recogniseFile: Recognise = async (file) => {
  const handle = await openFile(file.path)
  try {
    const info = await handle.stat()
    if (!info.isFile()) return { left: { because: 'not a regular file', unfit: true } }
    const head = await readAt(handle, 0, Math.min(headBytes, info.size))
    if (!file.named && (await runAround(file.path)) !== null)
      return {
        left: { because: importText.sentWithRun({ record: RUN_RECORD }), unfit: false, along: true },
      }
    if (!file.named && (await isOfCache(file.path)))
      return {
        left: { because: importText.pipelineCache, unfit: false },
      }
    // The folder of a run says whose the files in it are, also when the import begins inside of it.
    const logName = logFileName(file.path.split(sep).join('/'))
    if (head.subarray(0, sqliteMagic.length).equals(sqliteMagic))
      return { taken: { kind: 'receipts', streamId: null, whole: true, database: true } }
    // What claude-code-action leaves when its agent failed before the first message.
    if (info.size <= headBytes && isListOfRecords(head) === 'empty')
      return { left: { because: importText.emptyList, unfit: false } }
    const detection = detectFormat({ head, fileName: logName ?? file.name })
    if (detection.status !== 'supported')
      return { left: leftBecause(detection.status, detectionText(detection.why), file) }
    const { kind } = detection
    if (kind === 'async-pipeline' && basename(file.path) === RUN_RECORD)
      return { taken: { kind, streamId: null, whole: true, run: true } }
    if (kind === 'autoskillit') return { taken: await takenLog(head, logName ?? file.name) }
    return await taken(handle, head, info.size, kind, file)
  } finally {
    await handle.close()
  }
}

function leftBecause(
  status: 'recognised' | 'unknown' | 'empty' | 'binary',
  reason: string,
  file: FoundFile,
): Left {
  // It may quote the file's first lines; a reason is one line.
  const why = reason.replace(/\s+/g, ' ')
  if (status === 'recognised')
    return { because: importText.unsupportedFormat({ why }), unfit: true, unsupported: true }
  if (status === 'empty') return { because: why, unfit: file.named }
  return {
    because: status === 'binary' ? why : `not recognised: ${why}`,
    unfit: file.named || recordFile.test(file.name),
  }
}

async function takenLog(head: Buffer, name: string): Promise<Taken> {
  const kind = 'autoskillit'
  const whole = isLogDocument(name) || documentSpans(head) !== null
  // Each line of the index is known by itself, wherever it is in the file now; other files are named by their paths.
  const { streamId } = adapterOf(kind).linesStandAlone!(name)
    ? { streamId: null }
    : await identityOf(kind, head, name)
  return { kind, whole, streamId, name }
}

async function taken(
  handle: FileHandle,
  head: Buffer,
  size: number,
  kind: IngestKind,
  file: FoundFile,
): Promise<Recognition> {
  const whole = documentSpans(head) !== null
  // Frames and receipts have no file to be a part of: each is known by itself.
  if (isLoose(kind)) return { taken: { kind, streamId: null, whole } }
  const end = whole
    ? size
    : ((
        await findPart(handle, 0, size, {
          target: limits.partBytesTarget,
          takeTorn: true,
          buffer: Buffer.alloc(headBytes),
        })
      )?.end ?? 0)
  // The first lines name the session of nearly every file; only when they do not is as much read as the server will look at.
  const lastLine = whole ? -1 : head.lastIndexOf(0x0a)
  if (lastLine !== -1 && end > lastLine + 1) {
    const early = await peekPart(kind, head.subarray(0, lastLine + 1), null)
    if (early.sessionId !== null && early.firstLineDigest !== '')
      return {
        taken: { kind, whole, ...(await identityOf(kind, head.subarray(0, lastLine + 1), file.name)) },
      }
  }
  if (end > peekBytesMax) return { taken: { kind, streamId: null, whole } }
  return { taken: { kind, whole, ...(await identityOf(kind, await readAt(handle, 0, end), file.name)) } }
}

async function identityOf(
  kind: IngestKind,
  bytes: Buffer,
  fileName: string,
): Promise<Pick<Taken, 'streamId' | 'sessionId'>> {
  const peek = await peekPart(kind, bytes, fileName)
  return peek.firstLineDigest === ''
    ? { streamId: null }
    : { streamId: streamIdentity({ kind, ...peek }), sessionId: peek.sessionId }
}
