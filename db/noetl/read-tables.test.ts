import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { longRun } from '@/e2e/support/noetl/build-run'
import { readJson, isObject, type JsonObject } from '@/e2e/support/noetl/json'
import { LOSS_NAMES, type Losses } from '@/e2e/support/noetl/losses'
import { python } from '@/e2e/support/noetl/python-dialect'
import { EVERY_LONG_ID, SEED, seedRuns } from '@/e2e/support/noetl/seed'
import { layNoetlTables } from '@/e2e/support/noetl/tables'
import { exactJsonText, parseExactJson } from '@/lib/text/exact-json'
import { compareLayers } from '@/lib/judge/parity/compare-layers'
import { worstOf } from '@/lib/judge/parity/differences'
import { joinPages } from '@/lib/judge/parity/join-pages'
import { openDb } from '../client'
import { testDb, type TestDb } from '../testing/test-db'
import { findTables } from './find-tables'
import { readRunDocument } from './read-run-document'
import { listChangedRuns, readCommands, readLogMark, readRows } from './read-runs'
import { openTables, type Tables } from './tables-client'
import { TablesError } from './tables-problem'

/** The database of a NoETL server, with an account that may read its tables and nothing more. */
let db: TestDb
let reader: URL
const PASSWORD = 'p@ss:w/rd'
const ROLE = `reader_${process.pid}`
beforeAll(async () => {
  db = await testDb()
  await db.sql.unsafe(`create role ${ROLE} login password '${PASSWORD}'`)
  reader = new URL(db.url)
  reader.username = ROLE
  reader.password = PASSWORD
})
afterAll(async () => {
  await db.sql.unsafe(`drop owned by ${ROLE}; drop role ${ROLE}`)
  await db.close()
})

const GRANT = `grant usage on schema noetl to ${ROLE}; grant select on noetl.event, noetl.execution, noetl.command to ${ROLE}`
const lay = async (losses?: Losses, runs = seedRuns()): Promise<void> => {
  await layNoetlTables(db.sql, runs, losses)
  await db.sql.unsafe(GRANT)
}
async function using<T>(
  work: (tables: Tables) => Promise<T>,
  url = reader.href,
  options?: Parameters<typeof openTables>[1],
): Promise<T> {
  const tables = openTables(url, { allowPrivate: true, ...options })
  try {
    return await work(tables)
  } finally {
    await tables.close()
  }
}
const problem = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof TablesError ? error.problem : String(error)),
  )
const MAX = '9223372036854775807'
const linesOf = (bytes: Uint8Array): JsonObject[] =>
  Buffer.from(bytes)
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map(readJson)
    .filter(isObject)
const rowsOf = (run: string) =>
  using((tables) =>
    tables.read(async (tx) => linesOf((await readRows(tx, await findTables(tx), run, '-1', MAX)).bytes)),
  )

test('ids keep their digits in columns and inside of JSON, and columns that are null are left out', async () => {
  await lay()
  const [first, issued, completed] = await rowsOf(SEED.everyId)
  expect([first!.execution_id, first!.parent_execution_id].map(String)).toEqual([SEED.everyId, SEED.rows501])
  const { context } = completed!.result as { context: JsonObject }
  for (const [field, number] of Object.entries(EVERY_LONG_ID))
    for (const place of [issued!.context, issued!.meta, context] as JsonObject[])
      expect(String(place[field])).toBe(String(number))
  expect(first!.created_at).toMatch(/^2026-05-06T08:10:00/)
  expect(Object.values(first!)).not.toContain(null)
  const document = await using((tables) => readRunDocument(tables, SEED.everyId))
  for (const number of Object.values(EVERY_LONG_ID)) expect(document!.text).toContain(String(number))
})

