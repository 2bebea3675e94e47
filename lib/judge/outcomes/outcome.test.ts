import { describe, expect, test } from 'vitest'
import { createAnalysis } from '../../analysis/analyse'
import { CAUSE_CATEGORIES } from '../../model/cause-categories'
import { mayTryAgain, OUTCOME_RULES } from './outcome'
import { storyOf } from '../../analysis/story.support'
import type { AnalysedEvent } from '../../model/summary'

const analyse = (events: AnalysedEvent[]) => {
  const analysis = createAnalysis()
  for (const e of events) analysis.add(e)
  return analysis.finish()
}

const begun = () => storyOf('s').prompt('do it')
const stream = () => storyOf('s', 'stream').prompt('do it').say('working')
const hook = (how: string | null, error: string | null = null) =>
  storyOf('s', 'hook')
    .add('prompt', { prompt: 'do it' })
    .add('hook', how === null ? {} : { ended: { how, error } })

const inferred = [
  [
    'an API error in the place of the last answer',
    begun().call('a', 'Bash', 'x').ok('a').apiError('API Error: 500 {"message":"Internal server error"}'),
    'retriable',
    'api_error_last',
    'infrastructure',
    'api_error',
  ],
  [
    'an API error that refuses the request',
    begun().apiError('API Error: 401 {"message":"bad key"}', 401),
    'failed',
    'api_error_last',
    'infrastructure',
    'api_error',
  ],
  [
    'an API error that the run continued after',
    begun().apiError('API Error: 529 {}').prompt('continue').say('done'),
    'succeeded',
    'completed',
    null,
    'api_error',
  ],
  [
    'an interruption as the last user message',
    begun().call('a', 'Bash', 'sleep 9').interrupt(),
    'interrupted',
    'interrupted_last',
    null,
    'interruption',
  ],
  [
    'an interruption, then a local command',
    begun().say('hm').interrupt().prompt('/exit'),
    'interrupted',
    'interrupted_last',
    null,
    'interruption',
  ],
  [
    'an interruption that a later turn made good',
    begun().interrupt().prompt('go on').say('done'),
    'succeeded',
    'completed',
    null,
    null,
  ],
  [
    'a prompt without an answer',
    begun().say('first').prompt('second'),
    'unknown',
    'unanswered_prompt',
    null,
    'cut_off',
  ],
  ['a local command at the end', begun().say('done').prompt('/exit'), 'succeeded', 'completed', null, null],
  [
    'a last call without a result',
    begun().call('a', 'Bash', 'make'),
    'unknown',
    'call_without_result',
    null,
    'cut_off',
  ],
  [
    'parallel calls of which one has no result',
    begun().call('a', 'Bash', 'x', { messageId: 'm' }).call('b', 'Bash', 'y', { messageId: 'm' }).ok('b'),
    'unknown',
    'call_without_result',
    null,
    'cut_off',
  ],
  [
    'a call without a result that the agent spoke after',
    begun().call('a', 'Bash', 'x').say('done anyway'),
    'succeeded',
    'completed',
    null,
    null,
  ],
  [
    'a failed last call and no word after it',
    begun().call('a', 'Bash', 'make').fail('a', 'Exit code 2\nmake: *** no rule'),
    'failed',
    'failed_call_last',
    'tool',
    'tool_failure',
  ],
  [
    'a failed call and a word after it',
    begun().call('a', 'Bash', 'make').fail('a', 'Exit code 2').say('it cannot be built'),
    'succeeded',
    'completed',
    null,
    'call_failures',
  ],
  [
    'a stop hook that kept it',
    begun()
      .say('done')
      .add('hook', {
        hookStop: { errors: [], prevented: true, reason: 'tests first', span: { start: 0, end: 9 } },
      }),
    'failed',
    'stopped_by_hook',
    'hook',
    'hook_stop',
  ],
  [
    'a stop hook without complaint',
    begun()
      .say('done')
      .add('hook', { hookStop: { errors: [], prevented: false, reason: null, span: { start: 0, end: 9 } } }),
    'succeeded',
    'completed',
    null,
    null,
  ],
  [
    'the failure signal in the last text',
    begun().say('bad', { reason: 'the site is down' }),
    'failed',
    'signal_in_last_text',
    'agent',
    'agent_signal',
  ],
  [
    'the failure signal in an earlier text only',
    begun().say('bad', { reason: 'x' }).prompt('again').say('fine now'),
    'succeeded',
    'completed',
    null,
    null,
  ],
  ['results of calls that are not there', storyOf('s').ok('elsewhere'), 'unknown', 'no_activity', null, null],
  ['nothing but notes', storyOf('s').add('meta', { title: 'notes' }), 'unknown', 'no_activity', null, null],
  [
    'hook frames with StopFailure',
    hook('StopFailure', 'rate_limit'),
    'retriable',
    'stop_failure',
    'infrastructure',
    'api_error',
  ],
  [
    'hook frames with a StopFailure of the account',
    hook('StopFailure', 'billing_error'),
    'failed',
    'stop_failure',
    'infrastructure',
    'api_error',
  ],
  [
    'a session that closes after a StopFailure',
    hook('StopFailure', 'billing_error').add('meta', { ended: { how: 'SessionEnd', error: null } }),
    'failed',
    'stop_failure',
    'infrastructure',
    'api_error',
  ],
  [
    'a session that closes after the turn behind a StopFailure',
    hook('StopFailure', 'billing_error')
      .prompt('again')
      .add('meta', { ended: { how: 'SessionEnd', error: null } }),
    'succeeded',
    'stop_seen',
    null,
    null,
  ],
  ['hook frames with Stop', hook('Stop'), 'succeeded', 'stop_seen', null, null],
  ['hook frames without an end', hook(null), 'running', 'no_end_seen', null, null],
  [
    'hook frames that go on after a Stop',
    hook('Stop').prompt('and now?'),
    'running',
    'no_end_seen',
    null,
    null,
  ],
  [
    'a session that was only opened',
    storyOf('s', 'hook').add('run_start', {}),
    'running',
    'no_end_seen',
    null,
    null,
  ],
  [
    'hook frames without an end, with a failed call',
    hook(null).call('a', 'Bash', 'make').fail('a', 'Exit code 2\nno rule'),
    'running',
    'no_end_seen',
    null,
    'call_failures',
  ],
] as const

