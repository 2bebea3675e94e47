import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../../limits'
import { bytesAt, foldAll, lineOf } from '../claude/testing/fold'
import type { NormalRecord } from '../../model/normal-form'
import { parsePart } from '../parse-part'
import { peekPart } from '../peek-part'
import { secretSamples } from '../../text/redaction/secret-samples.fixture'
import { streamIdentity } from '../stream-identity'
import { autoskillit } from './adapter'

const S = '11111111-2222-4333-8444-555555555555'
const NONE = 'no_session_2026-04-06T06-00-00.000000+00-00'
const verdict = {
  session_id: S,
  dir_name: S,
  cwd: '/srv/shop',
  skill_command: '/x:plan shop',
  success: false,
  subtype: 'adjudicated_failure',
  cli_subtype: 'success',
  exit_code: 0,
  write_call_count: 2,
}
const indexLine = {
  ...verdict,
  timestamp: '2026-04-06T06:00:00.123456+00:00',
  kitchen_id: 'k',
  order_id: 'o',
  step_name: 'plan',
  input_tokens: 5,
  output_tokens: 7,
}
const summary = {
  ...verdict,
  start_ts: '2026-04-06T06:00:00.123456+00:00',
  end_ts: '2026-04-06T06:01:30+00:00',
  duration_seconds: 89.9,
  termination_reason: 'completed',
  kill_reason: 'kill_after_completion',
  write_path_warnings: ['Write to /tmp/x'],
  clone_contamination_reverted: true,
}

const one = (value: unknown, fileName: string): NormalRecord =>
  foldAll(autoskillit, [value], { fileName })[0]!
const recordedIn = (value: unknown, fileName: string) => one(value, fileName).facts.recorded
const parse = (text: string | Uint8Array, fileName: string, final = true) =>
  parsePart({
    adapter: autoskillit,
    bytes: typeof text === 'string' ? new TextEncoder().encode(text) : text,
    offset: 0,
    context: autoskillit.start({ fileName }),
    redact: true,
    final,
  })

