import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { runCli, startCli, until } from '../testing/run-cli'
import { env, folder, importJson, server, setUpImport } from '../testing/set-up-import'
import { insertSql, startWriter, type ReceiptWriter } from '../testing/receipt-writer'

setUpImport()
let writer: ReceiptWriter | null = null
afterEach(async () => {
  await writer?.kill()
  writer = null
})

const upTo = (last: number, from = 1): number[] => Array.from({ length: last - from + 1 }, (_, i) => from + i)
const numbers = (): number[] => [...server.frames].map((text) => (JSON.parse(text) as { n: number }).n)
const path = (): string => join(folder.path, 'receipts.db')
const own = async (mode: 'wal' | 'delete'): Promise<ReceiptWriter> =>
  (writer = await startWriter(path(), mode))

const recorded = resolve(import.meta.dirname, '../../../shared/conformance/receipts/db/receipts.sample.db')

describe('a database of receipts', () => {
  // The recorded databases are not part of the repository.
  test.runIf(existsSync(recorded))(
    'is imported receipt by receipt, and a second time adds nothing',
    async () => {
      const first = await importJson(recorded)
      expect(first).toMatchObject({
        code: 0,
        files: { 'receipts.sample.db': { status: 'sent' } },
        summary: { records: 32, duplicates: 0 },
      })
      expect(
        [...server.frames].every((text) => JSON.parse(text).credentialSubject.chain.chain_id !== ''),
      ).toBe(true)
      expect(await importJson(recorded)).toMatchObject({
        code: 0,
        files: { 'receipts.sample.db': { status: 'known' } },
        summary: { records: 0, duplicates: 32 },
      })
    },
  )

  test('is read while its owner writes, a receipt over several lines by itself', async () => {
    const { run } = await own('wal')
    await run(
      `drop table receipts; create table receipts (id, chain_id, status, receipt_json); ${insertSql(1, 3)} insert into receipts values ('urn:4', 'c', 'success', '{"n":4,' || char(10) || '"pad":""}'); insert into receipts values ('urn:5', 'c', 's', null); ${insertSql(6, 6)}`,
    )
    expect(await importJson(path())).toMatchObject({
      code: 0,
      files: { 'receipts.db': { status: 'sent', odd: 1 } },
    })
    const bodies = server.requests
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => body.toString())
    expect(bodies).toEqual([
      `${upTo(3)
        .map((n) => `{"n":${n},"pad":""}\n`)
        .join('')}`,
      '{"n":4,\n"pad":""}\n',
      '{"n":6,"pad":""}\n',
    ])
  })

  test('that is damaged, or is none of receipts, is told and fails the import', async () => {
    const { run, kill } = await own('delete')
    await run(insertSql(1, 200))
    await kill()
    truncateSync(path(), 9_000)
    expect(await importJson(path())).toMatchObject({
      code: 1,
      files: { 'receipts.db': { status: 'not-taken', because: expect.stringContaining('damaged') } },
    })
    for (const side of ['', '.lock']) rmSync(`${path()}${side}`, { recursive: true, force: true })
    await (await own('delete')).run('drop table receipts; create table other (a)')
    expect(await importJson(path())).toMatchObject({
      code: 1,
      files: {
        'receipts.db': { status: 'not-taken', because: expect.stringContaining('no receipts table') },
      },
    })
  })

  test('that is damaged behind its first pages is taken as far as it can be read', async () => {
    const { run, kill } = await own('delete')
    for (let n = 1; n < 1_500; n += 100) await run(insertSql(n, n + 99))
    await kill()
    const bytes = readFileSync(path())
    // A page of rows in the last third: those in front of it, the tree above and the highest row are whole.
    const at = Math.floor((bytes.length / 4_096) * 0.7) * 4_096
    bytes.fill(0xff, at, at + 4_096)
    writeFileSync(path(), bytes)
    const { code, files } = await importJson(path())
    const sent = numbers().length
    expect([code, files['receipts.db']]).toMatchObject([
      1,
      {
        status: 'not-taken',
        because: expect.stringMatching(
          new RegExp(`damaged.*; ${sent.toLocaleString('en')} receipts before that were taken$`),
        ),
      },
    ])
    expect(sent).toBeGreaterThan(500)
    expect(numbers()).toEqual(upTo(sent))
  })

  test('whose columns say otherwise than its receipts is told, and so are rivals; the receipts count', async () => {
    const { run } = await own('wal')
    const json = (n: number, status: string): string =>
      `'{"n":${n},"id":"urn:${n}","credentialSubject":{"chain":{"chain_id":"c"},"action":{},"outcome":{"status":"${status}"}}}'`
    await run(
      Array.from(
        { length: 6 },
        (_, i) =>
          `insert into receipts values ('urn:${i + 1}', 'c', 'success', ${json(i + 1, i === 2 ? 'failure' : 'success')});`,
      ).join(' '),
    )
    await run(`insert into receipts values ('urn:other', 'd', 'success', ${json(7, 'success')})`)
    const conflict = { id: 'urn:1', chainId: 'c', sequence: 1, with: 'urn:2', over: 'place' }
    server.intercept = ({ method, body }, response) => {
      if (method !== 'POST') return false
      for (const line of body.toString().split('\n').filter(Boolean)) server.frames.add(line)
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          accepted: 7,
          duplicates: 0,
          odd: [],
          oddTotal: 0,
          executions: [],
          streamId: null,
          nextOffset: 0,
          originalSha256: '',
          conflicts: [conflict],
        }),
      )
      return true
    }
    const { files, summary } = await importJson(path())
    expect(files['receipts.db']).toMatchObject({
      disagreeingRows: {
        total: 2,
        first: [
          { row: 3, columns: ['status'] },
          { row: 7, columns: ['id', 'chain_id'] },
        ],
      },
    })
    expect(summary).toMatchObject({ disagreeingRows: 2, conflicts: 1 })
    expect(numbers()).toEqual(upTo(7))
    const { out } = await runCli(['import', path()], env())
    expect(out).toContain('columns and JSON disagree: receipts.db: row 3 (status), row 7 (id, chain_id)')
    expect(out).toContain('2 rows whose columns disagree with their JSON. The JSON was used.')
    expect(out).toContain('1 conflict: receipts with a duplicate ID or chain position. All were kept.')
  })

  test('is followed: rows come as they are written, and another database in its place is read from its beginning', async () => {
    const { run, kill } = await own('wal')
    await run(insertSql(1, 3))
    const running = startCli(['import', '--watch', path()], env())
    await until(() => running.written().out.includes('Watching'), 20_000, 'following')
    expect(numbers()).toEqual(upTo(3))
    await run(insertSql(4, 5))
    await until(() => numbers().length === 5, 15_000, 'the rows that were written')
    await run('pragma wal_checkpoint(truncate)')
    await run(insertSql(6, 8))
    await until(() => numbers().length === 8, 15_000, 'the rows behind the checkpoint')
    await kill()
    for (const side of ['', '-wal', '-shm', '.lock'])
      rmSync(`${path()}${side}`, { recursive: true, force: true })
    await (await own('delete')).run(insertSql(11, 20))
    await until(() => numbers().length === 18, 20_000, 'the rows of the other one')
    expect(numbers()).toEqual([...upTo(8), ...upTo(20, 11)])
    running.stop()
    expect((await running.done).code).toBe(0)
  })
})