describe('without a result record the outcome is inferred by the first rule that applies', () => {
  test.each(inferred)('%s', (_name, story, outcome, rule, failedAt, category) => {
    const got = analyse(story.events)
    expect([got.outcome, got.outcomeRule, got.failedAt, got.outcomeBasis]).toEqual([
      outcome,
      rule,
      failedAt,
      'inferred',
    ])
    expect(got.cause?.category ?? null).toBe(category)
    expect(got.outcomeBecause).toMatch(/^[A-Z].*\.$/)
  })
})

const recorded = [
  ['success', {}, 'succeeded', 'result_success', null],
  [
    'a signal beats an error status',
    { isError: true, subtype: 'error_during_execution', signal: { reason: 'no build' } },
    'failed',
    'agent_signal',
    'agent',
  ],
  [
    'an API failure in the clothes of success',
    { isError: true, terminalReason: 'api_error', apiErrorStatus: 529, result: 'API Error: 529 {}' },
    'retriable',
    'api_failure',
    'infrastructure',
  ],
  [
    'an API failure that refuses the request',
    { isError: true, terminalReason: 'api_error', apiErrorStatus: 403 },
    'failed',
    'api_failure',
    'infrastructure',
  ],
  [
    'an older API failure that only the text shows',
    { isError: true, result: 'API Error: 500 {}' },
    'retriable',
    'api_failure',
    'infrastructure',
  ],
  [
    'the turn limit',
    {
      subtype: 'error_max_turns',
      isError: true,
      result: null,
      errors: ['Reached maximum number of turns (3)'],
    },
    'failed',
    'limit_reached',
    'cli',
  ],
  [
    'the budget',
    { subtype: 'error_max_budget_usd', isError: true, result: null },
    'failed',
    'limit_reached',
    'cli',
  ],
  [
    'killed in mid-2025 versions',
    { subtype: 'error_during_execution', isError: false, numTurns: 0, result: null },
    'interrupted',
    'killed',
    null,
  ],
  [
    'resume of an unknown session',
    {
      subtype: 'error_during_execution',
      isError: true,
      numTurns: 0,
      errors: ['No conversation found with session ID: x'],
      result: null,
    },
    'failed',
    'resume_unknown_session',
    'cli',
  ],
  [
    'a run that never started',
    { subtype: 'error_during_execution', isError: true, startupFailureReason: 'invalid_config' },
    'failed',
    'startup_failure',
    'cli',
  ],
  [
    'aborted tools',
    { subtype: 'error_during_execution', isError: true, terminalReason: 'aborted_tools' },
    'interrupted',
    'aborted',
    null,
  ],
  [
    'a hook that stopped it',
    { isError: true, terminalReason: 'stop_hook_prevented' },
    'failed',
    'hook_stopped',
    'hook',
  ],
  ['any other error', { subtype: 'error_new', isError: true }, 'failed', 'cli_status', 'cli'],
  [
    'no subtype and no error flag',
    { subtype: null, isError: null },
    'unknown',
    'result_status_missing',
    null,
  ],
  ['no subtype, but an error flag', { subtype: null, isError: true }, 'failed', 'cli_status', 'cli'],
  ['no subtype, but no error', { subtype: null, isError: false }, 'failed', 'cli_status', 'cli'],
  [
    'no status, but errors',
    { subtype: null, isError: null, errors: ['broken'] },
    'failed',
    'cli_status',
    'cli',
  ],
  ['subtype in other letters', { subtype: 'SUCCESS', isError: null }, 'succeeded', 'result_success', null],
  [
    'one refused tool',
    { permissionDenials: [{ tool: 'Write', callId: 'a' }] },
    'failed',
    'permission_denied',
    'tool',
  ],
  ['a broken result record', { unreadable: true, subtype: null }, 'unknown', 'result_unreadable', null],
] as const