describe('each file', () => {
  test('a line of the index', () => {
    expect(one(indexLine, 'sessions.jsonl')).toMatchObject({
      executionKey: S,
      type: 'sessions.jsonl',
      kind: 'run_result',
      at: '2026-04-06T06:00:00.123Z',
      summary: 'Recorded as failure: adjudicated_failure · exit 0 · /x:plan shop',
      facts: {
        cwd: '/srv/shop',
        recorded: {
          source: 'index',
          dirName: S,
          success: false,
          subtype: 'adjudicated_failure',
          cliSubtype: 'success',
          exitCode: 0,
          skillCommand: '/x:plan shop',
          writeCallCount: 2,
          kitchenId: 'k',
          orderId: 'o',
          stepName: 'plan',
          startedAt: '2026-04-06T06:00:00.123Z',
          inputTokens: 5,
          outputTokens: 7,
        },
      },
    })
  })

  test('a summary, with the end as its time and a pointer to what decided', () => {
    const line = lineOf(summary, JSON.stringify(summary, null, 2))
    const record = autoskillit.read(line, autoskillit.start({ fileName: `sessions/${S}/summary.json` }))
    expect(record).toMatchObject({ executionKey: S, type: 'summary.json', at: '2026-04-06T06:01:30.000Z' })
    const { span, ...fact } = record.facts.recorded!
    expect(fact).toEqual({
      source: 'summary',
      dirName: S,
      success: false,
      subtype: 'adjudicated_failure',
      cliSubtype: 'success',
      exitCode: 0,
      skillCommand: '/x:plan shop',
      writeCallCount: 2,
      startedAt: '2026-04-06T06:00:00.123Z',
      endedAt: '2026-04-06T06:01:30.000Z',
      durationSeconds: 89.9,
      terminationReason: 'completed',
      killReason: 'kill_after_completion',
      writePathWarnings: ['Write to /tmp/x'],
      cloneContaminationReverted: true,
    })
    expect(bytesAt(line, span)).toBe('"adjudicated_failure"')
    expect(span.jsonPointer).toBe('/subtype')
  })

  test('the history, of which each record is one', () => {
    const history = [
      {
        timestamp: '2026-04-06T06:01:31+00:00',
        skill_command: '/x',
        exit_code: -1,
        subtype: 'stale',
        needs_retry: true,
        retry_reason: 'stale',
        stderr: '',
      },
      {
        timestamp: '2026-04-06T06:01:32+00:00',
        skill_command: '/x',
        exit_code: -1,
        subtype: 'stale',
        needs_retry: false,
        retry_reason: 'budget_exhausted',
        stderr: '',
      },
    ]
    const records = foldAll(autoskillit, history, { fileName: `${S}/audit_log.json` })
    expect(
      records.map(({ executionKey, facts: { recorded } }) => [
        executionKey,
        recorded!.needsRetry,
        recorded!.retryReason,
        recorded!.startedAt,
      ]),
    ).toEqual([
      [S, true, 'stale', undefined],
      [S, false, 'budget_exhausted', undefined],
    ])
  })

  test('tokens and timing', () => {
    expect(
      recordedIn(
        { step_name: 'plan', input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3, order_id: 'o' },
        `${S}/token_usage.json`,
      ),
    ).toMatchObject({
      source: 'token_usage',
      dirName: S,
      stepName: 'plan',
      orderId: 'o',
      inputTokens: 1,
      outputTokens: 2,
      cacheReadInputTokens: 3,
    })
    expect(one({ step_name: 'plan', total_seconds: 3.5 }, `${S}/step_timing.json`)).toMatchObject({
      executionKey: S,
      kind: 'meta',
      summary: 'Timing: step plan, 3.5 s',
    })
  })

  test('anomalies and the trace', () => {
    expect(
      one(
        { ts: '2026-04-06T06:00:05Z', seq: 1, event: 'anomaly', kind: 'oom_spike', severity: 'warning' },
        `${S}/anomalies.jsonl`,
      ),
    ).toMatchObject({
      executionKey: S,
      type: 'anomaly/oom_spike',
      kind: 'meta',
      summary: 'Anomaly oom_spike (warning)',
      at: '2026-04-06T06:00:05.000Z',
      facts: {},
    })
    expect(
      one(
        { ts: '2026-04-06T06:00:05Z', seq: 1, event: 'snapshot', comm: 'claude', state: 'sleeping' },
        `${S}/proc_trace.jsonl`,
      ),
    ).toMatchObject({
      executionKey: S,
      type: 'trace/snapshot',
      kind: 'progress',
      summary: 'Process snapshot 1 claude sleeping',
      facts: {},
    })
  })

  test('the text of a crash is one record that points at the line that says why', async () => {
    const text =
      'Traceback (most recent call last):\n  File "/opt/ä.py", line 3, in run\nFileNotFoundError: [Errno 2] No such file: \'claude\'\n'
    const { records, kept } = await parse(text, `sessions/${NONE}/crash_exception.txt`)
    expect(records).toMatchObject([
      { executionKey: NONE, type: 'crash_exception.txt', kind: 'run_result', offset: 0, length: kept.length },
    ])
    const { crash, span } = records[0]!.facts.recorded!
    expect(crash).toBe("FileNotFoundError: [Errno 2] No such file: 'claude'")
    expect(new TextDecoder().decode(kept.subarray(span.start, span.end))).toBe(crash)
  })
})

describe('older and newer versions', () => {
  test('`pipeline_id` is the kitchen, `kitchen_id` counts above it', () => {
    const { kitchen_id: _, ...older } = indexLine
    expect(recordedIn({ ...older, pipeline_id: 'p' }, 'sessions.jsonl')).toMatchObject({ kitchenId: 'p' })
    expect(recordedIn({ ...indexLine, pipeline_id: 'p' }, 'sessions.jsonl')).toMatchObject({ kitchenId: 'k' })
  })

  test('words that no list knows are kept as they are', () => {
    expect(
      recordedIn(
        { ...summary, subtype: 'thinking_only', termination_reason: 'thinking_stall', kill_reason: 'x y' },
        `${S}/summary.json`,
      ),
    ).toMatchObject({
      subtype: 'thinking_only',
      terminationReason: 'thinking_stall',
      killReason: 'x y',
    })
  })

  test('the folder of a resumed session is one of its runs', () => {
    const dir = `${S}_2026-05-02T10-00-00.000000+00-00`
    expect(one({ step_name: 'plan', total_seconds: 1 }, `${dir}/step_timing.json`)).toMatchObject({
      executionKey: S,
      facts: { recorded: { dirName: dir } },
    })
    expect(one({ ...summary, dir_name: dir }, `${dir}/summary.json`).executionKey).toBe(S)
  })

  test('a line that says how long it took has an end; labels that are no step are none', () => {
    expect(recordedIn({ ...indexLine, duration_seconds: 2.5 }, 'sessions.jsonl')).toMatchObject({
      endedAt: '2026-04-06T06:00:02.623Z',
    })
    expect(
      recordedIn({ session_label: 'dispatch:7', input_tokens: 1 }, `${S}/token_usage.json`),
    ).not.toHaveProperty('stepName')
    expect(recordedIn({ session_label: 'plan', input_tokens: 1 }, `${S}/token_usage.json`)).toMatchObject({
      stepName: 'plan',
    })
  })

  test('a time without a zone is UTC, as for the source itself', () => {
    expect(recordedIn({ ...summary, start_ts: '2026-04-06T06:00:00.5' }, `${S}/summary.json`)).toMatchObject({
      startedAt: '2026-04-06T06:00:00.500Z',
    })
  })
})

