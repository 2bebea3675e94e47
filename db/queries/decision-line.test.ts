import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordedRun, RUN_MARKER, type RecordedRun } from '@/lib/sample/recorded-run'
import { sessionLogRoot } from '../seed/session-logs'
import { Transcript } from '../seed/transcript'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { readDecision } from './decision'
import { readExecution } from './execution'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterAll(() => db.close())

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const take = async (kind: 'claude-stream' | 'claude-transcript' | 'record', text: string): Promise<string> =>
  (await ingestBody(db, { projectId, source: null, kind, bytes: bytesOf(text) })).executions[0]!.id

let runs = 0
async function run(given: Omit<RecordedRun, 'id'>): Promise<string> {
  const { stream, record } = recordedRun({ ...given, id: `0b0b0b0b-0000-4000-8000-00000000000${runs++}` })
  await take('claude-stream', stream!)
  return take('record', record)
}
const line = async (id: string) => (await readExecution(db, [projectId], id))!.decision

test('the line says what the decision says', async () => {
  const id = await run({
    result: `Nothing of what was asked for.\n${RUN_MARKER}`,
    expect: ['plan_path = /.+'],
  })
  const decision = (await readDecision(db, [projectId], id))!
  const { badges, ...told } = await line(id)
  const { basis, contentState, outcome, retryReason, subtype, missing, differs, recorded, recomputed } =
    decision
  expect(told).toEqual({
    basis,
    contentState,
    outcome,
    retryReason,
    subtype,
    missing,
    differs,
    recorded,
    recomputed,
  })
  expect(told).toMatchObject({
    basis: 'recomputed',
    contentState: 'contract_violation',
    outcome: 'failed',
    retryReason: 'none',
  })
  expect(badges).toEqual([])
})

test('what looks like a contradiction has its badge, by rules and evidence', async () => {
  const id = await run({
    result: '',
    channel: 'channel_b',
    exitCode: 1,
    expect: [],
    resultRecord: { is_error: true, subtype: 'error_during_execution' },
  })
  expect(await line(id)).toMatchObject({
    outcome: 'succeeded',
    contentState: 'session_error',
    badges: [{ code: 'channel_only', label: 'confirmed by channel only' }],
  })
})

test('of an execution whose process nobody recorded everything is missing, and the outcome inferred', async () => {
  const id = await take(
    'claude-transcript',
    new Transcript({ sessionId: '0c0c0c0c-0000-4000-8000-000000000001' })
      .user('Go')
      .call('Bash', { command: 'make' }, { fails: 'Exit code 1\nno' }).text,
  )
  const decision = (await readDecision(db, [projectId], id))!
  const told = await line(id)
  expect(told).toMatchObject({
    basis: 'inferred',
    contentState: 'unknown',
    retryReason: 'unknown',
    outcome: decision.outcome,
    missing: decision.missing,
    badges: [],
  })
  expect(told.missing).toContain('exit code')
})

test('what a source recorded stands beside what we make of the run, and what it does not say takes nothing from the evidence', async () => {
  const id = await run({
    result: `Nothing of what was asked for.\n${RUN_MARKER}`,
    expect: ['plan_path = /.+'],
  })
  const { externalId } = (await readExecution(db, [projectId], id))!
  const entry = {
    session_id: externalId,
    dir_name: externalId,
    timestamp: '2026-11-02T08:02:00Z',
    kitchen_id: 'k',
    skill_command: '/plan',
    success: true,
    subtype: 'success',
    exit_code: 0,
  }
  await ingestBody(db, {
    projectId,
    source: { kind: 'autoskillit', name: 'kitchen' },
    kind: 'autoskillit',
    bytes: bytesOf(`${JSON.stringify(entry)}\n`),
    fileName: 'sessions.jsonl',
  })
  expect(await line(id)).toMatchObject({
    basis: 'recorded',
    outcome: 'succeeded',
    contentState: 'contract_violation',
    recorded: { outcome: 'succeeded' },
    recomputed: { outcome: 'failed' },
    differs: ['outcome', 'subtype'],
    badges: [{ code: 'differs' }],
  })
  expect((await readDecision(db, [projectId], id))!.evidence).toMatchObject({
    termination: 'natural_exit',
    kill_reason: 'natural_exit',
    success: true,
  })
})

test('of a session that only its source tells of the verdict is the recorded one', async () => {
  const root = sessionLogRoot({ runs: 2 })
  const [fileName, text] = [...root.files].find(([name]) => name.endsWith('sessions.jsonl'))!
  const { executions } = await ingestBody(db, {
    projectId,
    source: { kind: 'autoskillit', name: 'kitchen' },
    kind: 'autoskillit',
    bytes: Buffer.from(text),
    fileName,
  })
  const id = executions[0]!.id
  expect(await line(id)).toMatchObject({
    basis: 'recorded',
    contentState: 'contract_violation|session_error|complete',
    recomputed: null,
  })
})

test('what the run says of itself stands in the trace, above the rules', async () => {
  const id = await run({
    result: `plan_path = /p\n<octopus-task-failed>the shop is closed</octopus-task-failed>\n${RUN_MARKER}`,
    expect: ['plan_path = /.+'],
  })
  const decision = (await readDecision(db, [projectId], id))!
  expect(decision.trace.at(-1)).toMatchObject({ rule: 'agent_signal', stage: 'signal', effect: 'failed' })
  expect(decision.trace.map(({ rule }) => rule)).toContain('content:ok')
  // What it reported may be gone on another run: the rules do not say that it cannot help.
  expect((await readExecution(db, [projectId], id))!.advice).toMatchObject({ retry: 'unknown' })
})
