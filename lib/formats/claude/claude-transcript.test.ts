import type { WrongFieldProblem } from '../../model/messages/odd-details'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesAt, foldAll, lineOf } from './testing/fold'
import type { NormalRecord } from '../../model/normal-form'
import { claudeTranscript } from './claude-transcript'

const wrong = (path: string, problem: WrongFieldProblem) => ({
  id: 'wrong_fields',
  params: { fields: [{ path, problem }] },
})

const SESSION = 'b1f0c1de-0000-4000-8000-000000000001'
const common = { sessionId: SESSION, isSidechain: false, timestamp: '2026-01-02T03:04:05.678Z' }

const assistant = (content: unknown, extra: object = {}, message: object = {}) => ({
  type: 'assistant',
  ...common,
  ...extra,
  message: { id: 'msg_1', role: 'assistant', model: 'claude-x', content, ...message },
})
const user = (content: unknown, extra: object = {}) => ({
  type: 'user',
  ...common,
  ...extra,
  message: { role: 'user', content },
})
const call = (id: string, name = 'Bash', input: unknown = { command: 'npm test' }) => ({
  type: 'tool_use',
  id,
  name,
  input,
})
const result = (id: string, content: unknown, is_error?: unknown) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...(is_error === undefined ? {} : { is_error }),
})

const fold = (...values: unknown[]): NormalRecord[] => foldAll(claudeTranscript, values)
const one = (value: unknown): NormalRecord => fold(value)[0]!

