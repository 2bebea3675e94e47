import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { ExecutionSummary } from '@/lib/model/summary'
import { readRunDiagnosis } from '../../queries/run-diagnosis'
import { forgetEverything } from '../../testing/content'
import { testDb, type TestDb } from '../../testing/test-db'
import { checkParity } from '../../parity/check-parity'
import { ingestBody } from '../ingest'
import { ensureProject } from '../../projects'

/** Kept documents that tell the same rows of one run. */
let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterEach(() => forgetEverything(db))
afterAll(() => db.close())

const sample = (name: string): string =>
  readFileSync(
    join(import.meta.dirname, '../../../../shared/samples/noetl/constructed', `${name}.json`),
    'utf8',
  )
const WHOLE = sample('parent-green-diagnosis-attached')
const LOST = sample('parent-diagnosis-lost-in-projection')

async function take(...texts: string[]): Promise<string> {
  let id = ''
  for (const text of texts)
    id = (
      await ingestBody(db, { projectId, source: null, kind: 'noetl', bytes: new TextEncoder().encode(text) })
    ).executions[0]!.id
  return id
}
async function check(id: string) {
  const { compared, versions, inputs } = (await checkParity(db, [projectId], id, { trigger: 'demand' }))!
  const ofVersions = compared.transitions.filter(({ form }) => form === 'versions')
  return {
    verdict: compared.verdict,
    worst: compared.worst,
    lost: compared.firstCritical,
    versions,
    inputs: inputs.filter(({ form }) => form === 'versions').map(({ layer, text }) => [layer, text]),
    differences: ofVersions.flatMap(({ differences }) => differences),
  }
}

test('of two that differ, both are named with every difference, and the loss of a diagnosis is critical whichever came first', async () => {
  const found = await check(await take(WHOLE, LOST))
  expect([found.verdict, found.worst, found.lost]).toMatchObject([
    'different',
    'critical',
    { form: 'versions', from: 'source', to: 'retold' },
  ])
  expect(found.differences).toContainEqual({
    path: '/events/0/result/context/error/diagnosis',
    kind: 'missing',
    kindRule: 'value_gone',
    severity: 'critical',
    rule: 'on_contract',
  })
  expect(new Set(found.differences.map(({ path }) => Number(path.split('/')[2])))).toEqual(
    new Set(found.versions.map((_, i) => i)),
  )
  const parts = await db.sql<{ sha256: string; bytes: Buffer }[]>`select sha256, bytes from received`
  for (const { eventId, received, byteStart, byteEnd } of found.versions) {
    const text = parts
      .find(({ sha256 }) => sha256 === received)!
      .bytes.subarray(byteStart, byteEnd)
      .toString('utf8')
    expect([text.includes(eventId), text.includes('root_cause')]).toEqual([true, false])
  }
  await forgetEverything(db)
  expect(await check(await take(LOST, WHOLE))).toEqual(found)
})

test('the diagnosis is read from the most complete version, and the other one is named beside it', async () => {
  const id = await take(LOST, WHOLE)
  const {
    diagnoses: [one],
  } = (await readRunDiagnosis(db, [projectId], id))!
  expect(one).toMatchObject({
    state: 'attached',
    versions: [{ state: 'absent', pointer: { received: expect.stringMatching(/^[0-9a-f]{64}$/) } }],
  })
})

test('the same rows in other words are no conflict', async () => {
  const id = await take(WHOLE, WHOLE.replace(/"event_id": (\d+)/g, '"event_id": "$1"').replace(/\n\s*/g, ' '))
  expect(await check(id)).toMatchObject({ versions: [], inputs: [] })
})

test('a server of the other dialect leaves columns out, which is no conflict', async () => {
  expect(
    (await check(await take(WHOLE, sample('rust-server-detail')))).differences.filter(
      ({ severity }) => severity !== 'info',
    ),
  ).toEqual([])
})

test('documents that reach as far as each other and name other ends disagree about the end', async () => {
  const ends = async (...texts: string[]): Promise<ExecutionSummary['disagreements']> => {
    await forgetEverything(db)
    const id = await take(...texts)
    return (
      await db.sql<
        { disagreements: ExecutionSummary['disagreements'] }[]
      >`select disagreements from executions where id = ${id}`
    )[0]!.disagreements
  }
  const failed = WHOLE.replace('"status": "COMPLETED"', '"status": "FAILED"')
  expect(failed).not.toBe(WHOLE)
  expect(await ends(WHOLE)).toEqual([])
  const both = await ends(WHOLE, failed)
  expect(both).toMatchObject([
    {
      fact: 'status of the run',
      values: [
        { channel: 'detail', said: 'COMPLETED' },
        { channel: 'detail', said: 'FAILED' },
        { channel: 'rows' },
      ],
    },
  ])
  expect(await ends(failed, WHOLE)).toEqual(both)
})