test('numbers of jsonb and times keep their spelling, and nothing follows what the session would make of them', async () => {
  await lay()
  await db.sql.unsafe(`insert into noetl.event (execution_id, event_id, event_type, node_name, created_at, event_time, duration, context) values
    (5, 6, 'call.done', E'a\\nb', '2026-01-20 11:56:27.1104', '2026-01-20 11:56:27+02', 0.1, '{"a":1.10,"b":12345678901234567890.5,"c":1e3,"d":null}')`)
  const text = Buffer.from(
    (await using((tables) => tables.read(async (tx) => readRows(tx, await findTables(tx), '5', '-1', MAX))))
      .bytes,
  ).toString()
  expect(text).toBe(
    '{"execution_id":5,"event_id":6,"event_type":"call.done","node_name":"a\\nb","created_at":"2026-01-20T11:56:27.1104","event_time":"2026-01-20T09:56:27+00:00",' +
      '"duration":0.1,"context":{"a": 1.10, "b": 12345678901234567890.5, "c": 1000, "d": null}}\n',
  )
  const document = await using((tables) => readRunDocument(tables, '5'))
  expect(document!.text).toContain('"created_at":"2026-01-20T11:56:27.110400"')
})

test('rows come in pieces after an event id, and runs by what changed', async () => {
  await lay()
  const { runs, until, more } = await using((tables) =>
    tables.read(async (tx) => listChangedRuns(tx, await findTables(tx), '-1', 1000)),
  )
  expect(more).toBe(false)
  expect(runs.find(({ run }) => run === SEED.rows501)).toEqual({ run: SEED.rows501, rows: 501 })
  const [newest] = await db.sql<{ id: string }[]>`select max(event_id)::text as id from noetl.event`
  expect(until).toBe(newest!.id)
  const part = await using((tables) =>
    tables.read(async (tx) => listChangedRuns(tx, await findTables(tx), '-1', 10)),
  )
  expect(part.more).toBe(true)
  expect(part.runs.reduce((sum, { rows }) => sum + rows, 0)).toBe(10)
  const next = await using((tables) =>
    tables.read(async (tx) => listChangedRuns(tx, await findTables(tx), part.until!, 1000)),
  )
  expect(part.runs.concat(next.runs).reduce((sum, { rows }) => sum + rows, 0)).toBe(
    runs.reduce((sum, { rows }) => sum + rows, 0),
  )
})

test('commands and the row of the run are there, and what versions lack is not asked for', async () => {
  await lay()
  const read = () =>
    using((tables) =>
      tables.read(async (tx) => {
        const found = await findTables(tx)
        const commands = await readCommands(tx, found, SEED.retrying, { after: '-1', until: MAX }, '-1')
        return {
          commands: linesOf(commands.bytes),
          mark: linesOf((await readLogMark(tx, found, SEED.retrying, MAX)).line)[0]!,
        }
      }),
    )
  const { commands, mark } = await read()
  expect(
    commands.map(({ attempt, max_attempts, status, error }) => [
      String(attempt),
      String(max_attempts),
      status,
      error,
    ]),
  ).toEqual([
    ['1', '3', 'FAILED', 'HTTP 503'],
    ['2', '3', 'RUNNING', undefined],
  ])
  expect([String((mark.event_log as JsonObject).rows), (mark.execution as JsonObject).status]).toEqual([
    '12',
    'FAILED',
  ])
  await db.sql`alter table noetl.event drop column meta cascade`
  await db.sql`alter table noetl.event drop column command_id cascade`
  expect((await read()).commands).toHaveLength(2)
  expect((await rowsOf(SEED.retrying))[1]).not.toHaveProperty('meta')
  await db.sql`drop table noetl.command`
  await db.sql`revoke select on noetl.execution from ${db.sql(ROLE)}`
  const bare = await read()
  expect([bare.commands, bare.mark.execution]).toEqual([[], undefined])
})

test('the view stands in for the table, and columns that are not granted are not asked for', async () => {
  await lay()
  await db.sql.unsafe(`revoke select on noetl.event from ${ROLE}; grant select on noetl.event_log to ${ROLE}`)
  expect(await rowsOf(SEED.rows501)).toHaveLength(501)
  await db.sql.unsafe(
    `revoke select on noetl.event_log from ${ROLE}; grant select (execution_id, event_id, event_type) on noetl.event to ${ROLE}`,
  )
  expect(Object.keys((await rowsOf(SEED.rows501))[0]!)).toEqual(['execution_id', 'event_id', 'event_type'])
})

