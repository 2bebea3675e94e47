import { createReadStream, createWriteStream, mkdtempSync, rmSync, type Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { beginsLikeJson, markLength } from '@/lib/bytes/lines'
import { looksBinary } from '@/lib/bytes/record-spans'
import { cutAtWord, oneLine } from '@/lib/text/visible'
import { formatBytes } from '@/lib/text/amounts'
import { verifyText } from '@/lib/words/cli/verify'
import { CliFailure } from '../exit-codes'
import { DatabaseProblem } from '../receipts/database-problem'
import { databaseSource, type OpenDatabase } from './database-source'
import { documentSource } from './document-source'
import { lineSource } from './line-source'
import { membersOf } from './members'
import { receiptFileSource } from './receipt-file-source'
import type { Source } from './source'

/** Only an exported file is a page. */
const htmlStart = /^(?:\xef\xbb\xbf)?\s*<!doctype html>/i

const sqliteMagic = Buffer.from('SQLite format 3\0', 'latin1')

/** As much as is looked at to tell what an input is. */
const headBytes = 1024 * 1024

/** A document that is no sequence of lines is read whole. */
const documentBytesMax = 1024 * 1024 * 1024

export interface OpenSource extends Pick<OpenDatabase, 'onRows' | 'signal'> {
  stdin: Readable
}

/** Name of an input in its messages. */
export const inputName = (path: string): string =>
  path === '-' ? 'standard input' : path === '' ? 'An empty name' : cutAtWord(oneLine(path), 200)

/**
 * Opens what holds receipts, by what its bytes say it is. Null when it contains nothing at all.
 *
 * @throws CliFailure `usage` for what cannot be read, or is nothing of the kind
 */
export async function openSource(path: string, { stdin, ...options }: OpenSource): Promise<Source | null> {
  const name = inputName(path)
  try {
    const info = path === '-' ? null : await stat(path)
    if (info?.isDirectory()) throw new CliFailure('usage', verifyText.isFolder({ name }))
    const input = info === null ? stdin : createReadStream(path)
    const { head, ended, chunks } = await peek(input)
    if (head.length === 0) return null
    const close = (): void => void input.destroy()
    const isDatabase = head.subarray(0, sqliteMagic.length).equals(sqliteMagic)
    return isDatabase
      ? await openDatabase(path, info, chunks, { ...options, name, close })
      : await openText(name, head, ended, chunks, close)
  } catch (error) {
    throw problemOf(name, error)
  }
}

/** The message for an error of an input. */
export function problemOf(name: string, error: unknown): unknown {
  if (error instanceof DatabaseProblem)
    return new CliFailure(error.kind === 'unsupported' ? 'failed' : 'usage', `${name}: ${error.words}.`, {
      cause: error,
    })
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new CliFailure('usage', `${name}: file not found.`, { cause: error })
  // Only the file system is the input's matter.
  return syscall === undefined
    ? error
    : new CliFailure('usage', verifyText.unreadable({ name, code }), { cause: error })
}

/** A database is read where it lies, with its log beside it; one that comes through a pipe is laid down first. */
async function openDatabase(
  path: string,
  info: Stats | null,
  chunks: AsyncIterable<Buffer>,
  options: OpenDatabase,
): Promise<Source> {
  if (info?.isFile()) {
    options.close?.()
    return databaseSource(path, { ...options, close: undefined })
  }
  const folder = mkdtempSync(join(tmpdir(), 'inquest-verify-'))
  const close = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    await pipeline(Readable.from(chunks), createWriteStream(join(folder, 'piped.db'), { mode: 0o600 }))
    return await databaseSource(join(folder, 'piped.db'), { ...options, close })
  } catch (error) {
    close()
    throw error
  }
}

async function openText(
  name: string,
  head: Buffer,
  ended: boolean,
  chunks: AsyncIterable<Buffer>,
  close: () => void,
): Promise<Source | null> {
  if (ended && firstByte(head) === undefined) return null
  if (htmlStart.test(head.toString('latin1', 0, 32))) return receiptFileSource(chunks, close)
  if (!beginsLikeJson(head, markLength(head), head.length)) {
    throw new CliFailure('usage', verifyText.notReceipts({ name, isBinary: looksBinary(head) }))
  }
  if (areLines(head)) return lineSource(chunks, close)
  const bytes = await readWhole(name, chunks)
  const document = documentSource(bytes)
  if (document !== null) return document
  if (firstByte(bytes) === 0x5b) {
    throw new CliFailure('usage', verifyText.notJsonList({ name }))
  }
  return lineSource(Readable.from([bytes]), close)
}

const firstByte = (bytes: Buffer): number | undefined =>
  bytes.subarray(markLength(bytes)).find((byte) => byte !== 32 && byte !== 9 && byte !== 10 && byte !== 13)

/** Whether the first line is an object of its own, and no list of receipts. */
function areLines(head: Buffer): boolean {
  if (firstByte(head) !== 0x7b) return false
  const open = head.indexOf(0x7b)
  const lineEnd = head.indexOf(10, open)
  if (lineEnd === -1) return false
  const { members, end } = membersOf(head, open, ['receipts', 'credentialSubject'])
  return end <= lineEnd + 1 && (members.has('credentialSubject') || !members.has('receipts'))
}

async function readWhole(name: string, chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    pieces.push(chunk)
    length += chunk.length
    if (length <= documentBytesMax) continue
    const most = formatBytes(documentBytesMax)
    throw new CliFailure('usage', verifyText.documentTooLarge({ name, most }))
  }
  return Buffer.concat(pieces)
}

/** The beginning of an input, and all of it from its beginning on. */
async function peek(
  input: Readable,
): Promise<{ head: Buffer; ended: boolean; chunks: AsyncIterable<Buffer> }> {
  const iterator = input[Symbol.asyncIterator]() as AsyncIterator<Buffer | string>
  const pieces: Buffer[] = []
  let length = 0
  let ended = false
  while (!ended && length < headBytes) {
    const next = await iterator.next()
    if (next.done === true) ended = true
    else {
      pieces.push(bytesOf(next.value))
      length += pieces.at(-1)!.length
    }
  }
  async function* chunks(): AsyncGenerator<Buffer, void, undefined> {
    yield* pieces
    while (!ended) {
      const next = await iterator.next()
      if (next.done === true) return
      yield bytesOf(next.value)
    }
  }
  return { head: Buffer.concat(pieces), ended, chunks: chunks() }
}

const bytesOf = (chunk: Buffer | string): Buffer => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
