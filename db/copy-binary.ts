import { once } from 'node:events'
import type { Tx } from './client'

/** How a column is spelled in COPY's binary format (PostgreSQL documentation, COPY, "Binary Format"). */
export type CopyType =
  | 'uuid'
  | 'text'
  | 'int4'
  | 'int8'
  | 'float8'
  | 'bool'
  | 'timestamptz'
  | 'jsonb'
  | 'bytea'

export interface CopyColumn<Row> {
  name: string
  type: CopyType
  value: (row: Row) => unknown
}

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1)
const CHUNK_BYTES = 256 * 1024
/** Most rows of a small session fit in; buffers that are made large and thrown away cost more in collecting than in filling. */
const FIRST_BYTES = 16 * 1024

/** Grows by doubling and is handed over in chunks: a row never exists as an array of small buffers. */
class Writer {
  private buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)
  /** What is before the buffer. */
  private before: Uint8Array[] = []
  private length = 0
  /** Bytes that were written and not taken. */
  get pending(): number {
    return this.before.reduce((sum, bytes) => sum + bytes.length, this.length)
  }

  private room(bytes: number): void {
    if (this.length + bytes <= this.buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.buffer.length * 2, this.length + bytes))
    this.buffer.copy(larger, 0, 0, this.length)
    this.buffer = larger
  }
  int16(n: number): void {
    this.room(2)
    this.length = this.buffer.writeInt16BE(n, this.length)
  }
  int32(n: number): void {
    this.room(4)
    this.length = this.buffer.writeInt32BE(n, this.length)
  }
  /** `times` is a factor that may lead out of the range in which numbers are exact; within it two halves are quicker than a `bigint`. */
  int64(whole: number, times = 1): void {
    this.room(8)
    const n = whole * times
    if (!Number.isSafeInteger(n)) {
      // What is no whole number at all is refused here.
      this.length = this.buffer.writeBigInt64BE(BigInt(whole) * BigInt(times), this.length)
      return
    }
    this.length = this.buffer.writeInt32BE(Math.floor(n / 2 ** 32), this.length)
    this.length = this.buffer.writeUInt32BE(n - Math.floor(n / 2 ** 32) * 2 ** 32, this.length)
  }
  float64(n: number): void {
    this.room(8)
    this.length = this.buffer.writeDoubleBE(n, this.length)
  }
  byte(n: number): void {
    this.room(1)
    this.length = this.buffer.writeUInt8(n, this.length)
  }
  /** Large ones are handed on as they are, not copied: nobody may change them before they are sent. */
  bytes(bytes: Uint8Array): void {
    if (bytes.length >= CHUNK_BYTES) {
      this.before.push(this.buffer.subarray(0, this.length), bytes)
      this.buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)
      this.length = 0
      return
    }
    this.room(bytes.length)
    this.buffer.set(bytes, this.length)
    this.length += bytes.length
  }
  /** Text with its length in front, `extra` more bytes counted in. */
  sized(text: string, prefix: number | null = null): void {
    const most = text.length * 3 + 5
    this.room(most)
    const start = this.length + 4 + (prefix === null ? 0 : 1)
    if (prefix !== null) this.buffer.writeUInt8(prefix, this.length + 4)
    const written = this.buffer.write(text, start, 'utf8')
    this.buffer.writeInt32BE(written + (prefix === null ? 0 : 1), this.length)
    this.length = start + written
  }
  /** What is written so far, to be sent; the next bytes go into a buffer of the size that the last one came to. */
  take(more: boolean): Uint8Array[] {
    const full = [...this.before, this.buffer.subarray(0, this.length)]
    if (more) this.buffer = Buffer.allocUnsafeSlow(this.buffer.length)
    this.before = []
    this.length = 0
    return full
  }
}

/** The driver copies what it is handed, and so does the socket: a large document would be held three times. */
const PIECE_BYTES = 1024 * 1024

function* piecesOf(chunks: readonly Uint8Array[]): Generator<Uint8Array, void, undefined> {
  for (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES)
}

const UUIDS_MAX = 64
const uuids = new Map<string, Buffer>()

/** The rows of one COPY repeat a few ids. */
function uuidBytes(text: string): Buffer {
  const known = uuids.get(text)
  if (known) return known
  const bytes = Buffer.from(text.replaceAll('-', ''), 'hex')
  if (uuids.size >= UUIDS_MAX) uuids.clear()
  uuids.set(text, bytes)
  return bytes
}

function writeValue(out: Writer, type: CopyType, value: unknown): void {
  if (value === null || value === undefined) return out.int32(-1)
  switch (type) {
    case 'uuid':
      out.int32(16)
      return out.bytes(uuidBytes(value as string))
    case 'text':
      return out.sized(value as string)
    case 'jsonb':
      return out.sized(value as string, 1)
    case 'int4':
      out.int32(4)
      return out.int32(value as number)
    case 'int8':
      out.int32(8)
      return out.int64(value as number)
    case 'float8':
      out.int32(8)
      return out.float64(value as number)
    case 'bool':
      out.int32(1)
      return out.byte(value === true ? 1 : 0)
    case 'timestamptz':
      out.int32(8)
      return out.int64(Date.parse(value as string) - POSTGRES_EPOCH_MS, 1000)
    case 'bytea':
      out.int32((value as Uint8Array).length)
      return out.bytes(value as Uint8Array)
  }
}

/**
 * Adds rows by `COPY … (format binary)`: no text to escape, and bytes go as they are. `jsonb` values are given as JSON text.
 *
 * @throws the server's error, with its SQLSTATE, or what is wrong with a value; the transaction is over then
 */
export async function copyRows<Row>(
  tx: Tx,
  table: string,
  columns: readonly CopyColumn<Row>[],
  rows: Iterable<Row>,
): Promise<number> {
  const names = columns.map((column) => column.name).join(', ')
  const query = tx.unsafe(`copy ${table} (${names}) from stdin with (format binary)`)
  const stream = await query.writable()
  const failed = new Promise<never>((_, reject) => {
    stream.once('error', reject)
    // postgres.js rejects the query that has long been answered with the stream when the server refuses the rows after their end,
    // and forgets the stream: without this the refusal would never be heard of.
    ;(query as unknown as { reject: (error: unknown) => void }).reject = reject
  })
  failed.catch(() => {})
  const out = new Writer()
  out.bytes(SIGNATURE)
  let count = 0
  for (const row of rows) {
    try {
      out.int16(columns.length)
      for (const column of columns) writeValue(out, column.type, column.value(row))
    } catch (error) {
      // Tells the server to forget the rows: the connection could not even be rolled back in the middle of a COPY.
      stream.destroy(error as Error)
      throw error
    }
    count++
    if (out.pending < CHUNK_BYTES) continue
    for (const piece of piecesOf(out.take(true)))
      if (!stream.write(piece)) await Promise.race([once(stream, 'drain'), failed])
  }
  out.int16(-1)
  for (const chunk of out.take(false)) stream.write(chunk)
  stream.end()
  await Promise.race([once(stream, 'finish'), failed])
  return count
}