describe('with a result record the verdict is recorded', () => {
  test.each(recorded)('%s', (_name, result, outcome, rule, failedAt) => {
    const got = analyse(stream().result(result as never).events)
    expect([got.outcome, got.outcomeRule, got.failedAt, got.outcomeBasis]).toEqual([
      outcome,
      rule,
      failedAt,
      'recorded',
    ])
    if (outcome !== 'succeeded') expect(got.cause!.pointer).not.toBeNull()
  })

  test('what the verdict would hide stands beside it', () => {
    const { outcomeBecause } = analyse(
      stream().result({
        isError: true,
        terminalReason: 'api_error',
        apiErrorStatus: 529,
        errors: ['overloaded'],
      }).events,
    )
    expect(outcomeBecause).toContain('terminal reason api_error')
    expect(outcomeBecause).toContain('API status 529')
    expect(outcomeBecause).toContain('overloaded')
  })

  test('it beats what the transcript lets one infer, and the disagreement is listed', () => {
    const transcript = storyOf('t').prompt('do it').say('all done')
    const got = analyse([
      ...stream().result({ subtype: 'error_max_turns', isError: true }).events,
      ...transcript.events,
    ])
    expect([got.outcome, got.outcomeBasis]).toEqual(['failed', 'recorded'])
    expect(got.disagreements).toContainEqual(
      expect.objectContaining({
        fact: 'outcome',
        used: 'failed',
        values: expect.arrayContaining([
          { channel: 'result', said: 'failed' },
          { channel: 'transcript', said: 'succeeded' },
        ]),
      }),
    )
  })

  test('of several result records the last counts', () => {
    const got = analyse(stream().result({ isError: true }).result({}).events)
    expect(got.outcome).toBe('succeeded')
  })

  test('a result record that a further turn follows decides nothing about that turn', () => {
    const got = analyse(stream().result({}).prompt('one more').call('z', 'Bash', 'make').events)
    expect([got.outcome, got.outcomeBasis]).toEqual(['unknown', 'inferred'])
  })
})

test('a result record without a subtype is not blamed on what the agent said', () => {
  const { cause } = analyse(stream().result({ subtype: null, isError: null, result: 'All done.' }).events)
  expect(cause!.text).toBe('The run ended, but its result record does not say how')
})

test('requests that failed before a cut end are named with their status', () => {
  const story = begun()
    .apiError('API Error: 500 {"type":"error"}')
    .apiError('API Error: 500 {"type":"error"}')
    .prompt('go on')
    .call('a', 'Bash', 'make')
  const cause = analyse(story.events).cause!
  expect(cause.text.split('\n')).toEqual([
    'The record ends before Bash “make” returned',
    'Earlier: 2 model requests (HTTP 500, “API Error: 500 {"type":"error"}”) failed and the run continued.',
  ])
})

test('a StopFailure frame is quoted with its details', () => {
  const story = storyOf('s', 'hook')
    .prompt('x')
    .add('api_error', {
      ended: { how: 'StopFailure', error: 'rate_limit' },
      apiError: { class: 'rate_limit', status: null, text: '429 slow down', span: { start: 5, end: 20 } },
    })
  expect(analyse(story.events).cause).toMatchObject({
    text: 'The run stopped on a failed model request (rate_limit): “429 slow down”',
    pointer: { byteStart: 105, byteEnd: 120 },
  })
})

test('every rule and every category that the tables name is in the closed lists', () => {
  for (const [, , , rule, , category] of inferred) {
    expect(OUTCOME_RULES).toContain(rule)
    if (category !== null) expect(CAUSE_CATEGORIES).toContain(category)
  }
  for (const [, , , rule] of recorded) expect(OUTCOME_RULES).toContain(rule)
})

test.each([
  [{ class: 'rate_limit', status: null, text: '' }, true],
  [{ class: 'billing_error', status: 529, text: '' }, false],
  [{ class: 'unknown', status: 429, text: '' }, true],
  [{ class: null, status: null, text: 'API Error: 400 {}' }, false],
  [{ class: null, status: null, text: 'API Error: Connection error.' }, true],
  [{ class: null, status: null, text: "You've hit your limit · resets 3pm" }, true],
  [{ class: null, status: null, text: 'Prompt is too long' }, false],
])('an API failure %j may be tried again: %s', (e, again) => expect(mayTryAgain(e)).toBe(again))