test('nothing can be written, not even by an account that may, whatever the address asks for', async () => {
  await lay()
  const owner = new URL(db.url)
  owner.search =
    '?default_transaction_read_only=off&statement_timeout=0&application_name=x&options=-c%20default_transaction_read_only%3Doff'
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: TablesError) => (error.cause as { code?: string }).code,
    )
  for (const url of [reader.href, owner.href]) {
    const code = await using(
      (tables) =>
        codeOf(
          tables.read(
            (tx) => tx`insert into noetl.event (execution_id, event_id, event_type) values (1, 1, 'x')`,
          ),
        ),
      url,
    )
    expect(code).toBe('25006')
  }
  // Read only is what the server keeps to; the account needs no more than SELECT either.
  const asReader = openDb(reader.href, { max: 2 })
  await expect(
    asReader.sql`insert into noetl.event (execution_id, event_id, event_type) values (1, 1, 'x')`,
  ).rejects.toMatchObject({ code: '42501' })
  await asReader.close()
  const settings = await using(
    (tables) =>
      tables.read(
        (tx) => tx`
    select current_setting('default_transaction_read_only') as ro, current_setting('transaction_read_only') as tx, current_setting('statement_timeout') as statement,
      current_setting('lock_timeout') as lock, current_setting('application_name') as name, current_setting('TimeZone') as zone`,
      ),
    owner.href,
  )
  expect(settings[0]).toEqual({
    ro: 'on',
    tx: 'on',
    statement: '30s',
    lock: '2s',
    name: 'inquest',
    zone: 'UTC',
  })
  expect((await db.sql`select count(*) as n from noetl.event where execution_id = 1`)[0]).toEqual({ n: 0 })
})

test.each(['unreachable', 'not_allowed', 'no_such_table', 'timed_out', 'cancelled'])(
  'the problem %s has its word, and its message has no secret',
  async (word) => {
    await lay()
    const ask = (url: string, options?: Parameters<typeof openTables>[1]) =>
      using((tables) => tables.read(findTables), url, options)
    const at = (change: (url: URL) => void) => {
      const url = new URL(reader.href)
      change(url)
      return url.href
    }
    const server = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    const { port } = server.address() as { port: number }
    const failing: Record<string, (() => Promise<unknown>)[]> = {
      unreachable: [
        () => ask(at((url) => (url.port = String(port)))),
        () => ask(at((url) => (url.port = '1'))),
        async () => ask('not an address'),
        async () => ask('https://user@host/db'),
        async () => ask('postgres://user@/db'),
      ],
      not_allowed: [
        async () => {
          await db.sql.unsafe(`revoke select on noetl.event, noetl.execution, noetl.command from ${ROLE}`)
          return ask(reader.href)
        },
        () => ask(at((url) => (url.password = 'wrong'))),
        () => ask(at((url) => (url.password = ''))),
      ],
      no_such_table: [
        () => ask(at((url) => (url.pathname = '/nowhere_at_all'))),
        async () => {
          await db.sql`drop table noetl.event cascade`
          return ask(reader.href)
        },
      ],
      timed_out: [
        () =>
          using((tables) => tables.read((tx) => tx`select pg_sleep(20)`), reader.href, {
            statementSeconds: 0.2,
          }),
        () =>
          db.sql.begin(async (tx) => {
            await tx`lock table noetl.event in access exclusive mode`
            await using(
              (tables) => tables.read((read) => read`select 1 from noetl.event limit 1`),
              reader.href,
              { lockSeconds: 0.2 },
            )
          }),
      ],
      cancelled: [
        () => {
          const stop = new AbortController()
          return using(
            (tables) =>
              tables.read(async (tx) => {
                const asked = tx`select pg_sleep(20)`.execute()
                setTimeout(() => stop.abort(), 50)
                await asked
              }),
            reader.href,
            { signal: stop.signal },
          )
        },
        () => ask(reader.href, { signal: AbortSignal.abort() }),
      ],
    }
    process.env.PGPASSWORD = PASSWORD
    try {
      for (const fail of failing[word]!) {
        const error = await fail().then(
          () => null,
          (thrown: unknown) => thrown,
        )
        expect([String(error), (error as TablesError).problem]).toEqual([
          expect.not.stringMatching(/p@ss|wrong|reader_/),
          word,
        ])
      }
    } finally {
      delete process.env.PGPASSWORD
      server.close()
    }
  },
)