describe('messages', () => {
  test('two records of one message carry the same message id, in usage and calls', () => {
    const usage = {
      input_tokens: 3,
      output_tokens: 7,
      cache_read_input_tokens: 11,
      cache_creation_input_tokens: 13,
    }
    const [text, tool] = fold(
      assistant([{ type: 'text', text: 'I run it.' }], { uuid: 'a' }, { usage }),
      assistant([call('t1')], { uuid: 'b' }, { usage }),
    )
    const wanted = {
      messageId: 'msg_1',
      model: 'claude-x',
      inputTokens: 3,
      outputTokens: 7,
      cacheReadInputTokens: 11,
      cacheCreationInputTokens: 13,
    }
    expect([text!.facts.usage, tool!.facts.usage]).toEqual([wanted, wanted])
    expect(tool!.facts.calls![0]).toMatchObject({
      callId: 't1',
      tool: 'Bash',
      target: 'npm test',
      looseTarget: 'npm test',
      messageId: 'msg_1',
    })
    expect([text!.kind, tool!.kind]).toEqual(['text', 'call'])
    expect(text!.identity).toBe('a')
  })

  test.each<[string, unknown, boolean]>([
    ['absent', undefined, false],
    ['false', false, false],
    ['null', null, false],
    ['true', true, true],
  ])('is_error %s', (_, flag, failed) => {
    const record = fold(assistant([call('t1')]), user([result('t1', 'Exit code 2\nboom', flag)]))[1]!
    expect(record.facts.results![0]!.failed).toBe(failed)
    expect(record.facts.results![0]!.text).toBe(failed ? 'Exit code 2\nboom' : undefined)
    expect(record.oddReason).toBeUndefined()
  })

  test('a flag of the wrong type is no failure, and is shown as odd', () => {
    const record = one(user([result('t1', 'x', 'true')]))
    expect(record.facts.results![0]!.failed).toBe(false)
    expect(record).toMatchObject({
      oddReason: 'wrong_type',
      oddDetail: wrong('/message/content/0/is_error', 'not_flag'),
      kind: 'result',
    })
  })

  test('a failure has signs, exit code, text without its tags, and exact places', () => {
    const value = user([result('t1', 'Exit code 2\nfatal: no remote “origin”', true)], {
      toolUseResult: 'Error: Exit code 2',
    })
    const line = lineOf(value)
    const fact = claudeTranscript.read(line, claudeTranscript.start({})).facts.results![0]!
    expect(fact).toMatchObject({
      signs: ['exit_code'],
      exitCode: 2,
      text: 'Exit code 2\nfatal: no remote “origin”',
    })
    expect(fact.span.jsonPointer).toBe('/message/content/0/content')
    expect(JSON.parse(bytesAt(line, fact.span))).toBe('Exit code 2\nfatal: no remote “origin”')
    expect(bytesAt(line, fact.decisive!.span)).toBe('fatal: no remote “origin”')
    expect(
      one(user([result('t1', '<tool_use_error>File does not exist.</tool_use_error>', true)])).facts
        .results![0]!.text,
    ).toBe('File does not exist.')
  })

  test('a failure without content takes the text of the side copy, and points there', () => {
    const line = lineOf(user([result('t1', '', true)], { toolUseResult: 'User rejected tool use' }))
    const fact = claudeTranscript.read(line, claudeTranscript.start({})).facts.results![0]!
    expect(fact).toMatchObject({ signs: ['refused_by_user'], text: 'User rejected tool use' })
    expect(bytesAt(line, fact.span)).toBe('"User rejected tool use"')
  })

  test('content in blocks is read one below the other', () => {
    const fact = one(
      user([
        result(
          't1',
          [
            { type: 'text', text: 'a' },
            { type: 'image', source: {} },
            { type: 'text', text: 'b' },
          ],
          true,
        ),
      ]),
    ).facts.results![0]!
    expect(fact.text).toBe('a\n[image]\nb')
    expect(fact.span.jsonPointer).toBe('/message/content/0/content')
  })

  test('long failure texts are cut and say so', () => {
    const fact = one(user([result('t1', 'x'.repeat(5_000), true)])).facts.results![0]!
    expect([fact.text!.length, fact.textCut]).toEqual([2_000, true])
  })

  test('of a long failure text the head and the tail stay: a traceback ends with its reason', () => {
    const text = `Exit code 1\n${'  File "x.py", line 1\n'.repeat(400)}TypeError: no branch_slug`
    const fact = one(user([result('t1', text, true)])).facts.results![0]!
    expect(fact.text).toMatch(
      /^Exit code 1\n[\s\S]*the middle is left out here[\s\S]*TypeError: no branch_slug$/,
    )
    expect(fact.decisive?.text).toBe('TypeError: no branch_slug')
  })

  test('the failure signal is looked for in the whole text and pointed at', () => {
    const text = `<octopus-task-failed>no disk</octopus-task-failed>${'.'.repeat(1_000)}`
    const line = lineOf(
      assistant([
        { type: 'text', text: 'first' },
        { type: 'text', text },
      ]),
    )
    const said = claudeTranscript.read(line, claudeTranscript.start({})).facts.said!
    expect(said.signal).toEqual({ reason: 'no disk' })
    expect(said.tail).toBe('.'.repeat(300))
    expect(said.span.jsonPointer).toBe('/message/content/1/text')
  })

  test('an API error is no text of the agent, and its zero usage does not count', () => {
    const record = one(
      assistant(
        [{ type: 'text', text: 'API Error: 529 {"type":"error"}' }],
        { isApiErrorMessage: true, error: 'overloaded' },
        { model: '<synthetic>', usage: { input_tokens: 0 } },
      ),
    )
    expect(record.kind).toBe('api_error')
    expect(record.facts).toMatchObject({
      apiError: { class: 'overloaded', status: 529, text: 'API Error: 529 {"type":"error"}' },
    })
    expect(record.facts.said ?? record.facts.usage ?? record.facts.model).toBeUndefined()
  })

  test('a synthetic record without an error is none', () => {
    expect(
      one(assistant([{ type: 'text', text: 'No response requested.' }], {}, { model: '<synthetic>' })).kind,
    ).toBe('text')
  })

  test.each(['[Request interrupted by user]', '[Request interrupted by user for tool use]'])(
    '%s is an interruption',
    (text) => {
      const record = one(user([{ type: 'text', text }]))
      expect(record.kind).toBe('interruption')
      expect(record.facts.interruption!.span.jsonPointer).toBe('/message/content/0/text')
      expect(one(user(`about ${text}`)).kind).toBe('prompt')
      expect(one(user([result('t1', text, true)])).facts.interruption).toBeUndefined()
    },
  )

  test.each<[string, unknown, object]>([
    ['meta', 'Caveat: x', { isMeta: true }],
    ['meta', 'x', { isVisibleInTranscriptOnly: true }],
    ['meta', '<local-command-stdout>done</local-command-stdout>', {}],
    ['meta', [{ type: 'text', text: '<system-reminder>be good</system-reminder>' }], {}],
    ['compaction', 'This session is being continued', { isCompactSummary: true }],
    ['prompt', 'Mend it', {}],
    ['prompt', '<system-reminder>be good</system-reminder>\nMend it', {}],
  ])('%s: %j %j', (kind, content, extra) => {
    const record = one(user(content, extra))
    expect(record.kind).toBe(kind)
    expect(record.facts.prompt).toBe(kind === 'prompt' ? 'Mend it' : undefined)
  })

  test('a slash command reads as it was typed', () => {
    const typed =
      '<command-name>/deploy</command-name>\n<command-message>deploy</command-message>\n<command-args>now</command-args>'
    expect(one(user(typed)).facts.prompt).toBe('/deploy now')
  })

  test('replaced messages are named, so that they can be left out', () => {
    expect(one(assistant([], { supersedes: ['u1', 'u2'] })).facts.retracts).toEqual(['u1', 'u2'])
    expect(
      one({
        type: 'system',
        subtype: 'model_refusal_fallback',
        ...common,
        retracted_message_uuids: ['u3'],
      }).facts.retracts,
    ).toEqual(['u3'])
  })
})

