import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { IngestAnswer } from '@/lib/api/ingest-schemas'
import { emptyFilter, parseFilter } from '@/lib/views/executions/filter'
import { listExecutionChains } from '../../queries/chains'
import { listCiExecutions } from '../../queries/ci-runs'
import { readDecision } from '../../queries/decision'
import { readExecution } from '../../queries/execution'
import { listExecutions, listFacets } from '../../queries/executions'
import { forgetEverything } from '../../testing/content'
import { testDb, type TestDb } from '../../testing/test-db'
import { ingestBody } from '../ingest'
import { ensureProject } from '../../projects'
import { reingest } from '../../rebuild/reingest'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterEach(() => forgetEverything(db))
afterAll(() => db.close())

const SESSION = '0a0a0a0a-0000-4000-8000-000000000002'
const MARKER = '%%ORDER_UP::1a2b3c4d%%'
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const lines = (...records: unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

const stdoutOf = (result: string, session = SESSION): string =>
  lines(
    { type: 'system', subtype: 'init', session_id: session, model: 'm' },
    {
      type: 'assistant',
      session_id: session,
      message: { id: 'a', role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
    },
    {
      type: 'result',
      subtype: 'success',
      is_error: false,
      result,
      session_id: session,
      num_turns: 1,
      duration_ms: 5,
    },
  )

interface Recorded {
  exitCode?: number
  channel?: string
  stdout: string
  kind?: string | null
  session?: string
  attempt?: number
  marker?: string
  expect?: string[]
  recordId?: string
  verdict?: unknown
  chain?: string
}

const CI = {
  provider: 'github',
  path: 'acme/shop',
  run: '77',
  job: 'agent',
  branch: 'main',
  commit: 'abc',
  url: 'https://ci.example/77',
  repository: 'acme/shop',
}

function recordOf({
  exitCode = 0,
  channel = 'channel_a',
  stdout,
  kind = 'claude-stream',
  session = SESSION,
  attempt = 1,
  marker = MARKER,
  expect: patterns = ['plan_path\\s*=\\s*/.+'],
  recordId = 'r1',
  chain = 'plan the shop',
  verdict = null,
}: Recorded): string {
  return lines(
    {
      type: 'record.start',
      version: 1,
      recordId,
      executionKey: session,
      command: ['claude', '-p', 'plan'],
      cwd: '/srv/shop',
      startedAt: '2026-11-02T08:00:00.000Z',
      labels: {},
      contract: { marker, expect: patterns },
      ci: { ...CI, attempt },
      chain: { key: chain, attempt },
    },
    ...(kind === null
      ? [{ type: 'record.output', channel: 'stdout', at: '2026-11-02T08:00:01.000Z', text: stdout }]
      : []),
    {
      type: 'record.output',
      channel: 'stderr',
      at: '2026-11-02T08:00:01.000Z',
      text: 'warming up\nthe stove is cold\n',
    },
    {
      type: 'record.end',
      endedAt: '2026-11-02T08:00:09.000Z',
      exitCode,
      signal: null,
      termination: 'natural_exit',
      channelConfirmation: channel,
      killReason: 'natural_exit',
      stdoutBytes: bytesOf(stdout).length,
      stdoutSha256: createHash('sha256').update(stdout).digest('hex'),
      stderrBytes: 10,
      stdoutKind: kind,
      sessionId: session,
      verdict,
    },
  )
}

const take = (kind: 'claude-stream' | 'record', text: string): Promise<IngestAnswer> =>
  ingestBody(db, { projectId, source: null, kind, bytes: bytesOf(text) })

async function takeRun(recorded: Recorded, recordFirst = false): Promise<string> {
  const channels = [
    ['claude-stream', recorded.stdout],
    ['record', recordOf(recorded)],
  ] as const
  const wanted = recorded.kind === null ? [channels[1]] : channels
  let id = ''
  for (const [kind, text] of recordFirst ? wanted.toReversed() : wanted)
    id = (await take(kind, text)).executions[0]!.id
  return id
}

describe('a run that was recorded with its contract', () => {
  test.each([false, true])(
    'is judged by its output, whichever comes first (the record first: %s)',
    async (recordFirst) => {
      const id = await takeRun({ stdout: stdoutOf(`Here is your plan.\n${MARKER}`) }, recordFirst)
      const decision = (await readDecision(db, [projectId], id))!
      expect(decision).toMatchObject({
        basis: 'recomputed',
        contentState: 'contract_violation',
        outcome: 'failed',
        retryReason: 'none',
        subtype: 'adjudicated_failure',
        rule: 'guard:dead_end_terminal:contract_violation',
        missing: [],
        inputRedacted: false,
      })
      expect(decision.trace.map(({ rule }) => rule)).toEqual([
        'content:fail:expected_artifact_absent',
        'retry:none',
        'guard:dead_end_terminal:contract_violation',
      ])
      const execution = (await readExecution(db, [projectId], id))!
      expect(execution).toMatchObject({
        outcome: 'failed',
        outcomeBasis: 'recomputed',
        failedAt: 'agent',
        cause: { category: 'contract' },
        advice: { retry: 'cannot-help' },
      })
      expect(execution.cause!.text).toContain('plan_path')
      expect(execution.cause!.pointer).not.toBeNull()
      // What was expected, beside the answer and what was written to standard error.
      expect(execution.output).toMatchObject({
        expected: [{ what: 'pattern', text: 'plan_path\\s*=\\s*/.+', state: 'missing' }],
        streams: [
          {
            name: 'answer',
            chunks: [{ before: 0, lines: [{ text: 'Here is your plan.' }, { text: MARKER }] }],
          },
          { name: 'stderr', cut: false, chunks: [{ before: 0, lines: [{}, { text: 'the stove is cold' }] }] },
        ],
      })
    },
  )

  test('that delivered is a success, and one without its marker asks for another attempt', async () => {
    const good = await takeRun({ stdout: stdoutOf(`plan_path = /srv/shop/plan.md\n${MARKER}`) })
    expect((await readExecution(db, [projectId], good))!.output).toBeNull()
    expect(await readDecision(db, [projectId], good)).toMatchObject({
      outcome: 'succeeded',
      contentState: 'complete',
    })
    const other = '0a0a0a0a-0000-4000-8000-000000000003'
    const cut = await takeRun({
      stdout: stdoutOf('Half of', other),
      session: other,
      channel: 'unmonitored',
      recordId: 'r2',
    })
    expect(await readDecision(db, [projectId], cut)).toMatchObject({
      outcome: 'retriable',
      contentState: 'absent',
      retryReason: 'early_stop',
    })
    expect(await readExecution(db, [projectId], cut)).toMatchObject({
      outcome: 'retriable',
      advice: { retry: 'could-help' },
    })
  })

  test('fails when the agent says so, whatever it delivered', async () => {
    const id = await takeRun({
      stdout: stdoutOf(
        `plan_path = /p\n<octopus-task-failed>the shop is closed</octopus-task-failed>\n${MARKER}`,
      ),
    })
    expect(await readDecision(db, [projectId], id)).toMatchObject({
      outcome: 'failed',
      rule: 'agent_signal',
      contentState: 'complete',
    })
    expect((await readExecution(db, [projectId], id))!.cause!.text).toContain('the shop is closed')
  })

  test('says where its failure block breaks the contract, with the block, and judges nothing by it', async () => {
    const block = '<octopus-task-failed>the “shop” is\nclosed</octopus-task-failed>'
    const result = `Like this:\n\`\`\`\n${block}\n\`\`\`\n<octopus-task-failed/>\n${MARKER}`
    const id = await takeRun({ stdout: stdoutOf(result), exitCode: 3 })
    const decision = (await readDecision(db, [projectId], id))!
    expect(decision).toMatchObject({ outcome: 'failed', contentState: 'contract_violation' })
    expect(decision.rule).not.toBe('agent_signal')
    expect(decision.signalHints.map(({ breach }) => breach)).toEqual(['fenced', 'repeated'])
    const shown = await Promise.all(
      decision.signalHints.map(async ({ pointer }) => {
        const [row] = await db.sql<
          { bytes: Buffer }[]
        >`select bytes from received where sha256 = ${pointer.received}`
        return JSON.parse(`"${row!.bytes.subarray(pointer.byteStart, pointer.byteEnd).toString()}"`) as string
      }),
    )
    expect(shown).toEqual([block, '<octopus-task-failed/>'])
    expect((await readExecution(db, [projectId], id))!.signalHints).toEqual(decision.signalHints)
  })

  test('and whose signal is only in its last text has the hints of that text', async () => {
    const [, said] = stdoutOf('').replace('Done.', '<octopus-task-failed/>').split('\n')
    const id = (await take('claude-stream', `${said}\n`)).executions[0]!.id
    expect(await readDecision(db, [projectId], id)).toMatchObject({
      rule: 'signal_in_last_text',
      recorder: null,
      signalHints: [{ breach: 'no_reason' }],
    })
  })

  test('keeps its reason as a fact, whose words are those of today', async () => {
    const id = await takeRun({ stdout: stdoutOf(`Here is your plan.\n${MARKER}`) })
    const read = async () => (await readDecision(db, [projectId], id))!
    const { because, becauseRule, becauseParams } = await read()
    expect([becauseRule, becauseParams]).toEqual([
      'not_delivered',
      { markerMissing: false, patterns: ['plan_path\\s*=\\s*/.+'] },
    ])
    const execution = async () => (await readExecution(db, [projectId], id))!.outcomeBecause
    await db.sql`update decisions set because = 'as it was worded then'`
    await db.sql`update executions set outcome_because = 'as it was worded then'`
    expect([(await read()).because, await execution()]).toEqual([because, because])
    await db.sql`update decisions set because_rule = null, because_params = null`
    expect(await read()).toMatchObject({ because: 'as it was worded then', becauseRule: null })
    expect(await execution()).toBe('as it was worded then')
  })

  test('keeps what its recorder judged beside it, and says whether both say the same', async () => {
    const verdict = { failed: false, kind: 'none', reason: null, text: null, failedOn: null }
    const id = await takeRun({ stdout: stdoutOf(`Here is your plan.\n${MARKER}`), verdict })
    expect((await readDecision(db, [projectId], id))!.recorder).toEqual({ ...verdict, differs: 'outcome' })
    const other = '0a0a0a0a-0000-4000-8000-000000000003'
    const good = await takeRun({
      stdout: stdoutOf(`plan_path = /srv/shop/plan.md\n${MARKER}`, other),
      session: other,
      recordId: 'r2',
      verdict,
    })
    expect((await readDecision(db, [projectId], good))!.recorder).toEqual({ ...verdict, differs: null })
  })

  test('is not judged while its output is not all here', async () => {
    const id = (await take('record', recordOf({ stdout: stdoutOf('x') }))).executions[0]!.id
    expect(await readDecision(db, [projectId], id)).toMatchObject({
      basis: 'inferred',
      contentState: 'unknown',
      missing: ['output'],
    })
  })

  test('whose output is plain text is judged by that text', async () => {
    const id = await takeRun({
      stdout: `All done\nplan_path = /p\n${MARKER}\n`,
      kind: null,
      session: 'record-r1',
    })
    expect(await readDecision(db, [projectId], id)).toMatchObject({
      basis: 'recomputed',
      outcome: 'succeeded',
      contentState: 'complete',
      evidence: { plain_output: true },
    })
  })

  test.each(['claude-stream', null])(
    'whose output was redacted while it waited is judged by what came, and that is said (%s)',
    async (kind) => {
      const before =
        kind === null
          ? `me@example.org\nplan_path = /p\n${MARKER}\n`
          : stdoutOf(`me@example.org\nplan_path = /p\n${MARKER}`)
      const after = before.replace('me@example.org', '[redacted:mail]')
      const session = kind === null ? 'record-r1' : SESSION
      const document = recordOf({ stdout: after, kind, session }).replace(
        `"stdoutBytes":${bytesOf(after).length}`,
        `"stdoutBytes":${bytesOf(before).length},"stdoutSentBytes":${bytesOf(after).length}`,
      )
      if (kind !== null) await take('claude-stream', after)
      const id = (await take('record', document)).executions[0]!.id
      expect(await readDecision(db, [projectId], id)).toMatchObject({
        basis: 'recomputed',
        outcome: 'succeeded',
        contentState: 'complete',
        inputRedacted: true,
      })
    },
  )

  test('of which a pattern cannot be looked for is known as far as that does not count', async () => {
    const contract = { stdout: stdoutOf(`plan_path = /p\n${MARKER}`), expect: ['^(?!draft)plan_path = /.+'] }
    const id = await takeRun(contract)
    const decision = await readDecision(db, [projectId], id)
    expect(decision).toMatchObject({
      basis: 'inferred',
      outcome: 'succeeded',
      contentState: 'unknown',
      missing: ['pattern ^(?!draft)plan_path = /.+'],
      recomputed: null,
    })
    expect([decision!.becauseRule, decision!.becauseParams]).toMatchObject([
      'patterns_not_searchable',
      {
        patterns: ['^(?!draft)plan_path = /.+'],
        outcome: null,
        records: { id: 'by_records', params: { outcome: { id: expect.any(String) } } },
      },
    ])
    expect(decision!.trace).toMatchObject([{ rule: 'pattern_engine_differs' }])

    const session = '0a0a0a0a-0000-4000-8000-000000000003'
    const cut = await takeRun({
      ...contract,
      recordId: 'r2',
      session,
      stdout: stdoutOf('plan_path = /p', session),
    })
    expect(await readDecision(db, [projectId], cut)).toMatchObject({
      basis: 'recomputed',
      outcome: 'retriable',
      retryReason: 'drain_race',
      contentState: 'absent',
      missing: ['pattern ^(?!draft)plan_path = /.+'],
      rule: 'pattern_engine_differs',
    })
    expect((await readExecution(db, [projectId], cut))!.cause!.text).toContain('It is retried either way')
  })

  test('and is no agent is judged by its exit code', async () => {
    const id = await takeRun({
      stdout: 'Compiling\n',
      kind: null,
      session: 'record-r1',
      exitCode: 3,
      marker: '',
      expect: [],
    })
    expect(await readDecision(db, [projectId], id)).toMatchObject({
      basis: 'inferred',
      outcome: 'failed',
      rule: 'exit_code',
      contentState: 'unknown',
    })
    expect((await readExecution(db, [projectId], id))!.cause!.text).toBe(
      'Exited with code 3: “the stove is cold”',
    )
  })

  test('is judged the same when everything is derived again', async () => {
    const id = await takeRun({ stdout: stdoutOf(`Here.\n${MARKER}`) })
    const { decidedAt: _before, ...before } = (await readDecision(db, [projectId], id))!
    await reingest(db, {})
    const { decidedAt: _after, ...after } = (await readDecision(db, [projectId], id))!
    expect(after).toEqual(before)
  })
})

describe('attempts of one piece of work', () => {
  test('are a chain in the order of their numbers, and are found by their CI run', async () => {
    const ids: string[] = []
    for (const attempt of [2, 1]) {
      const session = `0a0a0a0a-0000-4000-8000-00000000001${attempt}`
      ids.push(
        await takeRun({
          stdout: stdoutOf(`No path.\n${MARKER}`, session),
          session,
          attempt,
          recordId: `r${attempt}`,
        }),
      )
    }
    const [chain] = await listExecutionChains(db, [projectId], ids[0]!)
    expect(chain).toMatchObject({
      name: 'plan the shop',
      rule: 'named_chain',
      basis: 'recorded',
      attemptsLeftOut: 0,
    })
    expect(chain!.attempts.map(({ id, attempt }) => [id, attempt])).toEqual([
      [ids[1], 1],
      [ids[0], 2],
    ])
    const run = { provider: 'github', path: 'acme/shop', run: '77' }
    expect(
      (await listCiExecutions(db, [projectId], { ...run, attempt: null })).items.map(({ id }) => id),
    ).toEqual(ids)
    expect(
      (await listCiExecutions(db, [projectId], { ...run, attempt: 1 })).items.map(({ id }) => id),
    ).toEqual([ids[1]])
  })
})

describe('the list', () => {
  test('finds executions by state, reason, who decided, and the number of attempts, also when they came at once', async () => {
    const sessions = [1, 2, 3].map((n) => `0a0a0a0a-0000-4000-8000-00000000003${n}`)
    const ids = await Promise.all(
      sessions.map((session, i) =>
        takeRun({
          stdout: stdoutOf(`No path.\n${MARKER}`, session),
          session,
          attempt: i + 1,
          recordId: `r${i}`,
        }),
      ),
    )
    await takeRun({
      stdout: stdoutOf('Half of', SESSION),
      channel: 'unmonitored',
      recordId: 'other',
      attempt: 0,
      chain: 'another',
    })
    const find = async (q: string): Promise<number> =>
      (await listExecutions(db, { projectIds: [projectId], filter: parseFilter(q).filter })).items.length
    expect(await find('state:contract_violation')).toBe(3)
    expect(await find('state:absent reason:early_stop')).toBe(1)
    expect(await find('decided:recomputed')).toBe(4)
    expect(await find('attempts:3')).toBe(3)
    expect(await find('attempts:>1 help:cannot-help')).toBe(3)
    expect(await find('differs:yes')).toBe(0)
    const { facets } = await listFacets(db, { projectIds: [projectId], filter: emptyFilter() })
    expect(facets.attempts).toEqual([{ value: '3', count: 3 }])
    expect(ids).toHaveLength(3)
  })
})

test('attempts in a row that failed in the same way say that another one did not help', async () => {
  const attempts: string[] = []
  // Out of order: what is known last counts for all.
  for (const attempt of [2, 1, 3, 5, 4]) {
    const session = `0a0a0a0a-0000-4000-8000-0000000001${attempt}0`
    const id = await takeRun({
      stdout: stdoutOf('Half of', session),
      session,
      attempt,
      channel: 'unmonitored',
      recordId: `b${attempt}`,
    })
    attempts[attempt - 1] = id
    if (attempts.filter(Boolean).length === 1)
      expect((await readExecution(db, [projectId], id))!.advice).toMatchObject({ retry: 'could-help' })
  }
  for (const id of attempts)
    expect((await readExecution(db, [projectId], id))!.advice).toMatchObject({
      retry: 'unknown',
      runRetry: 'unclear',
      verdict: 'Did not help 4 times',
      retryBecause: '5 attempts in a row failed the same way.',
      next: 'Change something before you start it again: the prompt, the input or the environment.',
      because: { id: 'did_not_help', params: { attempts: 5 } },
    })
  const [chain] = await listExecutionChains(db, [projectId], attempts[0]!)
  expect(chain!.attempts.map(({ retry, verdict }) => [retry, verdict])).toEqual(
    Array(5).fill(['unknown', 'Did not help 4 times']),
  )
})