describe('whose a record is', () => {
  test.each<[string, unknown, string, string]>([
    ['the session it names', indexLine, 'sessions.jsonl', S],
    [
      'the folder it names, without a session',
      { ...indexLine, session_id: '', dir_name: NONE },
      'sessions.jsonl',
      NONE,
    ],
    ['the folder it lies in', { seq: 0, event: 'snapshot' }, `sessions/${NONE}/proc_trace.jsonl`, NONE],
    ['the session it names, whatever folder it lies in', summary, 'sessions/elsewhere/summary.json', S],
  ])('%s', (_, value, fileName, key) => {
    expect(one(value, fileName)).toMatchObject({ executionKey: key })
    expect(one(value, fileName)).not.toHaveProperty('homeless')
  })

  test.each<[string, unknown, string]>([
    ['a line of the index that names nothing', { success: true, timestamp: 'x' }, 'sessions.jsonl'],
    ['a document without a folder', { input_tokens: 1, output_tokens: 2 }, 'token_usage.json'],
    ['what is no object', [1], 'sessions.jsonl'],
  ])('%s belongs to none, and is odd', (_, value, fileName) => {
    expect(one(value, fileName)).toMatchObject({ homeless: true, oddReason: expect.any(String) })
  })

  test('files of one run are streams of their own, wherever the folder lies; lines of the index are known by what they say', async () => {
    const identity = async (text: string, fileName: string) =>
      streamIdentity({
        kind: 'autoskillit',
        ...(await peekPart('autoskillit', new TextEncoder().encode(text), fileName)),
      })
    const same = '{"seq":0,"event":"snapshot"}\n'
    const names = await Promise.all(
      [
        `sessions/${S}/proc_trace.jsonl`,
        `sessions/${S}/anomalies.jsonl`,
        `sessions/${NONE}/proc_trace.jsonl`,
      ].map((name) => identity(same, name)),
    )
    expect(new Set(names).size).toBe(3)
    expect(await identity(same, `${S}/proc_trace.jsonl`)).toBe(names[0])
    expect(await identity('{"other":1}', `${S}/proc_trace.jsonl`)).toBe(names[0])
    expect(await identity(JSON.stringify(indexLine), 'sessions.jsonl')).toBe(
      await identity(JSON.stringify(indexLine), 'a/sessions-archive.jsonl'),
    )
  })
})