describe('other records', () => {
  test('a retried request', () => {
    const retry = {
      type: 'system',
      subtype: 'api_error',
      ...common,
      retryAttempt: 2,
      maxRetries: 10,
      error: { status: 529, error: { type: 'error', error: { type: 'overloaded_error' } } },
    }
    expect(one(retry)).toMatchObject({
      kind: 'api_retry',
      type: 'system/api_error',
      facts: { apiRetry: { attempt: 2, maxRetries: 10, status: 529, class: 'overloaded_error' } },
    })
    expect(one({ ...retry, error: {} }).facts.apiRetry).toMatchObject({ status: null, class: null })
  })

  test('a stop hook that complained, and one that held the run', () => {
    const hook = {
      type: 'system',
      subtype: 'stop_hook_summary',
      ...common,
      hookErrors: ['lint failed'],
      preventedContinuation: false,
      stopReason: '',
    }
    expect(one(hook).facts.hookStop).toMatchObject({
      errors: ['lint failed'],
      prevented: false,
      reason: null,
      span: { jsonPointer: '/hookErrors' },
    })
    const held = one({ ...hook, hookErrors: [], preventedContinuation: true, stopReason: 'no' })
    expect(held.facts.hookStop).toMatchObject({
      prevented: true,
      reason: 'no',
      span: { jsonPointer: '/stopReason' },
    })
  })

  test('a summary names the session only when it was made for a record of this file', () => {
    const summary = (leafUuid: string) => ({ type: 'summary', summary: 'Mended the door', leafUuid })
    const records = fold(summary('elsewhere'), user('x', { uuid: 'here' }), summary('here'))
    expect(records.map((record) => record.facts.title)).toEqual([undefined, undefined, 'Mended the door'])
  })

  test('a pull request names the repository', () => {
    expect(
      one({
        type: 'pr-link',
        sessionId: SESSION,
        prRepository: 'acme/doors',
        prUrl: 'https://example.com/1',
      }).facts.repository,
    ).toBe('acme/doors')
  })

  test('folder, branch, version and model are told where they change', () => {
    const at = (extra: object) => assistant([{ type: 'text', text: 'x' }], extra)
    const facts = fold(
      at({ cwd: '/a', gitBranch: 'm', version: '2' }),
      at({ cwd: '/a', gitBranch: 'm', version: '2' }),
      at({ cwd: '/a', gitBranch: 'n', version: '2' }),
    ).map(({ facts: { cwd, branch, version, model } }) => ({ cwd, branch, version, model }))
    expect(facts).toEqual([{ cwd: '/a', branch: 'm', version: '2', model: 'claude-x' }, {}, { branch: 'n' }])
  })

  test.each<[unknown, object]>([
    [
      { type: 'brand-new', sessionId: SESSION },
      { kind: 'meta', type: 'brand-new', oddReason: 'unknown_type' },
    ],
    [{ silly: 'this' }, { kind: 'odd', type: '', oddReason: 'unknown_type' }],
    [
      'massive error',
      {
        kind: 'odd',
        oddReason: 'not_an_object',
        oddDetail: { id: 'not_an_object', params: { is: 'string' } },
      },
    ],
    [
      [1],
      { kind: 'odd', oddReason: 'not_an_object', oddDetail: { id: 'not_an_object', params: { is: 'list' } } },
    ],
    [null, { kind: 'odd', oddReason: 'not_an_object' }],
    [
      { type: 'user', sessionId: SESSION, message: 'error' },
      { kind: 'meta', oddReason: 'wrong_type' },
    ],
    [{ type: 'user', sessionId: SESSION, message: { contenst: [] } }, { oddReason: 'wrong_type' }],
    [
      { type: 'assistant', sessionId: SESSION },
      { oddReason: 'wrong_type', oddDetail: wrong('/message', 'missing') },
    ],
    [
      { type: 'user', sessionId: 7, message: { content: 'x' } },
      { oddReason: 'wrong_type', oddDetail: wrong('/sessionId', 'not_text') },
    ],
    [
      { type: 'user', message: { content: 'x' } },
      { oddReason: 'no_session', kind: 'prompt' },
    ],
  ])('%j is kept and shown as odd', (value, want) => expect(one(value)).toMatchObject(want))
})