test('a database that goes in the middle is unreachable', async () => {
  await lay()
  const word = await problem(
    using((tables) =>
      tables.read(async (tx) => {
        const [me] = await tx<{ pid: string }[]>`select pg_backend_pid()::text as pid`
        await db.sql`select pg_terminate_backend(${me!.pid}::int)`
        await tx`select 1`
      }),
    ),
  )
  expect(word).toBe('unreachable')
})

/** All pages of a run as the API of the stand-in gives them. */
function fromApi(run: string, losses: Losses): string {
  const runs = seedRuns()
  const found = runs.find(({ executionId }) => executionId === run)!
  const pages: string[] = []
  for (let page = 1, next = true; next; page++) {
    const { body } = python.one('detail', found, {
      runs,
      query: new URLSearchParams({ page: String(page), page_size: '500' }),
      losses,
    } as never) as unknown as { body: string }
    pages.push(body)
    next = /"has_next": ?true/.test(body)
  }
  const joined = joinPages(
    pages.map((text) => {
      const read = parseExactJson(text)
      return read.ok ? read.value : null
    }),
  )
  return exactJsonText(joined.document)
}

test.each(LOSS_NAMES)('the loss %s is found at its layer', async (loss) => {
  const run = loss === 'contextCap' ? SEED.largeContext : loss === 'roundedIds' ? SEED.everyId : SEED.parent
  const read = async (losses: Losses): Promise<string> => {
    await lay(losses)
    const document = (await using((tables) => readRunDocument(tables, run)))!
    expect(document.complete).toBe(true)
    return document.text
  }
  const inLog: Losses = { [loss]: 'event_log' }
  const inApi: Losses = { [loss]: 'api' }
  /** Worst first: what differs on the way into the log, and on the way out of it. */
  const worst = (whole: string, log: string, losses: Losses) =>
    compareLayers([
      { layer: 'worker', text: whole },
      { layer: 'event_log', text: log },
      { layer: 'api', text: fromApi(run, losses) },
    ]).transitions.map((one) => worstOf(one.differences))
  const whole = await read({})
  const [, out] = worst(whole, whole, {})
  expect(['medium', 'low', null]).toContain(out)
  // The stand-in's API that gives rounded ids rounds those of columns too.
  expect(worst(whole, await read(inLog), inLog)).toEqual([
    'critical',
    loss === 'roundedIds' ? 'critical' : out,
  ])
  expect(worst(whole, await read(inApi), inApi)).toEqual([null, 'critical'])
})

test('a run that is larger than what is compared is not called complete', async () => {
  await lay({}, [longRun(12_000)])
  const document = (await using((tables) => readRunDocument(tables, longRun(2).executionId)))!
  expect(document.complete).toBe(false)
  expect(compareLayers([{ layer: 'event_log', ...document }]).layers[0]!.state).toBe('skipped_too_large')
  expect(await using((tables) => readRunDocument(tables, '404'))).toBeNull()
})

test('an address of a private network, or of this machine, is asked only where that is allowed', async () => {
  await lay()
  const ask = (url: string) =>
    problem(using((tables) => tables.read((tx) => findTables(tx)), url, { allowPrivate: false }))
  expect(await ask(reader.href)).toBe('private_address')
  const named = new URL(reader.href)
  named.hostname = 'localhost'
  expect(await ask(named.href)).toBe('private_address')
})
