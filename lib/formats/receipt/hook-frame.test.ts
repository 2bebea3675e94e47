import { describe, expect, test } from 'vitest'
import { runReferenceHook } from './hook-frame'

const failed = {
  hook_event_name: 'PostToolUseFailure',
  session_id: 's',
  tool_name: 'Write',
  tool_use_id: 't',
  error: 'x',
}
const run = (value: object, hasMarker = false) => runReferenceHook(JSON.stringify(value), hasMarker)

describe('recognition', () => {
  test.each<[string, string, boolean, string]>([
    ['a known event', '{"hook_event_name":"PreToolUse","tool_name":"A"}', false, 'sent'],
    ['an event of another name', '{"hook_event_name":"Stop","tool_name":"A"}', false, 'unrecognised'],
    ['another name, with the marker', '{"hook_event_name":"Stop","tool_name":"A"}', true, 'sent'],
    ['a known event beside a wrong type', '{"hook_event_name":"PreToolUse","tool_name":5}', false, 'parse'],
    [
      'an event that was a number first',
      '{"hook_event_name":3,"hook_event_name":"PreToolUse","tool_name":"A"}',
      false,
      'unrecognised',
    ],
    [
      'a transcript path that is no text',
      '{"hook_event_name":"PreToolUse","tool_name":"A","transcript_path":1}',
      false,
      'parse',
    ],
    ['nothing', '', false, 'unrecognised'],
    ['nothing, with the marker', '', true, 'parse'],
  ])('%s', (_, stdin, hasMarker, stage) => expect(runReferenceHook(stdin, hasMarker).stage).toBe(stage))

  test('a frame is read when only blanks lie behind the limit of standard input', () => {
    expect(runReferenceHook(`${JSON.stringify(failed)}${' '.repeat(2 ** 21)}`, false).stage).toBe('sent')
    expect(run({ ...failed, tool_input: 'x'.repeat(2 ** 21) }).stage).toBe('unrecognised')
    expect(run({ ...failed, tool_input: 'x'.repeat(2 ** 21) }, true).stage).toBe('parse')
  })
})

describe('the emitter', () => {
  test.each<[string, object, string]>([
    ['an id of 256 bytes', { tool_use_id: 'é'.repeat(128) }, 'sent'],
    ['an id of 257 bytes', { tool_use_id: `${'é'.repeat(128)}a` }, 'emit'],
    ['an agent of 257 bytes', { agent_id: 'a'.repeat(257) }, 'emit'],
    ['a kind of agent of any length', { agent_type: 'a'.repeat(5_000) }, 'sent'],
    ['a path of 4097 bytes', { tool_input: { file_path: `${'é'.repeat(2048)}a` } }, 'emit'],
    ['a path of 4096 bytes', { tool_input: { file_path: 'é'.repeat(2048) } }, 'sent'],
    [
      'an input and an output that fit only apart',
      { tool_input: 'x'.repeat(524_300), tool_response: 'x'.repeat(524_300) },
      'emit',
    ],
    ['what fits only without the escapes for HTML', { tool_input: '<'.repeat(200_000) }, 'emit'],
    ['what fits just so with them', { tool_input: '<'.repeat(170_000) }, 'sent'],
  ])('%s', (_, fields, stage) => expect(run({ ...failed, ...fields }).stage).toBe(stage))

  test.each<[string, string]>([
    ['1e400', 'emit'],
    ['[{"a":-1e999}]', 'emit'],
    ['1'.repeat(400), 'emit'],
    ['"1e400"', 'sent'],
    ['{"1e400":1e308}', 'sent'],
    ['1e-400', 'sent'],
    [`${'['.repeat(9_000)}1e400${']'.repeat(9_000)}`, 'emit'],
  ])('of numbers, %.20s', (input, stage) => {
    const frame = (field: string): string => `${JSON.stringify(failed).slice(0, -1)},"${field}":${input}}`
    expect([
      runReferenceHook(frame('tool_input'), false).stage,
      runReferenceHook(frame('tool_response'), false).stage,
    ]).toEqual([stage, stage])
  })

  test('blanks between the tokens are not sent, and do not count', () => {
    const loose = `${JSON.stringify(failed).slice(0, -1)},"tool_input":[${'1, '.repeat(300_000)}"a  \\" b"]}`
    expect(runReferenceHook(loose, false).stage).toBe('sent')
  })
})

describe('a target', () => {
  test.each<[string, unknown, string | undefined, boolean]>([
    ['Write', { file_path: ' /a\u0085' }, '/a', false],
    ['Write', { FILE_PATH: '/a', file_path: '/b' }, '/b', false],
    ['Write', { file_path: null }, undefined, true],
    ['Write', { file_path: '\u00a0' }, undefined, true],
    ['Write', { file_path: '\ufeff' }, '\ufeff', false],
    ['Write', null, undefined, true],
    ['Write', undefined, undefined, false],
    ['Write', ['/a'], undefined, false],
    ['Write', { file_path: 1 }, undefined, false],
    ['Grep', { path: '/a' }, undefined, false],
    ['Grep', { file_path: '/a' }, '/a', false],
    ['Bash', { file_path: '/a' }, undefined, false],
    ['mcp__a__b', { file_path: '/a' }, undefined, false],
  ])('of %s with %j', (tool_name, tool_input, path, warns) => {
    const { frame, warnsMissingFilePath } = run({ ...failed, tool_name, tool_input })
    expect([frame!.target_resource, frame!.target_system, warnsMissingFilePath]).toEqual([
      path,
      path === undefined ? undefined : 'filesystem',
      warns,
    ])
  })

  test('a missing one is warned of also when the emitter takes nothing', () => {
    expect(run({ ...failed, tool_use_id: 't'.repeat(300), tool_input: {} })).toMatchObject({
      stage: 'emit',
      warnsMissingFilePath: true,
      frame: null,
    })
  })
})

test.each<[unknown, boolean, boolean, string]>([
  ['aé'.repeat(6_000), false, true, `${'aé'.repeat(5_461)}a…(truncated)`],
  [` ${'a'.repeat(16_384)} `, false, false, 'a'.repeat(16_384)],
  [null, true, false, 'tool call interrupted'],
])('error text %#', (error, is_interrupt, cut, text) => {
  const said = run({ ...failed, error, is_interrupt })
  expect([said.frame!.error, said.errorCut]).toEqual([text, cut])
})
