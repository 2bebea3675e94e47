import { describe, expect, test } from 'vitest'
import { useRecords } from '../testing/record-fixture'
import { agent } from '../testing/record-run'
import type { RecordRun } from '../testing/record-run'

const at = useRecords()
const signal = { result: 'Looked.\n<octopus-task-failed>\n3 tests fail\n</octopus-task-failed>' }
const refused = { permission_denials: [{ tool_name: 'Bash' }] }
const error = { subtype: 'error_max_turns', is_error: true, result: undefined, stop_reason: 'tool_use' }
const run = (options: string[], result: object | string): Promise<RecordRun> =>
  at.record(
    options,
    typeof result === 'string'
      ? ['sh', '-c', `printf '%s' '${result}'`]
      : agent('result', JSON.stringify(result)),
  )
const verdict = () => at.document().at(-1)!.verdict

describe('a run whose process ended with 0', () => {
  test.each<[string, string[], object | string, number, string | null]>([
    [
      'a signal fails it when that is asked',
      ['--fail-on', 'agent-signal'],
      signal,
      70,
      'The agent declared the run failed: 3 tests fail',
    ],
    ['a signal alone does not, when nothing is asked', [], signal, 0, null],
    ['a signal does not, when something else is asked', ['--fail-on', 'cli-status'], signal, 0, null],
    [
      'an error status',
      ['--fail-on', 'cli-status'],
      error,
      70,
      'The run did not complete well (subtype error_max_turns, stop reason tool_use)',
    ],
    ['refused tools', ['--fail-on', 'permission-denied'], refused, 70, 'Tools were refused: Bash'],
    [
      'refused tools beside a signal',
      ['--fail-on', 'permission-denied'],
      { ...signal, ...refused },
      70,
      'Tools were refused: Bash',
    ],
    [
      'of several kinds the first that applies',
      ['--fail-on', 'permission-denied,agent-signal'],
      { ...signal, ...refused },
      70,
      'The agent declared the run failed: 3 tests fail',
    ],
    [
      'kinds given one by one',
      ['--fail-on', 'contract', '--fail-on=agent-signal'],
      signal,
      70,
      'The agent declared the run failed: 3 tests fail',
    ],
    ['a good run', ['--fail-on', 'agent-signal,cli-status,permission-denied,contract,timeout'], {}, 0, null],
    [
      'no result record is no signal',
      ['--fail-on', 'agent-signal,cli-status,permission-denied'],
      'plain text',
      0,
      null,
    ],
    [
      'a result spread over lines',
      ['--fail-on', 'agent-signal'],
      JSON.stringify({ type: 'result', session_id: 's', subtype: 'success', ...signal }, null, 2),
      70,
      'The agent declared the run failed: 3 tests fail',
    ],
    [
      'a result behind 100 kB of noise',
      ['--fail-on', 'agent-signal'],
      `${'npm noise\n'.repeat(10_000)}${JSON.stringify({ type: 'result', session_id: 's', subtype: 'success', ...signal })}`,
      70,
      'The agent declared the run failed: 3 tests fail',
    ],
  ])('%s', async (_, options, result, status, text) => {
    const ended = await run(options, result)
    expect([ended.status, ended.err]).toEqual([
      status,
      expect.stringContaining(
        text === null ? 'inquest: recorded: ' : `inquest: failed although the process exited with code 0 (`,
      ),
    ])
    if (text !== null) expect(ended.err).toContain(`: ${text}); recorded: http`)
    expect(verdict()).toMatchObject(
      text === null ? { failedOn: null } : { failed: true, text, failedOn: expect.any(String) },
    )
  })
})

