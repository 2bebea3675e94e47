import { describe, expect, test } from 'vitest'
import { createAnalysis } from '../../analysis/analyse'
import { storyOf } from '../../analysis/story.support'

type Story = ReturnType<typeof storyOf>
const shell = { looseTarget: 'x' }
const exit = { failureClass: 'exit_code', exitCode: 1 } as const
const rejected = { failureClass: 'user_rejected' } as const
const missing = { failureClass: 'file_missing' } as const
const unread = { failureClass: 'not_read_first' } as const

function judged(story: Story) {
  const analysis = createAnalysis()
  for (const event of story.say('All done.').events) analysis.add(event)
  const { attention, calls, cause, outcome, outcomeRule } = analysis.finish()
  const number = (cause?.message.params as { call?: { number: number } } | undefined)?.call?.number
  return {
    attention,
    outcome,
    outcomeRule,
    cause: cause?.message.id,
    led: number && calls[number - 1]!.callId,
  }
}

const begun = () => storyOf('t').prompt('go')
const runs = (story: Story, id: string, command: string, error?: string) => {
  story.call(id, 'Bash', command, { ...shell, messageId: `m-${id}` })
  return error === undefined ? story.ok(id) : story.fail(id, error, exit)
}
const reads = (story: Story, id: string, path: string, found = true) => {
  story.call(id, 'Read', path, { messageId: `m-${id}` })
  return found ? story.ok(id) : story.fail(id, 'File does not exist.', missing)
}
const edits = (story: Story, id: string, path: string, fails?: [string, object]) => {
  story.call(id, 'Edit', path, { messageId: `m-${id}` })
  return fails === undefined ? story.ok(id) : story.fail(id, ...fails)
}

describe('the failure that leads, by the first rule that holds', () => {
  test.each<[string, string, string, Story]>([
    [
      'work that was left outranks a refusal',
      'unresolved_work',
      'b',
      runs(
        edits(edits(begun(), 'a', '/r/x', ['no', rejected]), 'c', '/r/x'),
        'b',
        'npm test',
        'Error: 3 failed',
      ),
    ],
    [
      'an edit of an unread file leads last of what was left',
      'unresolved_work',
      'b',
      reads(runs(edits(begun(), 'a', '/r/x', ['unread', unread]), 'b', 'make', 'Error: boom'), 'c', '/q'),
    ],
    [
      'a refusal outranks a check that was fixed at once',
      'refused_by_person',
      'c',
      edits(
        edits(runs(runs(begun(), 'a', 'npm test', 'Error: 1 failed'), 'b', 'npm test'), 'c', '/r/x', [
          'no',
          rejected,
        ]),
        'd',
        '/r/x',
      ),
    ],
    [
      'of refusals that of work, else the first',
      'refused_by_person',
      'b',
      edits(
        edits(
          begun()
            .call('a', 'Bash', 'gh pr view 8', { ...shell, messageId: 'm1' })
            .fail('a', 'no', rejected),
          'b',
          '/r/x',
          ['no', rejected],
        ),
        'c',
        '/r/x',
      ),
    ],
    [
      'what failed in three messages outranks what was worked around',
      'failed_repeatedly',
      'b',
      ['b', 'c', 'd']
        .reduce(
          (story, id) =>
            edits(story, id, '/r/x', ['String to replace not found', { failureClass: 'edit_no_match' }]),
          runs(runs(begun(), 'a', 'erk pr submit', 'Error: too long'), 'z', 'gh pr edit 8'),
        )
        .call('w', 'Write', '/r/x')
        .ok('w'),
    ],
    [
      'a command that was worked around',
      'worked_around',
      'a',
      runs(runs(begun(), 'a', 'erk pr submit', 'Error: too long'), 'b', 'gh pr edit 8'),
    ],
    [
      'a check that was fixed after other work had failed, too',
      'fixed_after_failures',
      'a',
      runs(
        runs(
          runs(
            runs(begun(), 'a', 'erk pr check', 'FAIL: folder is there'),
            'b',
            'rm -r x && git push',
            'rejected',
          ),
          'c',
          'git pull && git push',
        ),
        'd',
        'erk pr check',
      ),
    ],
    [
      'a file that appeared',
      'appeared_later',
      'a',
      reads(runs(reads(begun(), 'a', '/r/x', false), 'b', 'git pull'), 'c', '/r/x'),
    ],
    [
      'an interruption by a person',
      'interrupted_by_person',
      'a',
      reads(
        begun().call('a', 'Task', 'Explore').fail('a', 'stopped', { failureClass: 'interrupted' }),
        'b',
        '/r/x',
      ),
    ],
  ])('%s', (_name, rule, led, story) =>
    expect(judged(story)).toMatchObject({ attention: { needed: true, rule }, led }),
  )
})

