import { describe, expect, test } from 'vitest'
import type { ExactJson } from '../exact-json'
import { WrittenNumber } from '../exact-number'
import { attachedDiagnosis } from './attached-diagnosis'
import { judgeEndToEnd } from './end-to-end'
import { parseLocalReply, parseRemoteReply } from './model-reply'
import { selectDiagnosis } from './select-diagnosis'
import { validateDiagnosis } from './validate-diagnosis'

const good = { category: 'auth', confidence: 0.5, root_cause: 'x', suggested_action: 'y', source: 'ollama' }

describe('a diagnosis', () => {
  test.each<[Record<string, ExactJson>, string[]]>([
    [{}, []],
    [{ confidence: 0 }, []],
    [{ confidence: new WrittenNumber('1.0') }, []],
    [{ confidence: new WrittenNumber('1.00000000000000000001') }, ['confidence_out_of_range']],
    [{ confidence: -0.1 }, ['confidence_out_of_range']],
    [{ confidence: '0.5' }, ['confidence_not_a_number']],
    [{ confidence: true }, ['confidence_not_a_number']],
    [{ confidence: null }, ['confidence_not_a_number']],
    [{ category: 'Auth' }, ['category_not_in_set']],
    [{ source: 'gemini', category: null }, ['category_not_in_set', 'source_not_in_set']],
    [{ root_cause: '', suggested_action: [] }, ['root_cause_empty', 'suggested_action_not_a_string']],
    [{ root_cause: null, suggested_action: '' }, ['root_cause_not_a_string', 'suggested_action_empty']],
    [{ more: 1 }, []],
  ])('with %j: %j', (rest, problems) =>
    expect(validateDiagnosis({ ...good, ...rest })).toMatchObject({ complete: true, missing: [], problems }),
  )

  test('is grouped by its category, or as unknown', () => {
    expect(validateDiagnosis(good)).toMatchObject({ groupCategory: 'auth', confidenceUsable: true })
    expect(validateDiagnosis({ ...good, category: 'quota', confidence: 7 })).toMatchObject({
      groupCategory: 'unknown',
      confidenceUsable: false,
    })
  })

  test('lacks what it lacks', () => {
    expect(validateDiagnosis({ category: 'x', source: 'ollama' })).toEqual({
      complete: false,
      missing: ['confidence', 'root_cause', 'suggested_action'],
      problems: ['category_not_in_set', 'missing_keys'],
      groupCategory: 'unknown',
      confidenceUsable: false,
    })
    for (const value of [null, [good], 'x'])
      expect(validateDiagnosis(value)).toMatchObject({ problems: ['not_an_object'], missing: { length: 5 } })
  })
})

describe('a failure', () => {
  const envelope = {
    status: 'error',
    framework: 'noetl',
    execution_id: '5',
    error: { kind: 'agent.execution', code: 'PLAYBOOK_FAILED' },
  }
  test('without a diagnosis still says its error', () =>
    expect(attachedDiagnosis({ envelope })).toMatchObject({
      state: 'absent',
      envelope: { errorCode: 'PLAYBOOK_FAILED' },
      lowConfidence: null,
    }))
  test('of which nothing is known is shown as that', () =>
    expect(attachedDiagnosis({})).toEqual({ state: 'absent', envelope: null, lowConfidence: null }))
  test.each<[ExactJson, boolean | null]>([
    [0.49, true],
    [0.5, false],
    [7, null],
    ['0.1', null],
  ])('whose diagnosis has confidence %j is a guess: %s', (confidence, lowConfidence) =>
    expect(
      attachedDiagnosis({ envelope: { ...envelope, error: { diagnosis: { ...good, confidence } } } }),
    ).toMatchObject({ state: 'complete', lowConfidence }),
  )
})