describe('executions', () => {
  const keys = (records: NormalRecord[]): string[] => records.map((record) => record.executionKey)

  test('each record goes to the session it names, others to the one before', () => {
    const records = fold(
      { type: 'file-history-snapshot' },
      user('x', { sessionId: 's1' }),
      { type: 'summary', summary: 's' },
      user('y', { sessionId: 's2' }),
      { type: 'file-history-snapshot' },
    )
    expect(keys(records).slice(1)).toEqual(['s1', 's1', 's2', 's2'])
    expect(keys(foldAll(claudeTranscript, [{ type: 'file-history-snapshot' }], { sessionId: 's1' }))).toEqual(
      ['s1'],
    )
  })

  test.each<[string, string]>([
    ['-home-x/agent-a1.jsonl', `${SESSION}/agent-a1`],
    [`-home-x/${SESSION}/subagents/agent-a1.jsonl`, `${SESSION}/agent-a1`],
    [`${SESSION}/subagents/agent-acompact-77.jsonl`, `${SESSION}/agent-acompact-77`],
    [`-home-x/${SESSION}.jsonl`, SESSION],
  ])('the file %s holds %s', (fileName, key) => {
    const record = foldAll(claudeTranscript, [{ type: 'user', message: { content: 'x' } }], {
      fileName,
      sessionId: fileName.includes(SESSION) ? null : SESSION,
    })[0]!
    expect(record.executionKey).toBe(key)
    expect(record.facts.childOf).toEqual(key === SESSION ? undefined : { parentKey: SESSION, callId: null })
  })

  test('a sub-agent tells its parent once, and the result of its call tells the child', () => {
    const [first, second] = fold(
      user('do', { isSidechain: true, agentId: 'a1' }),
      user('do', { isSidechain: true, agentId: 'a1' }),
    )
    expect([first!.executionKey, first!.facts.childOf, second!.facts.childOf]).toEqual([
      `${SESSION}/agent-a1`,
      { parentKey: SESSION, callId: null },
      undefined,
    ])
    const done = one(
      user([result('t1', 'done')], { toolUseResult: { agentId: 'a1', totalDurationMs: 1_200 } }),
    )
    expect(done.facts.results![0]).toMatchObject({ childAgentId: 'a1', durationMs: 1_200, failed: false })
    expect(done.facts.children).toEqual([{ callId: 't1', childKey: `${SESSION}/agent-a1` }])
  })

  test('progress of a sub-agent stays with the parent and names the child once', () => {
    const progress = {
      type: 'progress',
      ...common,
      parentToolUseID: 't1',
      data: { type: 'agent_progress', agentId: 'a1', message: { message: { content: [call('inner')] } } },
    }
    const [first, second] = fold(progress, progress)
    expect(first).toMatchObject({
      kind: 'progress',
      type: 'progress/agent_progress',
      executionKey: SESSION,
      facts: { children: [{ callId: 't1', childKey: `${SESSION}/agent-a1` }] },
    })
    expect(second!.facts).toEqual({})
  })

  test('sidechains of 1.0 are threaded by parent and joined to the calls that asked, also when two ask the same', () => {
    const task = (id: string, prompt: string) => call(id, 'Task', { prompt, description: 'd' })
    const side = (uuid: string, parentUuid: string | null, text: string) =>
      user(text, { isSidechain: true, uuid, parentUuid })
    const records = fold(
      assistant([task('t1', 'paint'), task('t2', 'paint'), task('t3', 'sweep')], { uuid: 'm1' }),
      side('r3', null, 'sweep'),
      side('r1', null, 'paint'),
      side('x3', 'r3', 'on'),
      side('r2', null, 'paint'),
      side('x1', 'r1', 'on'),
      side('lost', 'not-in-this-file', 'who am I'),
      user([result('t3', 'ok')], { uuid: 'm2' }),
    )
    expect(keys(records).map((key) => key.replace(SESSION, ''))).toEqual([
      '',
      '/sidechain-r3',
      '/sidechain-r1',
      '/sidechain-r3',
      '/sidechain-r2',
      '/sidechain-r1',
      '/sidechain-lost',
      '',
    ])
    expect(records.map((record) => record.facts.childOf?.callId)).toEqual([
      undefined,
      't3',
      't1',
      undefined,
      't2',
      undefined,
      null,
      undefined,
    ])
    expect(records.at(-1)!.facts.children).toEqual([{ callId: 't3', childKey: `${SESSION}/sidechain-r3` }])
  })

  test('without any session all records of the input share one key, the same for the same input', () => {
    const values = [{ type: 'summary', summary: 'a' }, 42]
    expect(new Set(keys(fold(...values))).size).toBe(1)
    expect(keys(fold(...values))).toEqual(keys(fold(...values)))
    expect(keys(fold(...values))[0]).toMatch(/^no-session-[0-9a-f]{16}$/)
    expect(keys(fold({ type: 'summary', summary: 'b' }))[0]).not.toBe(keys(fold(...values))[0])
  })

  test('names that mean something to JavaScript are ordinary names', () => {
    const odd = ['__proto__', 'constructor', 'toString']
    const records = fold(
      ...odd.flatMap((id) => [assistant([call(id)]), user([result(id, 'Exit code 1', true)])]),
      { type: 'constructor', sessionId: '__proto__' },
    )
    expect(records.flatMap((record) => record.facts.results ?? []).map((fact) => fact.callId)).toEqual(odd)
    expect(records.at(-1)).toMatchObject({ executionKey: '__proto__', oddReason: 'unknown_type' })
  })
})

