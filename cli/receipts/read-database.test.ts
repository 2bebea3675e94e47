import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { insertSql, startWriter, type ReceiptWriter } from '../testing/receipt-writer'
import { openReceipts, type ReceiptRow, type Rowid } from './read-database'

let folder: string
let path: string
let copies: string
let writer: ReceiptWriter | null = null
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inquest-db-'))
  path = join(folder, 'owner', 'receipts.db')
  copies = join(folder, 'copies')
  mkdirSync(join(folder, 'owner'))
  mkdirSync(copies)
})
afterEach(async () => {
  await writer?.kill()
  writer = null
  rmSync(folder, { recursive: true, force: true })
})

async function readAll(file: string, after?: Rowid, pageRows?: number): Promise<ReceiptRow[]> {
  const database = await openReceipts(file, copies)
  try {
    return [...database.pages(after, pageRows)].flat()
  } finally {
    database.close()
    expect(readdirSync(copies)).toEqual([])
  }
}
const owned = (mode: 'wal' | 'delete'): Promise<ReceiptWriter> =>
  startWriter(path, mode).then((started) => (writer = started))
const numberOf = (row: ReceiptRow): number => {
  const { n, pad } = JSON.parse(Buffer.from(row.receiptJson!).toString()) as { n: number; pad: string }
  if (pad !== '' && pad !== `${n} `.repeat(n % 400)) throw new Error(`row ${n} is not whole`)
  return n
}
const upTo = (last: number): number[] => Array.from({ length: last }, (_, i) => i + 1)

const recorded = resolve(import.meta.dirname, '../../../shared/conformance/receipts/db')
// The recorded databases are not part of the repository.
describe.runIf(existsSync(recorded))('a recorded database', () => {
  test.each(['sample', 'legacy'])('%s has the rows that are told of it', async (name) => {
    const expected = JSON.parse(readFileSync(join(recorded, `receipts.${name}.expected.json`), 'utf8')) as {
      rows: number
      by_status: Record<string, number>
      chains: Record<string, { length: number; failures: number }>
    }
    const rows = await readAll(join(recorded, `receipts.${name}.db`), 0, 7)
    expect(rows.map(({ rowid }) => rowid)).toEqual(upTo(expected.rows))
    const receipts = rows.map(
      ({ receiptJson }) =>
        JSON.parse(Buffer.from(receiptJson!).toString()).credentialSubject as {
          outcome: { status: string }
          chain: { chain_id: string }
        },
    )
    const count = (keys: string[]): Record<string, number> =>
      keys.reduce<Record<string, number>>((counts, key) => ({ ...counts, [key]: (counts[key] ?? 0) + 1 }), {})
    expect(count(rows.map(({ columns }) => String(columns.status)))).toEqual(expected.by_status)
    expect(count(receipts.map(({ outcome }) => outcome.status))).toEqual(expected.by_status)
    expect(count(rows.map(({ columns }) => String(columns.chain_id)))).toEqual(
      Object.fromEntries(Object.entries(expected.chains).map(([chain, { length }]) => [chain, length])),
    )
    expect('tool_name' in rows[0]!.columns).toBe(name === 'sample')
    expect('receipt_json' in rows[0]!.columns).toBe(false)
  })

  test('is read on behind a rowid', async () => {
    expect((await readAll(join(recorded, 'receipts.sample.db'), 30)).map(({ rowid }) => rowid)).toEqual([
      31, 32,
    ])
    expect(await readAll(join(recorded, 'receipts.sample.db'), 32)).toEqual([])
  })
})

