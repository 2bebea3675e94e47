import { detectionText } from '@/lib/words/detection'
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { readExecutions, type ReadExecutions } from '@/lib/analysis/read-executions'
import { isListOfRecords } from '@/lib/bytes/list-of-records'
import { bundleRun } from '@/lib/formats/async-pipeline/bundle'
import { logFileName } from '@/lib/formats/autoskillit/layout'
import type { CiStep } from '@/lib/formats/record/ci-step-line'
import { detectFormat, type Detection } from '@/lib/formats/detect'
import { limits } from '@/lib/limits'
import type { IngestKind } from '@/lib/model/ingest-kinds'
import { formatBytes } from '@/lib/text/amounts'
import { redactLine } from '@/lib/text/redaction/redact'
import { explainText } from '@/lib/words/cli/explain'
import { PartRefused } from '../import/ingest-client'
import { DatabaseProblem } from '../receipts/database-problem'
import { readRunFolder, RUN_RECORD, runAround } from '../import/run-folder'
import { readReceiptLines } from './read-receipt-lines'

/** What a file holds, or why nothing can be said of it. */
export type FileRead =
  | ({ status: 'read'; kind: IngestKind; isList: boolean } & ReadExecutions)
  | { status: 'empty_list' }
  | { status: 'missing' }
  | { status: 'unreadable'; because: string }

interface Asked {
  path: string
  /** What `-` stands for. */
  stdin: AsyncIterable<Uint8Array>
  failureTag: string
  ciStep: CiStep
}

const headBytes = 64 * 1024

/** Reads one of the named files; what is wrong with it is an answer, so that the others are explained all the same. */
export async function readNamedFile({ path, stdin, ...rest }: Asked): Promise<FileRead> {
  // A CI system that knows of no file gives an empty name.
  if (path === '') return { status: 'missing' }
  try {
    const found = path === '-' ? { bytes: await readAll(stdin), fileName: null } : await load(resolve(path))
    return await understand(found, rest)
  } catch (error) {
    if (error instanceof Unreadable || error instanceof PartRefused || error instanceof DatabaseProblem)
      return { status: 'unreadable', because: error.message }
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return { status: 'missing' }
    if (code === undefined) throw error
    return { status: 'unreadable', because: explainText.notOpened({ code }) }
  }
}

class Unreadable extends Error {}

interface Loaded {
  bytes: Uint8Array
  fileName: string | null
  kind?: IngestKind
}

/** The bytes of a file; of a run folder those of all its files, of a database those of its receipts. */
async function load(path: string): Promise<Loaded> {
  const info = await stat(path)
  const record = info.isDirectory() ? join(path, RUN_RECORD) : path
  const folder = basename(record) === RUN_RECORD ? dirname(record) : await runAround(path)
  if (folder !== null && (await isFile(join(folder, RUN_RECORD)))) {
    const { name, files } = await readRunFolder(folder)
    return { bytes: bundleRun(name, files), fileName: null }
  }
  if (info.isDirectory()) throw new Unreadable(explainText.isFolder)
  // A pipe that nobody writes to would never end; one that the shell made for this command does.
  if (!info.isFile() && !SHELL_PIPE.test(path)) throw new Unreadable(explainText.notRegular)
  if (info.size > limits.explainBytesMax) throw new Unreadable(tooLarge(info.size))
  const slashes = path.split(sep).join('/')
  const bytes = await readFile(path)
  const lines = await readReceiptLines(bytes, path)
  if (lines !== null) return { bytes: lines, fileName: null, kind: 'receipts' }
  return { bytes, fileName: logFileName(slashes) ?? slashes }
}

const SHELL_PIPE = /^\/(?:dev|proc\/self)\/fd\/\d+$/

const isFile = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isFile() ?? false

const tooLarge = (bytes: number): string =>
  explainText.tooLarge({ size: formatBytes(bytes), max: formatBytes(limits.explainBytesMax) })

async function readAll(input: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of input) {
    bytes += chunk.length
    if (bytes > limits.explainBytesMax) throw new Unreadable(tooLarge(bytes))
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function understand(
  { bytes, fileName, kind }: Loaded,
  asked: Pick<Asked, 'failureTag' | 'ciStep'>,
): Promise<FileRead> {
  const list = isListOfRecords(bytes)
  if (list === 'empty') return { status: 'empty_list' }
  const detection =
    kind === undefined
      ? detectFormat({ head: bytes.subarray(0, headBytes), fileName })
      : { status: 'supported' as const, kind }
  if (detection.status !== 'supported')
    return { status: 'unreadable', because: await becauseOf(detection, bytes.subarray(0, headBytes)) }
  const read = await readExecutions({ kind: detection.kind, bytes, fileName, ...asked })
  return { status: 'read', kind: detection.kind, isList: list === 'list', ...read }
}

/** Why a file is not read. It may quote the beginning of the file, unless a secret is there: half of one would not be found. */
async function becauseOf(
  { status, why }: Exclude<Detection, { status: 'supported' }>,
  head: Uint8Array,
): Promise<string> {
  if (status === 'recognised') return explainText.noReader({ why: detectionText(why) })
  const { marks } = await redactLine(new TextDecoder().decode(head))
  return marks.length > 0
    ? explainText.unknownFormat
    : explainText.unknown({ why: detectionText(why).replace(/\s+/g, ' ') })
}