describe('quiet', () => {
  test.each<[string, Story]>([
    [
      'a check that was fixed at once',
      runs(edits(runs(begun(), 'a', 'npm test', 'Error: 1 failed'), 'e', '/r/x'), 'b', 'npm test'),
    ],
    [
      'a check that failed anew on new work',
      runs(
        runs(runs(begun(), 'a', 'npm run lint', 'Error: a'), 'b', 'npm run lint', 'Error: b'),
        'c',
        'npm run lint',
      ),
    ],
    ['a look that found nothing', reads(reads(begun(), 'a', '/r/lib/x.ts', false), 'b', '/r/lib/y.ts')],
    [
      'an edit repeated after reading',
      edits(reads(edits(begun(), 'a', '/r/x', ['unread', unread]), 'b', '/r/x'), 'c', '/r/x'),
    ],
    [
      'a file that the agent wrote itself',
      reads(reads(begun(), 'a', '/r/x', false).call('w', 'Write', '/r/x').ok('w'), 'b', '/r/x'),
    ],
  ])('%s', (_name, story) =>
    expect(judged(story)).toMatchObject({
      outcome: 'succeeded',
      attention: { needed: false, rule: 'minor_failures' },
      cause: 'failures_along_the_way',
    }),
  )
})

describe('left open', () => {
  const endOf = (story: Story, text: string) => {
    const analysis = createAnalysis()
    for (const event of story.say(text).events) analysis.add(event)
    const { outcome, outcomeRule, outcomeParams } = analysis.finish()
    return [outcome, outcomeRule, (outcomeParams as { what?: string }).what]
  }
  test.each<[string, string | undefined, Story, string]>([
    [
      'a question in the last paragraph',
      'question',
      runs(begun(), 'a', 'make'),
      'Both work.\n\nWhich one? I can do either.',
    ],
    ['a refused push', 'push', runs(begun(), 'a', 'git push', 'rejected'), 'Pushed.'],
    [
      'an edit that did not apply, after one that did',
      'edit',
      edits(edits(begun(), 'a', '/r/y'), 'b', '/r/x', ['not found', { failureClass: 'edit_no_match' }]),
      'Done.',
    ],
  ])('%s', (_name, what, story, text) => expect(endOf(story, text)).toEqual(['unknown', 'left_open', what]))

  test('is headed by the count where nothing needs a look', () => {
    const analysis = createAnalysis()
    const story = edits(begun(), 'a', '/r/x', ['not found', { failureClass: 'edit_no_match' }])
    for (const event of edits(story, 'b', '/r/x').say('Fixed.\n\nShall I commit it?').events)
      analysis.add(event)
    const { outcomeRule, cause } = analysis.finish()
    expect([outcomeRule, cause!.message!.id]).toEqual(['left_open', 'failures_along_the_way'])
  })

  test.each([
    ['a question further up', 'Why? Because.\n\nDone.'],
    ['an address with a query', 'See https://example.org/?q=1 for it.'],
  ])('not by %s', (_name, text) => expect(endOf(runs(begun(), 'a', 'make'), text)[1]).toBe('completed'))
})