describe('while its owner writes', () => {
  test('what only the log holds is read, and nothing is left beside the original', async () => {
    await (await owned('wal')).run(insertSql(1, 5))
    const before = readdirSync(join(folder, 'owner'))
    expect(before).toContain('receipts.db-wal')
    expect((await readAll(path)).map(numberOf)).toEqual(upTo(5))
    expect(readdirSync(join(folder, 'owner'))).toEqual(before)
  })

  test('a file that nobody may write is read', async () => {
    await (await owned('delete')).run(insertSql(1, 2))
    chmodSync(path, 0o444)
    expect(await readAll(path)).toHaveLength(2)
  })

  test.each(['wal', 'delete'] as const)('a change that has not ended is not read (%s)', async (mode) => {
    const { run } = await owned(mode)
    await run(insertSql(1, 3))
    await run(`begin exclusive; ${insertSql(4, 900)}`)
    expect((await readAll(path)).map(numberOf)).toEqual(upTo(3))
    await run('commit')
    expect((await readAll(path)).map(numberOf)).toEqual(upTo(900))
  })

  test('every look finds whole rows without a gap, and never fewer than the one before', async () => {
    const { run } = await owned('wal')
    await run('loop')
    let seen = 0
    let grew = 0
    for (let look = 0; look < 15; look++) {
      const numbers = (
        await readAll(path).catch((error: unknown) => {
          // Honest: it says that it could not, and guesses nothing.
          if ((error as { kind?: string }).kind === 'busy') return null
          throw error
        })
      )?.map(numberOf)
      if (numbers === undefined) continue
      expect(numbers).toEqual(upTo(numbers.length))
      expect(numbers.length).toBeGreaterThanOrEqual(seen)
      if (numbers.length > seen) grew++
      seen = numbers.length
    }
    expect(grew).toBeGreaterThan(2)
  }, 60_000)

  test('an owner that was killed in the middle leaves what it had ended', async () => {
    const { run, kill } = await owned('delete')
    await run(insertSql(1, 3))
    await run(`begin; ${insertSql(4, 900)}`)
    await kill()
    expect(existsSync(`${path}-journal`)).toBe(true)
    expect((await readAll(path)).map(numberOf)).toEqual(upTo(3))
  })
})

describe('a file that cannot be read says why', () => {
  const kindOf = (file: string): Promise<unknown> =>
    readAll(file).then(
      () => 'read',
      (error: { kind?: string; message: string }) => [error.kind, error.message.startsWith(file)],
    )

  test.each<[string, Uint8Array, string]>([
    ['no database', Buffer.from('hello world '.repeat(1_000)), 'not_a_database'],
    ['nothing', Buffer.alloc(0), 'no_receipts'],
    ['the head of a database', Buffer.from('SQLite format 3\0'), 'damaged'],
  ])('%s', async (_, bytes, kind) => {
    writeFileSync(path, bytes)
    expect(await kindOf(path)).toEqual([kind, true])
  })

  test('none at all, and a folder', async () => {
    expect([await kindOf(path), await kindOf(folder)]).toEqual([
      ['absent', true],
      ['unreadable', true],
    ])
  })

  test('another database', async () => {
    const { run } = await owned('delete')
    await run('drop table receipts; create table other (receipt_json text)')
    expect(await kindOf(path)).toEqual(['no_receipts', true])
    await run('create view receipts as select 1 as receipt_json')
    expect(await kindOf(path)).toEqual(['no_receipts', true])
  })

  test('a truncated one', async () => {
    await (await owned('delete')).run(insertSql(1, 200))
    const copy = join(folder, 'cut.db')
    copyFileSync(path, copy)
    truncateSync(copy, 4_096)
    expect(await kindOf(copy)).toEqual(['damaged', true])
  })

  test('one that is damaged further on, behind the rows that are good', async () => {
    await (await owned('delete')).run(insertSql(1, 500))
    const bytes = readFileSync(path)
    bytes.fill(0xff, bytes.indexOf('{"n":400,') - 200, bytes.indexOf('{"n":400,') + 2_000)
    const copy = join(folder, 'worn.db')
    writeFileSync(copy, bytes)
    const database = await openReceipts(copy, copies)
    const good: ReceiptRow[] = []
    expect(() => {
      for (const rows of database.pages(0, 50)) good.push(...rows)
    }).toThrow(expect.objectContaining({ kind: 'damaged' }))
    database.close()
    expect(good.length).toBeGreaterThanOrEqual(300)
    expect(good.map(numberOf)).toEqual(upTo(good.length))
  })
})

test('texts that are not UTF-8, numbers above 2^53 and NUL are handed on', async () => {
  const { run } = await owned('wal')
  await run(
    "alter table receipts add column sequence integer; insert into receipts values (cast(x'ff' as text), 'c', 's', cast(x'7b00ff7d' as text), 9007199254740993)",
  )
  const [row] = await readAll(path)
  expect([...row!.receiptJson!]).toEqual([0x7b, 0, 0xff, 0x7d])
  expect(row!.columns.sequence).toBe(9007199254740993n)
})
