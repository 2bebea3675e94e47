import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeSigner, signChain } from '@/lib/judge/receipts/testing/signed-chain'
import { sessionLogRoot } from '../seed/session-logs'
import { Transcript } from '../seed/transcript'
import { forgetEverything, storedContent } from '../testing/content'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from './ingest'
import { ensureProject } from '../projects'
import { reingest } from '../rebuild/reingest'
import { INGEST_KINDS, type IngestKind } from '@/lib/model/ingest-kinds'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterEach(() => forgetEverything(db))
afterAll(() => db.close())

/** NUL, which a text column refuses, and half of a pair of surrogates, which is no UTF-8. */
const POISON = { NUL: '\0', 'a lone surrogate': '\ud800' } as const

const SESSION = '0f0f0f0f-0000-4000-8000-000000000001'
const CALL = 'toolu_01'

interface Sample {
  /** With an id that ends in the mark where it is poisoned. */
  body: (mark: string) => string | Promise<string>
  fileName?: (mark: string) => string
}

/** A body of each kind, whose every id carries the mark. */
const SAMPLES: Record<IngestKind, Sample> = {
  'claude-transcript': {
    body: (mark) =>
      new Transcript({ sessionId: `${SESSION}${mark}` })
        .user('go')
        .call('Bash', { command: 'false' }, { fails: 'Exit code 1' })
        .lines.map((line) => poisoned(line, ['uuid', 'parentUuid', 'id', 'tool_use_id'], mark))
        .join('\n'),
    fileName: (mark) => `projects/-work/${SESSION}${mark}.jsonl`,
  },
  'claude-stream': {
    body: (mark) =>
      [
        { type: 'system', subtype: 'init', session_id: `${SESSION}${mark}`, uuid: `u1${mark}` },
        {
          type: 'assistant',
          session_id: `${SESSION}${mark}`,
          uuid: `u2${mark}`,
          parent_tool_use_id: null,
          message: {
            id: `msg_1${mark}`,
            role: 'assistant',
            content: [
              { type: 'tool_use', id: `${CALL}${mark}`, name: `Bash${mark}`, input: { command: 'false' } },
            ],
          },
        },
        {
          type: 'result',
          subtype: `success${mark}`,
          is_error: false,
          session_id: `${SESSION}${mark}`,
          uuid: `u3${mark}`,
          result: 'done',
        },
      ]
        .map((line) => JSON.stringify(line))
        .join('\n'),
  },
  'claude-hook': {
    body: (mark) =>
      JSON.stringify({
        session_id: `${SESSION}${mark}`,
        hook_event_name: 'PostToolUse',
        tool_name: 'Bash',
        tool_use_id: `${CALL}${mark}`,
        agent_id: `a1${mark}`,
        tool_input: { command: 'false' },
        tool_response: { stdout: '' },
      }),
  },
  record: {
    body: (mark) =>
      [
        {
          type: 'record.start',
          version: 1,
          recordId: `r1${mark}`,
          executionKey: `${SESSION}${mark}`,
          command: ['false'],
          cwd: '/srv',
          startedAt: '2026-11-01T07:59:58.000Z',
          contract: { marker: '', expect: [] },
          chain: `nightly${mark}`,
          ci: { repository: `acme/shop${mark}`, run: `1${mark}` },
        },
        { type: 'record.end', endedAt: '2026-11-01T09:30:00.000Z', exitCode: 0, termination: 'natural_exit' },
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
  },
  autoskillit: {
    body: (mark) => {
      const [, text] = [...sessionLogRoot({ runs: 1 }).files].find(([name]) => name.endsWith('summary.json'))!
      return poisoned(text, ['session_id', 'kitchen_id', 'order_id', 'step_name', 'dir_name'], mark)
    },
    fileName: (mark) => `sessions/run-1${mark}/summary.json`,
  },
  noetl: {
    body: (mark) =>
      JSON.stringify({
        execution_id: `4711${mark}`,
        event_id: `1${mark}`,
        parent_execution_id: `4710${mark}`,
        event_type: `playbook_started${mark}`,
        node_id: `n1${mark}`,
        node_name: `start${mark}`,
        status: `STARTED${mark}`,
        created_at: '2026-04-06T06:00:00',
      }),
  },
  'async-pipeline': {
    body: (mark) => {
      const run = `2026-11-21T21-28-48-325Z-2887e5d1${mark}`
      return JSON.stringify([
        {
          asyncPipelineRun: run,
          file: 'execution.json',
          json: {
            schemaVersion: 1,
            id: run,
            pipelineName: `demo${mark}`,
            jobId: `verify${mark}`,
            startedAt: '2026-11-21T21:28:48.325Z',
            status: 'failed',
            mode: 'manual',
            tasks: [{ id: `lint${mark}`, status: 'failed', error: 'exit status 1', cacheKey: `5400${mark}` }],
            sources: {},
            finishedAt: '2026-11-21T21:28:48.372Z',
          },
        },
        { asyncPipelineRun: run, file: `logs/lint${mark}.log`, text: 'two\n' },
      ])
    },
  },
  receipts: {
    // The signature is that of the sound ids: what is under test is that it is kept.
    body: async (mark) => {
      const [text] = await signChain(
        [{ issuer: { session_id: SESSION }, subject: { correlation_id: CALL } }],
        await makeSigner(),
      )
      return poisoned(text!, ['id', 'session_id', 'correlation_id', 'chain_id'], mark)
    },
  },
}

/** The document with the mark behind each text under one of the keys, however deep. */
function poisoned(line: string, keys: readonly string[], mark: string): string {
  return JSON.stringify(JSON.parse(line), (key, value: unknown) =>
    keys.includes(key) && typeof value === 'string' ? `${value}${mark}` : value,
  )
}

describe.each(INGEST_KINDS.filter((kind) => kind in SAMPLES).map((kind) => [kind, SAMPLES[kind]] as const))(
  '%s',
  (kind, sample) => {
    test.each(Object.entries(POISON))(
      'with %s in its ids is kept, and read again to the same',
      async (_, mark) => {
        const text = await sample.body(mark)
        const bytes = Buffer.from(text)
        const body = { projectId, source: null, kind, bytes, fileName: sample.fileName?.(mark) ?? null }
        const first = await ingestBody(db, body)
        expect(first.accepted).toBeGreaterThan(0)
        expect(first.odd.map(({ reason }) => reason)).toEqual(
          // Some are odd for another reason already.
          expect.arrayContaining([expect.stringMatching(/^(unstorable_id|no_receipt|wrong_type)$/)]),
        )
        const again = await ingestBody(db, body)
        expect(again).toMatchObject({ accepted: 0, duplicates: first.accepted })
        const stored = await storedContent(db)
        expect(stored.executions).toHaveLength(1)
        const kept = await db.sql<{ bytes: Buffer }[]>`select bytes from received order by id`
        expect(Buffer.concat(kept.map((row) => row.bytes)).toString()).toContain(
          JSON.stringify(mark).slice(1, -1),
        )
        await reingest(db)
        expect(await storedContent(db)).toEqual(stored)
      },
    )
  },
)

test('a sound record beside a poisoned one is taken in as if it stood alone', async () => {
  const sound = new Transcript({ sessionId: SESSION }).user('go').says('done').lines
  const poison = poisoned(sound[0]!, ['uuid'], '\0')
  await ingestBody(db, {
    projectId,
    source: null,
    kind: 'claude-transcript',
    bytes: Buffer.from([sound[0], poison, ...sound.slice(1)].join('\n')),
  })
  expect(
    await db.sql`select odd_reason, count(*)::int as n from events group by 1 order by 1 nulls last`,
  ).toEqual([
    { odd_reason: 'unstorable_id', n: 1 },
    { odd_reason: null, n: sound.length },
  ])
})
