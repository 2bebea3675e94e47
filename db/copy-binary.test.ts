import { Writable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import type { Tx } from './client'
import { testDb } from './testing/test-db'
import { copyRows } from './copy-binary'

const db = await testDb({ max: 1 })
afterAll(() => db.close())

interface Row {
  id: string
  n: number | null
  at: string | null
  text: string | null
}
const columns = [
  { name: 'id', type: 'uuid' as const, value: (row: Row) => row.id },
  { name: 'n', type: 'int8' as const, value: (row: Row) => row.n },
  { name: 'at', type: 'timestamptz' as const, value: (row: Row) => row.at },
  { name: 'text', type: 'text' as const, value: (row: Row) => row.text },
]
const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

test('numbers, times and texts come back as they went in, up to the ends of their ranges', async () => {
  const rows: Row[] = [
    { id: uuid(1), n: 0, at: '2000-01-01T00:00:00.000Z', text: '' },
    { id: uuid(2), n: -1, at: '1999-12-31T23:59:59.999Z', text: 'a\tb\n\\N' },
    { id: uuid(3), n: 2 ** 32 - 1, at: '0001-01-01T00:00:00.000Z', text: '日本' },
    { id: uuid(4), n: 2 ** 32, at: '9999-12-31T23:59:59.999Z', text: '😀' },
    { id: uuid(5), n: -(2 ** 32) - 1, at: '2026-11-22T02:55:00.123Z', text: null },
    { id: uuid(6), n: Number.MAX_SAFE_INTEGER, at: '2255-06-05T23:47:34.741Z', text: 'x'.repeat(700_000) },
    { id: uuid(7), n: Number.MIN_SAFE_INTEGER, at: null, text: null },
    { id: uuid(8), n: null, at: '2285-06-05T23:47:34.741Z', text: 'é'.repeat(3) },
    // More ids than are remembered.
    ...Array.from(
      { length: 200 },
      (_, i): Row => ({ id: uuid(100 + (i % 130)), n: i, at: null, text: String(i) }),
    ),
  ]
  await db.sql.begin(async (tx) => {
    await tx`create temporary table copied (place serial, id uuid, n int8, at timestamptz, text text) on commit drop`
    expect(await copyRows(tx, 'copied', columns, rows)).toBe(rows.length)
    const back = await tx<
      Row[]
    >`select id, n, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, text from copied order by place`
    expect([...back]).toEqual(rows)
  })
})

test('large bytes stand between what is before and after them, however many rows hold some', async () => {
  const large = [300_000, 10, 262_144, 0, 700_000].map((length, n) => Buffer.alloc(length, n + 1))
  await db.sql.begin(async (tx) => {
    await tx`create temporary table copied (place serial, id uuid, bytes bytea, text text) on commit drop`
    await copyRows(
      tx,
      'copied',
      [
        { name: 'id', type: 'uuid', value: (n: number) => uuid(n) },
        { name: 'bytes', type: 'bytea', value: (n) => large[n] },
        { name: 'text', type: 'text', value: (n) => `after ${n}` },
      ],
      large.keys(),
    )
    const back = await tx<
      { id: string; bytes: Buffer; text: string }[]
    >`select id, bytes, text from copied order by place`
    expect(back.map(({ id, text }) => [id, text])).toEqual(large.map((_, n) => [uuid(n), `after ${n}`]))
    for (const [n, { bytes }] of back.entries()) expect(bytes.equals(large[n]!)).toBe(true)
  })
})

test('large bytes are handed on piece by piece, one at a time', async () => {
  const pieces: number[] = []
  let waiting = 0
  let waitingMost = 0
  const stream = new Writable({
    write(piece: Uint8Array, _encoding, done) {
      pieces.push(piece.length)
      setImmediate(() => {
        waiting -= piece.length
        done()
      })
    },
  })
  const { write } = stream
  stream.write = ((piece: Uint8Array) => {
    waitingMost = Math.max(waitingMost, (waiting += piece.length))
    return write.call(stream, piece, 'utf8')
  }) as typeof stream.write
  const tx = { unsafe: () => ({ writable: () => Promise.resolve(stream) }) } as unknown as Tx
  const column = { name: 'bytes', type: 'bytea' as const, value: (bytes: Uint8Array) => bytes }
  await copyRows(tx, 'any', [column], [Buffer.alloc(20 * 1024 * 1024)])
  expect(pieces.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(20 * 1024 * 1024)
  expect(waitingMost).toBeLessThan(2 * 1024 * 1024)
})

test('what is no time is refused, and nothing is stored', async () => {
  await expect(
    db.sql.begin(async (tx) => {
      await tx`create temporary table copied (id uuid, n int8, at timestamptz, text text) on commit drop`
      await copyRows(tx, 'copied', columns, [{ id: uuid(1), n: 1, at: 'yesterday', text: '' }])
    }),
  ).rejects.toThrow(RangeError)
  // Its connection is fit for use again.
  expect(await db.sql.begin(async (tx) => (await tx`select 1 as one`)[0])).toEqual({ one: 1 })
})
