import { describe, expect, test } from 'vitest'
import { readContract } from './contract-reader'
import { recoverSession, writeCountOf } from './recover'
import type { Session } from './session'

const session = (over: Partial<Session>): Session => ({
  subtype: 'success',
  isError: false,
  result: '',
  sessionId: '',
  errors: [],
  tokenUsage: null,
  assistantMessages: [],
  toolUses: [],
  exhaustedFlag: false,
  ...over,
})
const recover = (given: Partial<Session>, channel: string, marker: string, patterns: string[] = []) => {
  const before = session(given)
  const copy = structuredClone(before)
  const recovered = recoverSession(before, channel, readContract({ marker, patterns }))
  expect(before).toEqual(copy)
  return { ...recovered, rules: recovered.steps.map(({ rule }) => rule) }
}
const wrote = (...paths: unknown[]): Session['toolUses'] =>
  paths.map((filePath) => ({ name: 'Write', id: '', filePath }))

describe('a marker in a message of its own', () => {
  test('brings all that was said, in place of a result that was fine', () => {
    expect(recover({ result: 'old', assistantMessages: ['a', 'b\n M '] }, 'unmonitored', 'M')).toMatchObject({
      session: { result: 'a\n\nb\n M ' },
      rules: ['recover:separate_marker'],
    })
  })

  test.each<[string, Partial<Session>, string, string]>([
    ['among other words', { assistantMessages: ['a M'] }, 'unmonitored', 'M'],
    ['that nobody agreed on', { assistantMessages: ['a', 'M'] }, 'unmonitored', ''],
    ['with nothing beside it', { assistantMessages: ['M', ' M\n'] }, 'channel_b', 'M'],
    ['of a session that failed', { isError: true, assistantMessages: ['a', 'M'] }, 'channel_b', 'M'],
    [
      'of output that was lost, without a channel',
      { subtype: 'unparseable', isError: true, assistantMessages: ['a', 'M'] },
      'channel_a',
      'M',
    ],
  ])('%s brings nothing', (_, given, channel, marker) =>
    expect(recover(given, channel, marker).rules).toEqual([]),
  )

  test.each(['channel_b', 'dir_missing'])(
    'makes a success of output that was lost, through %s',
    (channel) => {
      for (const subtype of ['unparseable', 'empty_output'])
        expect(
          recover({ subtype, isError: true, assistantMessages: ['a', 'M'] }, channel, 'M'),
        ).toMatchObject({
          // A session that has become complete is looked at again, to the same end.
          session: { subtype: 'success', isError: false, result: 'a\n\nM' },
          rules: ['recover:separate_marker', `recover:${channel}_promoted`, 'recover:separate_marker'],
        })
    },
  )

  test('that is not there is told where the folder is missing', () => {
    expect(
      recover({ subtype: 'unparseable', isError: true, assistantMessages: ['a'] }, 'dir_missing', 'M').rules,
    ).toEqual(['recover:dir_missing_failed'])
  })
})

describe('patterns that the result lacks', () => {
  const lacking = { result: 'done', assistantMessages: ['path = /a', 'more'] }

  test('are taken from what was said, all of it', () => {
    expect(recover(lacking, 'channel_a', '', ['path']).session.result).toBe('done\n\npath = /a\n\nmore')
    expect(recover({ ...lacking, result: '' }, 'channel_a', '', ['path']).session.result).toBe(
      'path = /a\n\nmore',
    )
  })

  test.each<[string, Partial<Session>, string, string[]]>([
    ['without a channel', lacking, 'unmonitored', ['path']],
    ['when some are not there either', lacking, 'channel_a', ['path', 'nowhere']],
    ['when the result has them', { ...lacking, result: 'path' }, 'channel_a', ['path']],
    ['of a session that failed', { ...lacking, isError: 1 }, 'channel_a', ['path']],
    ['when nothing was said', { result: 'done' }, 'channel_a', ['^$']],
  ])('but not %s', (_, given, channel, patterns) =>
    expect(recover(given, channel, '', patterns).rules).toEqual([]),
  )

  test('are made from the last file that was written, in front and one for each', () => {
    const given = {
      result: 'done',
      toolUses: [...wrote('/a', '/b', 'c', undefined), { name: 'Bash', id: '' }],
    }
    expect(
      recover(given, 'unmonitored', '', ['plan_path\\s*=\\s*/.+', 'x', 'other\\s*=\\s*/\\S+']),
    ).toMatchObject({
      session: { result: 'plan_path = /b\nother = /b\ndone' },
      rules: ['recover:artifact_synthesis'],
    })
  })

  test.each<[string, Partial<Session>, string, string[]]>([
    ['no pattern asks for a path', { toolUses: wrote('/a') }, 'unmonitored', ['x', 'path = /']],
    ['no file has a whole path', { toolUses: wrote('a') }, 'unmonitored', ['p\\s*=\\s*/.+']],
    [
      'nothing was written',
      { toolUses: [{ name: 'Bash', id: '', filePath: '/a' }] },
      'unmonitored',
      ['p\\s*=\\s*/.+'],
    ],
    ['a channel saw the end', { toolUses: wrote('/a') }, 'channel_b', ['p\\s*=\\s*/.+']],
    ['it is there', { result: 'p = /x', toolUses: wrote('/a') }, 'unmonitored', ['p\\s*=\\s*/.+']],
  ])('and not made when %s', (_, given, channel, patterns) =>
    expect(recover(given, channel, '', patterns).rules).toEqual([]),
  )
})

test('only two tools write', () => {
  expect(
    writeCountOf({
      toolUses: ['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'Bash', null, 'write'].map((name) => ({
        name,
        id: '',
      })),
    }),
  ).toBe(2)
})
