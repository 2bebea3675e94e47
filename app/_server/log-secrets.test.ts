import pino from 'pino'
import type { Logger } from 'graphile-worker'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import * as betterAuth from '@/app/api/auth/[...all]/route'
import * as ingest from '@/app/api/v1/ingest/[kind]/route'
import * as sources from '@/app/api/v1/sources/route'
import { describeError, errorLine, errorText, guardConsole } from '@/db/describe-error'
import { jobLogger } from '@/db/jobs/logger'
import { people } from '@/db/schema/people'
import { eq, sql as statement } from 'drizzle-orm'
import { log } from './log'
import { ask, ORIGIN, openWorld, type World } from './test-support'

/** Stands in for a session token, a password, a name: whatever is a parameter of a statement that fails. */
const SECRET = 'correct-horse-7f3a'

let world: World
let written = ''
const { level } = log
const append = (chunk: unknown): boolean => {
  written += String(chunk)
  return true
}
beforeAll(async () => void (world = await openWorld()))
beforeEach(() => {
  written = ''
  log.level = 'trace'
  // Standard error, and what the log writes there past it.
  const { stream } = {
    stream: (log as unknown as Record<symbol, { write: (line: string) => boolean }>)[pino.symbols.streamSym]!,
  }
  vi.spyOn(stream, 'write').mockImplementation(append)
  vi.spyOn(process.stderr, 'write').mockImplementation(append)
  vi.spyOn(process.stdout, 'write').mockImplementation(append)
  for (const name of ['error', 'warn', 'log', 'info'] as const)
    vi.spyOn(console, name).mockImplementation(
      (...told) => void append(told.map((one) => String(one)).join(' ')),
    )
  guardConsole(console)
})
afterEach(() => {
  vi.restoreAllMocks()
  log.level = level
})
afterAll(() => world.close())

/** Runs it while a column is missing, so that every statement that names it fails. */
async function without<T>(table: string, column: string, run: () => Promise<T>): Promise<T> {
  await world.db.sql.unsafe(`alter table ${table} rename column ${column} to gone`)
  try {
    return await run()
  } finally {
    await world.db.sql.unsafe(`alter table ${table} rename column gone to ${column}`)
  }
}

const signIn = (): Promise<Response> =>
  ask(betterAuth.POST, '/api/auth/sign-in/email', {
    method: 'POST',
    params: { all: ['sign-in', 'email'] },
    headers: { origin: ORIGIN },
    body: { email: `${SECRET}@example.test`, password: SECRET },
  })

test('what a page logged itself is not printed again', () => {
  const target = { error: vi.fn(), warn: vi.fn() }
  const { error } = target
  guardConsole(target, ({ message }) => message === 'Database unavailable')
  target.error('⨯', new Error('Database unavailable'))
  expect(error).not.toHaveBeenCalled()
  target.warn('⨯', new Error('another'))
  expect(error).toHaveBeenCalledTimes(1)
})

test('a worker that cannot reach the database says so once a minute', () => {
  const lines: string[] = []
  let now = 0
  const told = jobLogger(
    (_level, line) => lines.push(line),
    () => now,
  )
  const fail = (code: string): void => {
    told.error('failed', { error: Object.assign(new Error('x'), { code }) })
  }
  for (let n = 0; n < 5; n++) fail('ECONNREFUSED')
  expect(lines).toHaveLength(1)
  fail('22003')
  expect(lines).toHaveLength(2)
  now = 61_000
  fail('ECONNREFUSED')
  expect(lines).toHaveLength(3)
})

test('a sign-in that fails in the database is logged without what was sent', async () => {
  const answer = await without('people', 'email', signIn)
  expect(answer.status).toBe(500)
  expect(written).toMatch(/42703/)
  expect(written).not.toContain(SECRET)
})

test('so is a session that cannot be looked up', async () => {
  const cookie = await world.cookie('viewer')
  const token = decodeURIComponent(/session_token=([^.;]+)/.exec(cookie)![1]!)
  const answer = await without('sessions', 'token', () => ask(sources.GET, '/api/v1/sources', { cookie }))
  expect(answer.status).toBe(500)
  expect(written).toMatch(/42703/)
  expect(written).not.toContain(token)
})

test('so is a key that cannot be looked up', async () => {
  const key = await world.key(['read'])
  const [{ hash }] = (await world.db
    .sql`select key as hash from api_keys order by created_at desc limit 1`) as [{ hash: string }]
  const answer = await without('api_keys', 'key', () => ask(sources.GET, '/api/v1/sources', { key }))
  expect(answer.status).toBe(500)
  expect(written).toMatch(/42703/)
  for (const one of [key, hash]) expect(written).not.toContain(one)
})

test('so is a body that cannot be stored', async () => {
  const key = await world.key(['ingest'])
  const answer = await without('sources', 'name', () =>
    ask(ingest.POST, '/api/v1/ingest/claude-transcript', {
      method: 'POST',
      params: { kind: 'claude-transcript' },
      key,
      headers: { 'inquest-source': SECRET },
      body: `{"type":"user","sessionId":"0a0a0a0a-0000-4000-8000-00000000aaaa","message":{"role":"user","content":"${SECRET}"}}\n`,
    }),
  )
  expect(answer.status).toBe(500)
  expect(written).toMatch(/42703/)
  expect(written).not.toContain(SECRET)
})

test('so are jobs, and errors of each driver wherever they are written', async () => {
  const failed = async (run: Promise<unknown>): Promise<Error> => {
    const error = await run.then(
      () => null,
      (one: unknown) => one as Error,
    )
    if (error === null) throw new Error('the statement was to fail')
    return error
  }
  const { orm, sql } = world.db
  const errors = [
    await failed(orm.select({ id: people.id }).from(people).where(eq(people.id, SECRET)).execute()),
    await failed(orm.execute(statement`select ${SECRET}::text, no_such_column`)),
    await failed(sql`select ${SECRET}::text::uuid`),
    await failed(sql`select ${`1 "${SECRET}" 2`}::text::int`),
    await failed(
      sql`insert into projects (id, slug, name) values (${world.project.id}, ${SECRET}, ${SECRET})`,
    ),
    new Error('wrapped', { cause: await failed(sql`select ${SECRET}::text::timestamptz`) }),
    new AggregateError([await failed(orm.execute(statement`select ${SECRET}::text::int`))], 'several'),
  ]
  for (const error of errors) {
    const spelled = [JSON.stringify(describeError(error)), errorLine(error), errorText(error)]
    const jobs: string[] = []
    const logger: Logger = jobLogger((_level, line) => void jobs.push(line))
    logger.error(`Failed task 1 (derive) with error '${error.message}'`, {
      error,
      job: { id: '1', task_identifier: 'derive' },
    })
    expect(jobs).toHaveLength(1)
    log.error({ err: error }, 'failed')
    log.error(error)
    console.error('it failed', error)
    for (const text of [...spelled, ...jobs]) expect(text).not.toContain(SECRET)
  }
  expect(written).not.toContain(SECRET)
  expect(errorLine(errors[0])).toMatch(
    /^\w+: Failed query \(PostgresError 22P02: invalid input syntax for type uuid: "…"\)$/,
  )
  expect(errorText(errors[2])).toMatch(/\n {4}at /)
  expect(describeError(errors[4])).toMatchObject({
    code: '23505',
    table_name: 'projects',
    constraint_name: 'projects_pkey',
  })
})
