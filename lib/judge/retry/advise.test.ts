import { describe, expect, test } from 'vitest'
import type { FailureClass } from '../../model/execution'
import { createAnalysis } from '../../analysis/analyse'
import { storyOf } from '../../analysis/story.support'
import { worded } from '../../analysis/worded.support'

const analyse = (story: ReturnType<typeof storyOf>) => {
  const analysis = createAnalysis()
  for (const e of story.events) analysis.add(e)
  return worded(analysis.finish())
}
const failing = (
  tool: string,
  target: string | null,
  failureClass: FailureClass,
  text: string,
  exitCode?: number,
) =>
  storyOf('t')
    .prompt('do it')
    .call('a', tool, target, tool === 'Bash' ? { looseTarget: 'x' } : {})
    .fail('a', text, { failureClass, ...(exitCode === undefined ? {} : { exitCode }) })

describe('the cause says what broke in the words of the record, and the advice what a retry could do', () => {
  test.each<[string, ReturnType<typeof storyOf>, string[], string, string]>([
    [
      'a command that ended the run',
      failing(
        'Bash',
        'cd /x && make',
        'exit_code',
        'Exit code 2\nmake: *** No rule to make target “all”. Stop.',
        2,
      ),
      ['Bash “make” exited with code 2', 'No rule'],
      'unknown; the identical call wont_help',
      'Use a target the makefile has',
    ],
    [
      'a push that was turned down',
      failing(
        'Bash',
        'git push',
        'exit_code',
        'Exit code 1\n ! [rejected] a -> a (non-fast-forward)\nerror: failed',
        1,
      ).say('x'),
      ['! [rejected] a -> a'],
      'unknown; the identical call wont_help',
      'Fetch',
    ],
    [
      'a path that the system denies',
      failing('Bash', 'cp a /etc/a', 'exit_code', 'Exit code 1\ncp: /etc/a: Permission denied', 1).say('x'),
      ['Permission denied'],
      'cannot-help; the identical call wont_help',
      'Grant the account the permission',
    ],
    [
      'a connection that broke',
      failing('Bash', 'npm ci', 'exit_code', 'Exit code 1\nnpm error ECONNRESET', 1).say('x'),
      ['ECONNRESET'],
      'could-help; the identical call would_help',
      'Rerun it',
    ],
    [
      'a person who refused and said why',
      failing(
        'Edit',
        '/r/a/b.ts',
        'user_rejected',
        "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nuse a switch",
      ).say('ok'),
      ['A person rejected Edit on a/b.ts and said: “use a switch”'],
      'unknown; the identical call wont_help',
      'use a switch',
    ],
    [
      'a person who refused and said why later',
      failing(
        'Edit',
        '/r/a/b.ts',
        'user_rejected',
        "The user doesn't want to proceed with this tool use. STOP",
      )
        .interrupt()
        .prompt('not that file')
        .say('ok'),
      ['A person rejected Edit on a/b.ts'],
      'unknown; the identical call wont_help',
      'not that file',
    ],
    [
      'a refusal that ended the run',
      failing(
        'Bash',
        'mix phx.server',
        'user_rejected',
        "The user doesn't want to proceed with this tool use. STOP",
      ).interrupt(),
      ['A person rejected Bash “mix phx.server”'],
      'unknown; the identical call wont_help',
      'Ask the person',
    ],
    [
      'a file that is not there',
      failing('Read', '/r/lib/x.ts', 'file_missing', 'File does not exist.').say('hm'),
      ['Read on lib/x.ts found nothing there'],
      'unknown; the identical call wont_help',
      'lib/x.ts',
    ],
    [
      'an edit before reading',
      failing('Edit', '/r/lib/x.ts', 'not_read_first', 'File has not been read yet.').say('hm'),
      ['File has not been read yet.'],
      'unknown; the identical call wont_help',
      'read the file',
    ],
    [
      'an edit that came right',
      failing('Edit', '/r/lib/x.ts', 'not_read_first', 'File has not been read yet.')
        .call('b', 'Edit', '/r/lib/x.ts')
        .ok('b')
        .say('done'),
      ['; fixed on retry'],
      'helped; the identical call wont_help',
      'No action needed',
    ],
    [
      'an edit that another tool did',
      failing('Edit', '/r/lib/x.ts', 'edit_no_match', 'String to replace not found in file.')
        .call('b', 'Write', '/r/lib/x.ts')
        .ok('b')
        .say('done'),
      ['worked around'],
      'helped; the identical call wont_help',
      'No action needed',
    ],
    [
      'a tool without permission',
      failing('Write', '/home/r/C.md', 'permission_denied', "you haven't granted it yet").say('I wrote it'),
      ['Write on r/C.md was denied permission'],
      'cannot-help; the identical call wont_help',
      'Check that what it reports',
    ],
    [
      'a hook that blocks',
      failing(
        'ExitPlanMode',
        null,
        'hook',
        'PreToolUse:ExitPlanMode hook error: [cmd]: save the plan first',
      ).say('x'),
      ['A hook blocked ExitPlanMode: “save the plan first”'],
      'cannot-help; the identical call wont_help',
      'save the plan first',
    ],
    [
      'a server of tools that breaks',
      failing('mcp__linear__search', 'q', 'other', '(0 , x.default) is not a function').say('x'),
      ['linear search “q” failed'],
      'unknown; the identical call unclear',
      'server’s log and version',
    ],
  ])('%s', (_name, story, words, retry, next) => {
    const { cause, advice } = analyse(story)
    for (const word of words) expect(cause!.text).toContain(word)
    expect(`${advice!.retry}; the identical call ${advice!.callRetry}`).toBe(retry)
    expect(advice!.next).toContain(next)
    expect(`${advice!.retryBecause} ${advice!.next}`).not.toMatch(/undefined|null|\[object/)
  })

  test('the same answer to the same command, again and again, is said with its number', () => {
    const story = storyOf('t')
    for (const id of ['a', 'b', 'c', 'd'])
      story
        .call(id, 'Bash', 'npm run build', { looseTarget: 'npm run build' })
        .fail(id, '> Build error occurred\n[TypeError: generate is not a function]')
    const { cause, advice, counts } = analyse(story.say('skipped'))
    expect(counts).toMatchObject({ failedCalls: 4, chains: 1 })
    expect(cause!.text).toBe(
      'Bash “npm run build” failed: “[TypeError: generate is not a function]”\n4 of 4 calls failed: one problem, not fixed on retry.',
    )
    expect(advice).toMatchObject({
      retry: 'unknown',
      callRetry: 'wont_help',
      retryBecause: expect.stringMatching(
        /^A new run may go differently. This time: 4 attempts failed the same way: the program crashed, .* It ran 4 times .*never succeeded/,
      ),
    })
  })

  test('an unknown answer is no reason by itself; the same one to the same call twice is', () => {
    const retryAfter = (times: number) => {
      const story = storyOf('t').prompt('do it')
      for (let n = 0; n < times; n++)
        story.call(`c${n}`, 'mcp__crm__find', 'a', { inputDigest: 'same' }).fail(`c${n}`, 'frobnication off')
      return analyse(story.say('skipped')).advice?.callRetry
    }
    expect([retryAfter(1), retryAfter(2)]).toEqual(['unclear', 'wont_help'])
  })

  test('a failed request is judged by its own words, not by those of what failed before it', () => {
    const story = storyOf('t', 'stream')
      .prompt('do it')
      .call('a', 'Bash', 'npm ci', { looseTarget: 'npm ci' })
      .fail('a', 'npm error network connection reset: rate limit')
      .result({ subtype: 'success', isError: true, terminalReason: 'api_error', result: 'Invalid request' })
    const { cause, advice } = analyse(story)
    expect(cause!.text).toContain('Earlier: 1 of 1 call failed')
    expect(advice).toMatchObject({ runRetry: 'wont_help', because: { id: 'request_rejected' } })
  })

  test('nothing failed: no cause and no advice', () =>
    expect(analyse(storyOf('t').prompt('x').say('done'))).toMatchObject({ cause: null, advice: null }))

  test('what an agent wrote cannot colour, hide or turn the sentence', () => {
    const { cause } = analyse(
      failing(
        'Bash',
        'make \u202eexe',
        'exit_code',
        'Exit code 1\n\u001b[31mError: \u0000bad \u202egpj\u001b[0m',
        1,
      ),
    )
    expect(cause!.text).not.toMatch(/[\u0000-\u001f\u202e]/)
    expect(cause!.text).toContain('⟨U+202E⟩')
  })

  test('the decisive line of the adapter is quoted, and the pointer is exactly its own', () => {
    const story = storyOf('t')
      .call('a', 'Bash', 'x', { looseTarget: 'x' })
      .fail('a', 'cut off at two thousand', {
        failureClass: 'exit_code',
        textCut: true,
        decisive: { text: 'ValueError: late', span: { start: 60, end: 76 } },
      })
    const { cause } = analyse(story)
    expect(cause).toMatchObject({
      text: expect.stringContaining('“ValueError: late”'),
      pointer: { byteStart: 160, byteEnd: 176 },
    })
  })
})
