import './support/database-fixture/next-storage'
import { statSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { storedContent } from '@/db/testing/content'
import { testDb, type TestDb } from '@/db/testing/test-db'
import { readExecution } from '@/db/queries/execution'
import { reingest } from '@/db/rebuild/reingest'
import { links } from '@/lib/links'
import { archivePath } from './support/database-fixture/archive'
import { listMigrations } from './support/database-fixture/catalogue'
import { DAMAGE, plant } from './support/database-fixture/damage'
import { listNotHeld } from './support/database-fixture/held'
import {
  compareReadings,
  readExpectations,
  readProbes,
  writeExpectations,
} from './support/database-fixture/probes'
import { restoreDatabase, type Restored } from './support/database-fixture/restore'
import { ask, ORIGIN, SITE_ENV } from './support/database-fixture/site'

const VERSION = '0.1.0'

/** Tables of which nothing could be saved. */
const EMPTY = {
  verifications: 'the library for accounts asks for it; nothing here sends the mails that its rows are about',
}

/** Values of closed lists that no row holds, and why. */
const NOT_HELD = {
  // No row is made of an empty body, of a line above the limit, and of a format that is refused; a
  // sub-agent's first lines name their session. That version refused bodies with ids that cannot be stored, and
  // had no spool with a bound, and no
  // limits of what a record holds.
  'odd input': [
    'line_too_long',
    'too_many_values',
    'too_many_events',
    'no_session',
    'empty_input',
    'unsupported_format',
    'no_receipt',
    'spool_dropped',
    'unstorable_id',
    'unstorable_values',
  ],
  // Verdicts of policies and gates whose input none of the seeds records.
  'retry reasons': ['zero_writes', 'path_contamination', 'contract_recovery', 'clone_contamination'],
  // A comparison that contradicts its own controls is a fault of the program.
  'check verdicts': ['not_trustworthy'],
  // Losses that the stand-in does not play.
  'difference kinds': ['truncated', 'reordered_array', 'collapsed_object'],
  // A mirror without its branch cannot be set up, and what was not checked has no outcome.
  'fit outcomes': ['branch-unknown', 'not-checked'],
}

let restored: Restored
/** What is made here, and goes again: copies before what they were copied from. */
const drops: (() => Promise<void>)[] = []
beforeAll(async () => {
  for (const [name, value] of Object.entries(SITE_ENV)) vi.stubEnv(name, value)
  restored = await restoreDatabase(VERSION)
  drops.push(restored.drop)
})
afterAll(async () => {
  const { runClosersForTests } = await import('@/app/_server/shutdown')
  await runClosersForTests()
  for (const drop of drops.toReversed()) await drop()
  vi.unstubAllEnvs()
})

/** A copy of the restored database, which the handlers then ask. */
async function copy(): Promise<TestDb> {
  const db = await testDb({ from: restored.name })
  drops.push(db.close)
  vi.stubEnv('DATABASE_URL', db.url)
  return db
}
const read = (db: TestDb, wanted?: RegExp) =>
  readProbes({ sql: db.sql, access: restored.manifest.access }, wanted)

test('what that version wrote is read alike after the migrations of today: counts, verdicts, downloads and addresses', async () => {
  const db = await copy()
  const found = await read(db)
  // For a change that is meant: the rows stay those of the old version, and git shows what is read otherwise.
  if (process.env.INQUEST_EXPECT_DATABASE === 'write') writeExpectations(VERSION, found)
  expect(found.size).toBeGreaterThan(800)
  expect(compareReadings(readExpectations(VERSION), found)).toEqual([])
})

test('a channel and the attempts in a log are answered under the names of 0.1.0 and those of today', async () => {
  const db = await copy()
  const [run] = await db.sql<{ id: string; project: string }[]>`
    select id, project_id as project from executions where disagreements::text like '%"door"%' limit 1`
  const found = await readExecution(db, [run!.project], run!.id)
  const values = found!.disagreements.flatMap((one) => one.values)
  expect(values.length).toBeGreaterThan(0)
  for (const { channel, door } of values) expect([typeof channel, door]).toEqual(['string', channel])

  const [pipeline] = await db.sql<{ id: string; project: string }[]>`
    select id, project_id as project from executions where pipeline::text like '%"attemptsTold"%' limit 1`
  const { tasks } = (await readExecution(db, [pipeline!.project], pipeline!.id))!.pipeline!
  expect(tasks.length).toBeGreaterThan(0)
  for (const task of tasks)
    expect([typeof task.attemptsInLog, task.attemptsTold]).toEqual(['number', task.attemptsInLog])
})

test('a person signs in by the stored password', async () => {
  await copy()
  const { email, password } = restored.manifest.access
  const signIn = (given: string) =>
    ask(links.api.signIn(), {
      method: 'POST',
      headers: { origin: ORIGIN, 'content-type': 'application/json', 'x-inquest-peer': '127.0.0.1' },
      body: { email, password: given },
    })
  expect([(await signIn(password)).status, (await signIn(`${password}.`)).status]).toEqual([200, 401])
})

/**
 * Sentences of the day beside a verdict, and the search text that holds their words. The facts are compared; the wording may improve from
 * version to version.
 */
const PROSE = new Set([
  'because',
  'search',
  'outcome_because',
  'cause_text',
  'retryBecause',
  'next',
  'verdict',
  'what',
  'ended',
  'telling',
  'odd_detail',
])
/** A run of which nobody knows what was asked is titled by its first failed call, in the sentence of the day: today's, for those of 0.1.0. */
const titleToday = (title: string): string =>
  title
    .replace(/ exited with (\d+)$/, ' exited with code $1')
    .replace(
      'was turned down because the file had changed since it was read',
      'was rejected: the file changed after it was read',
    )
/** Facts that rows of 0.1.0 have in their sentences alone. */
const FACTS_SINCE = new Set([
  'runRetry',
  'callRetry',
  'recoveredBy',
  'afterOtherWork',
  'step',
  'progress',
  'summary',
  'aftermath',
  'because_rule',
  'because_params',
  'link_params',
  'outcome_params',
  'cause_rule',
  'cause_params',
  'cause_earlier',
  'stdoutTail',
])
/**
 * What the rules of today conclude otherwise (docs/cause-accuracy.md): which failure leads, what became of a call,
 * whether a retry would help, which content states a log leaves open. Outcomes, classes, chains and counts are compared.
 */
const JUDGED_ANEW = new Set([
  'advice',
  'attention',
  'resolution',
  'cause_category',
  'cause_pointer',
  'content_state',
  'contentState',
])
const MARK_JUDGED_ANEW = /^(?:attention|help|state):/
const SIGNS_OF_CLASS = new Set(['failureClass', 'signs', 'freeOutput'])
/** The rule of a link was its sentence. */
const linkRuleToday = (rule: string): string =>
  /^attempt \d+/.test(rule)
    ? 'counted'
    : rule.replace('same first words of the command', 'same first words').replace(/,? /g, '_')
const REWORDED: Record<string, (value: string) => string> = { title: titleToday, link_rule: linkRuleToday }

function withoutProse(this: unknown, key: string, value: unknown): unknown {
  if (PROSE.has(key) || FACTS_SINCE.has(key) || JUDGED_ANEW.has(key)) return undefined
  // Of a call; in an advice, which is left out whole, it is another thing.
  if (key === 'retry' && typeof value === 'object') return undefined
  if (key === 'marks' && Array.isArray(value))
    return value.filter((mark: string) => !MARK_JUDGED_ANEW.test(mark))
  // Events held the class of a failed call; it is that of the call now, and they hold the signs it is judged by.
  if (SIGNS_OF_CLASS.has(key) && Object.hasOwn(this as object, 'callId')) return undefined
  if (key === 'detail' && Object.hasOwn(this as object, 'byte_offset')) return undefined
  // A disagreement was named by its sentence alone.
  if ((key === 'rule' || key === 'params') && Object.hasOwn(this as object, 'fact')) return undefined
  // A channel was called door; keys of stored JSON are in order of their length.
  if (
    value !== null &&
    typeof value === 'object' &&
    Object.hasOwn(value, 'door') &&
    Object.hasOwn(value, 'said')
  ) {
    const { door, ...rest } = value as Record<string, unknown>
    return { ...rest, channel: door }
  }
  // Attempts in a log of a task, and how many there are.
  if (value !== null && typeof value === 'object' && Object.hasOwn(value, 'tries')) {
    const { tries, ...rest } = value as Record<string, unknown>
    return { ...rest, attempts: tries }
  }
  if (key === 'attemptsTold' || key === 'attemptsInLog') return undefined
  // The sentence of a hint; its breach and its place are the facts.
  if (key === 'text' && Object.hasOwn(this as object, 'breach')) return undefined
  return typeof value === 'string' && Object.hasOwn(REWORDED, key) ? REWORDED[key]!(value) : value
}

const JUDGED_FACETS = new Set(['attention', 'help', 'state'])

/** Whether a row of marks or of counts is about what is compared. */
const isComparable = ({ mark, facet }: Record<string, unknown>): boolean =>
  !(typeof mark === 'string' && MARK_JUDGED_ANEW.test(mark)) && !JUDGED_FACETS.has(facet as string)

test('what is derived anew from the restored bytes is what was stored', async () => {
  const db = await copy()
  const [project] = await db.sql<{ id: string }[]>`select id from projects where slug = 'default'`
  // Sorted: both projects hold a session of one id, and nothing else says which of the two comes first.
  const stored = async () =>
    Object.entries(await storedContent(db))
      .flatMap(([part, rows]) =>
        rows.filter(isComparable).map((row) => `${part} ${JSON.stringify(row, withoutProse)}`),
      )
      .sort()
  const before = await stored()
  expect(before.length).toBeGreaterThan(1_000)
  await reingest(db, { projectId: project!.id })
  expect(await stored()).toEqual(before)
})

describe('the fixture', () => {
  test('is of that version, small, and its migrations are those of today so far', async () => {
    const { version, migration, migrations } = restored.manifest
    expect([version, migration.tag]).toEqual([VERSION, '0031_fit_requests'])
    expect(statSync(archivePath(VERSION)).size).toBeLessThan(5 * 1024 * 1024)
    // A migration that was released is never edited: whoever has run it would not run it again.
    expect(restored.migrations).toEqual(migrations)
    const db = await copy()
    expect((await listMigrations(db.sql)).slice(0, migrations.length)).toEqual(migrations)
  })

  test('holds rows of every table, but for those that have a reason', () => {
    expect(restored.manifest.tables.filter(({ rows }) => rows === 0).map(({ name }) => name)).toEqual(
      Object.keys(EMPTY),
    )
    expect(restored.manifest.tables.length).toBeGreaterThanOrEqual(50)
  })

  test('holds every value of the closed lists, but for those that are named here', async () => {
    expect(await listNotHeld((await copy()).sql)).toEqual(NOT_HELD)
  })
})

describe('planted damage is reported:', () => {
  let reported: string[]
  beforeAll(async () => {
    const db = await copy()
    const wanted = await plant(db.sql)
    reported = compareReadings(readExpectations(VERSION, wanted), await read(db, wanted))
  })

  test.each(DAMAGE)('$name', ({ reports }) => {
    expect(reported.filter((line) => reports.test(line))).not.toEqual([])
  })
})