describe('the reply of a model', () => {
  const text = JSON.stringify({ ...good, user_message: 'z' })
  test.each<[string, unknown]>([
    ['as text', text],
    ['in its first block', { content: [{ text }] }],
    ['as its text', { content: [], text }],
    ['as its message', { message: text }],
    ['in a fence', `\`\`\`json\n${text}\n\`\`\``],
    ['among prose', `Sure: ${text} Hope this helps.`],
    ['in a fence among prose with braces', `See {x}: \`\`\`json\n${text}\n\`\`\` {y}`],
    ['in a list', `[${text}]`],
  ])('is read %s', (_, reply) =>
    expect(parseLocalReply(reply)).toEqual({
      confidence: 0.5,
      category: 'auth',
      rootCause: 'x',
      suggestedAction: 'y',
      userMessage: 'z',
      parseError: false,
    }),
  )

  test.each([null, '', 'no json', '{"a":', '{"a":NaN}', `${text}\n${text}`, { content: [] }])(
    'that is none: %j',
    (reply) =>
      expect(parseLocalReply(reply)).toEqual({
        confidence: 0,
        category: 'unknown',
        rootCause: '',
        suggestedAction: '',
        userMessage: '',
        parseError: true,
      }),
  )

  test.each<[string, number]>([
    ['85', 1],
    ['-1', 0],
    ['1e400', 1],
    ['"0.5"', 0.5],
    ['" .5 "', 0.5],
    ['"5%"', 0],
    ['true', 0],
    ['null', 0],
    ['[1]', 0],
    ['"nan"', 0],
    ['"0x1"', 0],
    ['""', 0],
  ])('with confidence %s: %f', (confidence, value) =>
    expect(parseLocalReply(`{"confidence":${confidence}}`)).toMatchObject({
      confidence: value,
      parseError: false,
    }),
  )

  test('a long row of digits is no work', () =>
    expect(parseLocalReply(JSON.stringify({ confidence: `${'1'.repeat(500_000)}x` })).confidence).toBe(0))

  test('of a remote model is read as its source does', () => {
    const openai = (content: string): unknown => ({ choices: [{ message: { content } }] })
    expect(parseRemoteReply('openai', openai('{"confidence":83,"first_pass_correct":true}'))).toMatchObject({
      result: { confidence: 83, firstPassCorrect: true, category: 'unknown' },
    })
    expect(parseRemoteReply('openai', JSON.stringify(openai(text)))).toMatchObject({
      result: { confidence: 0.5 },
    })
    expect(parseRemoteReply('openai', openai(`\`\`\`json\n${text}\n\`\`\``))).toMatchObject({
      result: { confidence: 0, rootCause: '' },
    })
    expect(
      parseRemoteReply('claude', {
        content: [{ type: 'tool_use' }, { type: 'text', text: `\`\`\`json\n${text}\n\`\`\`` }],
      }),
    ).toMatchObject({ result: { source: 'claude', confidence: 0.5 } })
    expect(parseRemoteReply('openai', openai('{"confidence":"high"}'))).toEqual({ raises: 'ValueError' })
    expect(parseRemoteReply('openai', openai('{"confidence":[1]}'))).toEqual({ raises: 'TypeError' })
    expect(parseRemoteReply('claude', null)).toMatchObject({ result: { source: 'claude', confidence: 0 } })
  })

  test('of a remote model counts when it says ok, the first of them', () => {
    const remote = (source: string | null): object => ({
      status: 'ok',
      category: 'infra',
      confidence: 0.2,
      ...(source !== null && { source }),
    })
    expect(
      selectDiagnosis({ local: good, openai: remote('openai'), claude: remote('claude') }),
    ).toMatchObject({ source: 'openai', category: 'infra', escalated: true })
    expect(selectDiagnosis({ local: good, openai: { status: 'error' }, claude: remote(null) })).toMatchObject(
      { source: 'remote', escalated: false },
    )
    expect(selectDiagnosis({ local: good, openai: null, claude: null })).toEqual({
      category: 'auth',
      confidence: 0.5,
      rootCause: 'x',
      suggestedAction: 'y',
      source: 'ollama',
      escalated: false,
    })
    expect(selectDiagnosis({ local: null, openai: null, claude: null })).toMatchObject({
      category: 'unknown',
      confidence: 0,
      rootCause: '',
    })
  })
})

describe('the end-to-end run', () => {
  const agent_envelope = {
    status: 'error',
    framework: 'noetl',
    error: { kind: 'agent.execution', diagnosis: good },
  }
  test.each<[string, unknown, string, string[]]>([
    ['all is there', { smoke_status: 'ok', agent_envelope }, 'GREEN', []],
    ['it lies in a wrapper', { output: { smoke_status: 'ok', diagnosis: good } }, 'GREEN', []],
    [
      'it lies in a row',
      {
        events: [
          {
            node_name: 'extract_envelope',
            event_type: 'call.done',
            context: { smoke_status: 'ok', diagnosis: good },
          },
        ],
      },
      'GREEN',
      [],
    ],
    [
      'it lies in another row',
      {
        events: [
          { node_name: 'x', event_type: 'call.done', context: { smoke_status: 'ok', diagnosis: good } },
        ],
      },
      'RED',
      ['smoke_status_ok'],
    ],
    ['there is no diagnosis', { smoke_status: 'ok', diagnosis: 'x' }, 'AMBER', []],
    [
      'the envelope is odd, which does not decide',
      { smoke_status: 'ok', agent_envelope: { error: { kind: 'x' } }, diagnosis: good },
      'GREEN',
      ['envelope_error_kind', 'envelope_framework_noetl', 'envelope_status_error'],
    ],
    [
      'it failed, and the diagnosis is wrong',
      { smoke_status: 'no', diagnosis: { ...good, source: 'x', confidence: 2 } },
      'RED',
      ['confidence_in_range', 'smoke_status_ok', 'source_in_set'],
    ],
    ['it is no object', [1], 'RED', ['result_is_object']],
  ])('%s', (_, document, verdict, failedChecks) =>
    expect(judgeEndToEnd(document)).toEqual({ verdict, failedChecks }),
  )
})