describe('the contract', () => {
  const contract = ['--fail-on', 'contract', '--marker', '%%DONE%%', '--expect', 'plan_path\\s*=\\s*/.+']
  test.each<[string, string[], object | string, string | null]>([
    ['kept', contract, { result: 'plan_path = /srv/plan.md\n%%DONE%%' }, null],
    [
      'without the marker',
      contract,
      { result: 'plan_path = /srv/plan.md' },
      'The result lacks the completion marker %%DONE%%',
    ],
    [
      'without what was asked for',
      contract,
      { result: 'I made a plan\n%%DONE%%' },
      'The result does not match the expected pattern: plan_path\\s*=\\s*/.+',
    ],
    ['with nothing in it', contract, { result: ' ' }, 'The result is empty'],
    ['an error is the business of another kind', contract, { ...error, result: 'x' }, null],
    [
      'an agent that printed records and no result',
      contract,
      '{"type":"system","subtype":"init","session_id":"s"}',
      'The output has no result record',
    ],
    [
      'a command that prints no records answers with all it prints',
      contract,
      'plan_path = /x\n%%DONE%%',
      null,
    ],
    [
      'and may lack the marker',
      contract,
      'plan_path = /x',
      'The result lacks the completion marker %%DONE%%',
    ],
    ['without any output', contract, '', 'The result is empty'],
    [
      'a marker that is a pattern stands for itself',
      ['--fail-on', 'contract', '--marker', '.*'],
      { result: 'anything' },
      'The result lacks the completion marker .*',
    ],
    ['nothing was agreed on but a result', ['--fail-on', 'contract'], { result: 'x' }, null],
  ])('%s', async (_, options, result, text) => {
    expect((await run(options, result)).status).toBe(text === null ? 0 : 70)
    expect(verdict()).toMatchObject(
      text === null ? { failedOn: null } : { failed: true, kind: 'contract', text, failedOn: 'contract' },
    )
  })
})

test('a result record that cannot be read fails nothing, and that it was not judged is said', async () => {
  const ended = await run(['--fail-on', 'agent-signal,cli-status'], { ...signal, is_error: 'yes' })
  expect([ended.status, ended.err]).toEqual([
    0,
    expect.stringMatching(
      /^inquest: The result record has fields of the wrong type and was not judged; recorded: http/,
    ),
  ])
  expect(verdict()).toMatchObject({ failed: false, kind: 'none', failedOn: null })
})

test('the failure signal is looked for by the tag that the environment names, which the record tells where it is not the default one', async () => {
  const x = { result: '<x-failed>no disk</x-failed>' }
  const asked = ['--fail-on', 'agent-signal']
  const ended = (result: object, tag: string): Promise<RecordRun> =>
    at.record(asked, agent('result', JSON.stringify(result)), { INQUEST_FAILURE_TAG: tag })
  expect(await ended(x, 'x-failed')).toMatchObject({
    status: 70,
    err: expect.stringContaining('The agent declared the run failed: no disk'),
  })
  expect(at.document()[0]!.contract).toEqual({ marker: '', expect: [], failureTag: 'x-failed' })
  expect((await ended(signal, 'x-failed')).status).toBe(0)
  expect((await ended(x, '')).status).toBe(0)
  expect(
    at
      .document()
      .filter(({ type }) => type === 'record.start')
      .at(-1)!.contract,
  ).toEqual({ marker: '', expect: [] })
  const refused = await ended(signal, '<x>')
  expect([refused.status, refused.out.length, refused.err]).toEqual([
    2,
    0,
    expect.stringContaining('INQUEST_FAILURE_TAG is "<x>"'),
  ])
})

test('what an agent gives as its reason stays one line and cannot steer the terminal', async () => {
  const ended = await run(['--fail-on', 'agent-signal'], {
    result: '<octopus-task-failed>a\n::error::b\u001b[31m\u202e</octopus-task-failed>',
  })
  expect(ended.err.trimEnd().split('\n').length).toBe(1)
  expect(ended.err).toContain('a ::error::b\\u001b[31m\\u202e')
})

test.each([
  ['(', 'is not a valid regular expression'],
  ['(?<=a)b', 'cannot be looked for'],
])(
  'of a pattern %s that nobody can look for it is told before anything was started',
  async (pattern, because) => {
    const ended = await run(['--fail-on', 'contract', '--expect', pattern], { result: 'x' })
    expect([ended.status, ended.out.length, ended.err]).toEqual([2, 0, expect.stringContaining(because)])
    // Without it the run is recorded, whatever its pattern is.
    expect((await run(['--expect', pattern], { result: 'x' })).status).toBe(0)
  },
)

test('the link of a run that was failed opens on its decision, that of another one on its page', async () => {
  const linkOf = async (options: string[]) =>
    (await run(options, { result: 'x' })).err.trim().split('?')[1] ?? null
  expect(await linkOf(['--fail-on', 'contract', '--marker', 'DONE'])).toBe('decision=open')
  expect(await linkOf(['--marker', 'DONE'])).toBeNull()
})
