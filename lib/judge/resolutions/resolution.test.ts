import { describe, expect, test } from 'vitest'
import { createAnalysis } from '../../analysis/analyse'
import { storyOf } from '../../analysis/story.support'
import type { CallResolution } from '../../model/resolution'

type Story = ReturnType<typeof storyOf>
const shell = (looseTarget = 'x') => ({ looseTarget })
const missing = { failureClass: 'file_missing' } as const
const exit = { failureClass: 'exit_code', exitCode: 1 } as const
const rejected = { failureClass: 'user_rejected' } as const
const noMatch = { failureClass: 'edit_no_match' } as const
const unread = { failureClass: 'not_read_first' } as const

/** What became of the first failed call. */
function became(story: Story): [string, string, number | undefined] {
  const analysis = createAnalysis()
  for (const event of story.say('done').events) analysis.add(event)
  const { resolution, rule, params } = analysis.finish().calls.find(({ state }) => state === 'failed')!
    .resolution as CallResolution
  return [rule, resolution, (params as { number?: number }).number]
}
const failed = (tool: string, target: string | null, text: string, more: object, input = {}) =>
  storyOf('t').prompt('go').call('a', tool, target, input).fail('a', text, more)
const command = (target: string, text = 'boom') => failed('Bash', target, text, exit, shell())
const then = (story: Story, tool: string, target: string | null, input = {}) =>
  story.call('b', tool, target, input).ok('b')
const thenRuns = (story: Story, target: string) => then(story, 'Bash', target, shell())

describe('each rule of a resolution', () => {
  test.each<[string, [string, string, number | undefined], Story]>([
    ['nothing follows', ['nothing_followed', 'unresolved', undefined], command('make')],
    [
      'only the agent’s own notes follow',
      ['nothing_followed', 'unresolved', undefined],
      then(command('make'), 'TodoWrite', null),
    ],
    [
      'the same call succeeds',
      ['same_call', 'same_way', 2],
      then(failed('Read', '/r/x', 'gone', missing, { inputDigest: 'd' }), 'Read', '/r/x', {
        inputDigest: 'd',
      }),
    ],
    [
      'the same tool succeeds on the same target',
      ['corrected_input', 'same_way', 2],
      then(failed('Read', '/r/x', 'gone', missing), 'Read', '/r/x'),
    ],
    [
      'a refused edit and a change',
      ['refused_then_other_work', 'another_way', 2],
      thenRuns(failed('Edit', '/r/x', 'no', rejected), 'make'),
    ],
    [
      'a refused edit and a look',
      ['refused_and_left', 'unresolved', undefined],
      then(failed('Edit', '/r/x', 'no', rejected), 'Read', '/r/y'),
    ],
    [
      'a refused edit and a look by a command',
      ['refused_and_left', 'unresolved', undefined],
      thenRuns(failed('Edit', '/r/x', 'no', rejected), 'gh pr diff 68 --repo acme/cli'),
    ],
    [
      'a refused command and an edit',
      ['refused_and_left', 'unresolved', undefined],
      then(failed('Bash', 'make deploy', 'no', rejected, shell()), 'Edit', '/r/y'),
    ],
    [
      'an unread edit, made after reading',
      ['same_edit', 'same_way', 2],
      then(failed('Edit', '/r/x', 'unread', unread), 'MultiEdit', '/r/x'),
    ],
    [
      'an edit that did not match, and a whole new file',
      ['file_written_otherwise', 'another_way', 2],
      then(failed('Edit', '/r/x', 'no match', noMatch), 'Write', '/r/x'),
    ],
    [
      'an edit that did not match, and a script',
      ['file_written_otherwise', 'another_way', 2],
      thenRuns(failed('Edit', '/r/lib/x.ts', 'no match', noMatch), "sed -i 's/a/b/' lib/x.ts"),
    ],
    [
      'a name that the error offers',
      ['corrected_name', 'same_way', 2],
      then(
        failed('Task', 'tidy', "'tidy' not found. Available: tidy:tidy", { failureClass: 'other' }),
        'Task',
        'tidy:tidy',
      ),
    ],
    [
      'another extension',
      ['corrected_path', 'same_way', 2],
      then(failed('Read', '/r/.lint.yml', 'gone', missing), 'Read', '/r/.lint.yaml'),
    ],
    [
      'a search in the folder above',
      ['corrected_path', 'same_way', 2],
      then(failed('Grep', '/r/cli/commands', 'gone', missing), 'Grep', '/r/cli'),
    ],
    [
      'a read of the folder above is another',
      ['looked_elsewhere', 'another_way', 2],
      then(failed('Read', '/r/cli/help.ts', 'gone', missing), 'Read', '/r/cli/main.ts'),
    ],
    [
      'the step in another command line',
      ['same_step', 'same_way', 2],
      thenRuns(command('rm -rf x && git push'), 'git pull --rebase && git push'),
    ],
    [
      'a check in another command line',
      ['same_step', 'same_way', 2],
      thenRuns(command('mise run fmt && mise run lint'), 'mise run lint 2>&1 | tail -5'),
    ],
    [
      'a part of a check is not the check',
      ['not_done_again', 'unresolved', undefined],
      thenRuns(command('npm test'), 'npm test -- --grep x'),
    ],
    [
      'an option that is not there, left out',
      ['same_step', 'same_way', 2],
      thenRuns(command('git show 81 --no-stat', 'fatal: unrecognized argument: --no-stat'), 'git show 81'),
    ],
    [
      'a command of the same subject',
      ['other_call_on_subject', 'another_way', 2],
      thenRuns(command('erk pr submit'), 'gh pr edit 8 --title x'),
    ],
    [
      'a command of another subject',
      ['not_done_again', 'unresolved', undefined],
      thenRuns(command('erk pr submit'), 'du -sh /tmp'),
    ],
    [
      'a call without a target',
      ['work_went_on', 'another_way', 2],
      then(failed('Skill', null, 'Unknown skill', { failureClass: 'other' }), 'Bash', 'git commit', shell()),
    ],
    [
      'a call that was interrupted',
      ['work_went_on', 'another_way', 2],
      then(failed('Task', 'Explore', 'stopped', { failureClass: 'interrupted' }), 'Read', '/r/x'),
    ],
  ])('%s', (_name, expected, story) => expect(became(story)).toEqual(expected))

  test('an edit after a person’s refusal is another one', () => {
    const story = failed('Edit', '/r/x', 'unread', unread)
    story.call('r', 'Edit', '/r/x').fail('r', 'no', rejected)
    expect(became(then(story, 'Edit', '/r/x'))).toEqual(['file_written_otherwise', 'another_way', 3])
  })
})