describe('input that is odd', () => {
  test.each<[string, unknown]>([
    [
      'texts',
      { session_id: 7, dir_name: [], skill_command: {}, subtype: 1, kitchen_id: true, start_ts: 5, cwd: [] },
    ],
    ['numbers', { exit_code: '1', duration_seconds: null, write_call_count: [], input_tokens: {} }],
    ['flags and lists', { success: 'true', clone_contamination_reverted: 1, write_path_warnings: 'x' }],
    ['nothing at all', {}],
  ])('wrong %s read as absent, and are told', (_, wrong) => {
    const record = one({ ...summary, ...(wrong as object) }, `${S}/summary.json`)
    expect(record.executionKey).toBe(S)
    for (const key of Object.keys(wrong as object))
      if ((wrong as Record<string, unknown>)[key] !== null)
        expect(record).toMatchObject({ oddReason: 'wrong_type', oddDetail: { id: 'wrong_fields' } })
  })

  test('a torn line of the index waits for its rest, or is odd and nobody’s', async () => {
    const text = `${JSON.stringify(indexLine)}\n${JSON.stringify(indexLine).slice(0, 40)}`
    expect((await parse(text, 'sessions.jsonl', false)).records).toHaveLength(1)
    expect((await parse(text, 'sessions.jsonl')).records.map((r) => [r.oddReason, r.homeless])).toEqual([
      [undefined, undefined],
      ['torn_line', true],
    ])
  })

  test('what is too deep, no UTF-8, binary or empty is kept and told', async () => {
    const deep = `{"a":${'['.repeat(limits.jsonDepthMax + 1)}${']'.repeat(limits.jsonDepthMax + 1)}}\n`
    expect((await parse(deep, `${S}/proc_trace.jsonl`)).records).toMatchObject([
      { oddReason: 'too_deep', executionKey: S },
    ])
    const noText = Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d, 10)
    expect((await parse(noText, `${S}/proc_trace.jsonl`)).records).toMatchObject([
      { oddReason: 'invalid_utf8', executionKey: S },
    ])
    expect((await parse(noText, `${S}/crash_exception.txt`)).records).toMatchObject([
      { oddReason: 'invalid_utf8', executionKey: S },
    ])
    expect((await parse(new Uint8Array(500), `${S}/crash_exception.txt`)).records).toMatchObject([
      { oddReason: 'binary', executionKey: S, length: 500 },
    ])
    expect((await parse(' \n', `${S}/crash_exception.txt`)).records).toEqual([])
  })

  test('a record with keys of no file is kept under its folder, and told', () => {
    expect(one({ campaign_id: 'c' }, `sessions/${S}/meta.json`)).toMatchObject({
      executionKey: S,
      oddReason: 'unknown_type',
    })
  })

  test('NUL characters and secrets in a crash never reach the record', async () => {
    const { secret, text } = secretSamples()[0]!
    const { records, kept, marks } = await parse(
      `RuntimeError: bad\0thing\n${text}\n`,
      `${S}/crash_exception.txt`,
    )
    expect(JSON.stringify(records)).not.toMatch(/\\u0000/)
    expect(records[0]!.facts.recorded!.crash).toBe('RuntimeError: bad␀thing')
    expect(marks.length).toBeGreaterThan(0)
    expect(new TextDecoder().decode(kept)).not.toContain(secret)
  })
})

const names = [
  'sessions.jsonl',
  `sessions/${S}/summary.json`,
  `${S}/audit_log.json`,
  `${NONE}/proc_trace.jsonl`,
  `${S}/anomalies.jsonl`,
  `${S}/token_usage.json`,
  `${S}/crash_exception.txt`,
  'summary.json',
  'x',
]
const keys = [
  'session_id',
  'dir_name',
  'success',
  'subtype',
  'exit_code',
  'start_ts',
  'timestamp',
  'duration_seconds',
  'needs_retry',
  'retry_reason',
  'event',
  'seq',
  'kind',
  '__proto__',
  'write_path_warnings',
  'input_tokens',
]

test('no input makes it throw, and every byte is kept', async () => {
  const value = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue({ maxDepth: 3 }))
  const text = fc.oneof(
    fc
      .array(
        fc.oneof(
          value.map((v) => JSON.stringify(v)),
          fc.string(),
          fc.json(),
        ),
        { maxLength: 5 },
      )
      .map((list) => list.join('\n')),
    fc.array(value, { maxLength: 4 }).map((list) => JSON.stringify(list)),
    value.map((v) => JSON.stringify(v, null, 2)),
  )
  const body = fc.oneof(
    text.map((t) => new TextEncoder().encode(t)),
    fc.tuple(text, fc.nat()).map(([t, n]) => new TextEncoder().encode(t).subarray(0, n)),
    fc.uint8Array(),
  )
  await fc.assert(
    fc.asyncProperty(body, fc.constantFrom(...names), async (bytes, fileName) => {
      const { records, kept } = await parsePart({
        adapter: autoskillit,
        bytes,
        offset: 0,
        context: autoskillit.start({ fileName }),
        redact: false,
        final: true,
      })
      expect(Buffer.from(kept).equals(bytes)).toBe(true)
      for (const record of records) {
        expect(record.oddDetail?.id).not.toBe('not_readable')
        expect(record.executionKey).not.toBe('')
        if (fileName.startsWith(S) || fileName.startsWith(NONE)) expect(record.homeless).toBeUndefined()
      }
    }),
    { numRuns: 400 },
  )
})