describe('the context', () => {
  test('stays small however long the stream is', () => {
    const context = claudeTranscript.start({})
    for (let i = 0; i < 20_000; i++) {
      const side = { isSidechain: i % 2 === 0, uuid: `u${i}`, parentUuid: `u${i - 2}` }
      claudeTranscript.read(lineOf(assistant([call(`t${i}`, 'Task', { prompt: `p${i}` })], side)), context)
    }
    expect(JSON.stringify(context).length).toBeLessThan(500_000)
  })

  test('no JSON value makes the reader throw, and folding is deterministic', () => {
    const shaped = fc.record(
      {
        type: fc.oneof(
          fc.constantFrom('user', 'assistant', 'system', 'progress', 'summary', 'pr-link'),
          fc.jsonValue(),
        ),
        subtype: fc.oneof(
          fc.constantFrom('api_error', 'stop_hook_summary', 'compact_boundary'),
          fc.jsonValue(),
        ),
        message: fc.oneof(
          fc.jsonValue(),
          fc.record(
            {
              id: fc.jsonValue(),
              model: fc.jsonValue(),
              usage: fc.jsonValue(),
              content: fc.oneof(
                fc.jsonValue(),
                fc.array(
                  fc.record(
                    {
                      type: fc.constantFrom('text', 'tool_use', 'tool_result', 'thinking', 'new'),
                      text: fc.jsonValue(),
                      id: fc.jsonValue(),
                      name: fc.jsonValue(),
                      input: fc.jsonValue(),
                      tool_use_id: fc.oneof(fc.string(), fc.jsonValue()),
                      is_error: fc.jsonValue(),
                      content: fc.jsonValue(),
                    },
                    { requiredKeys: ['type'] },
                  ),
                ),
              ),
            },
            { requiredKeys: [] },
          ),
        ),
        sessionId: fc.jsonValue(),
        agentId: fc.jsonValue(),
        isSidechain: fc.jsonValue(),
        uuid: fc.jsonValue(),
        parentUuid: fc.jsonValue(),
        timestamp: fc.jsonValue(),
        toolUseResult: fc.jsonValue(),
        data: fc.jsonValue(),
        error: fc.jsonValue(),
        hookErrors: fc.jsonValue(),
        isApiErrorMessage: fc.jsonValue(),
        supersedes: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.jsonValue(), shaped), { minLength: 1, maxLength: 6 }), (values) => {
        const records = fold(...values)
        expect(records).toEqual(fold(...values))
        for (const record of records) {
          expect(record.executionKey).not.toBe('')
          const summary = typeof record.summary === 'string' ? record.summary : ''
          expect(summary.length).toBeLessThanOrEqual(200)
          expect(summary).not.toMatch(/[\n\r]/)
        }
      }),
      { numRuns: 500 },
    )
  })
})

test('a session that was forked says from which, once; a mark of another shape is passed over', () => {
  const fork = (sessionId: unknown) => ({ forkedFrom: { sessionId, messageUuid: 'u' } })
  const records = fold(
    user('go', fork('parent')),
    assistant([], fork('parent')),
    user('on'),
    user('again', fork('other')),
    user('odd', fork(7)),
    user('odd', { forkedFrom: 'parent' }),
  )
  expect(records.map(({ facts }) => facts.forkedFrom)).toEqual([
    'parent',
    undefined,
    undefined,
    'other',
    undefined,
    undefined,
  ])
  expect(records.some(({ oddReason }) => oddReason)).toBe(false)
})
