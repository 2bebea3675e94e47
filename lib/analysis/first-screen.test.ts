import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAnalysis } from './analyse'
import { FAILURES_MAX } from '../judge/retry/failures'
import { storyOf } from './story.support'
import { worded } from './worded.support'

type Story = ReturnType<typeof storyOf>

const analyse = (story: Story) => {
  const analysis = createAnalysis()
  for (const e of story.events) analysis.add(e)
  return worded(analysis.finish())
}
const READ_FIRST = { failureClass: 'not_read_first' } as const
const UNREAD = 'File has not been read yet. Read it first before writing to it.'
const shell = (looseTarget: string) => ({ looseTarget })

describe('a run that was cut off says on a line of its own what failed before', () => {
  test('the end first, the earlier failure below, each with its own retry and next step', () => {
    const story = storyOf('t')
      .prompt('go')
      .call('a', 'Bash', 'setup', shell('setup'))
      .fail(
        'a',
        'Exit code 1\nTraceback (most recent call last):\n  File "/w/src/setup.py", line 9, in run\nTypeError: f() got an unexpected keyword',
        { failureClass: 'exit_code', exitCode: 1 },
      )
      .call('c', 'Bash', 'setup', shell('setup'))
      .ok('c')
      .call('b', 'Bash', 'upload --all', shell('upload'))
    const { cause, advice } = analyse(story)
    const [end, earlier, ...more] = cause!.text.split('\n')
    expect(end).toBe('The record ends before Bash “upload --all” returned')
    expect(earlier).toBe(
      'Earlier: 1 of 3 calls failed; fixed on retry. Bash “setup” exited with code 1: “TypeError: f() got an unexpected keyword”',
    )
    expect(more).toEqual([])
    expect(advice).toMatchObject({
      retry: 'unknown',
      next: expect.stringContaining('Check the effects of Bash “upload --all”'),
    })
    expect(advice!.failures).toEqual([
      expect.objectContaining({
        chains: [0],
        retry: 'helped',
        ended: 'fixed on retry (call 2)',
      }),
    ])
  })

  test('a failure that needs a look leads, and the end is the outcome’s', () => {
    const story = storyOf('t')
      .prompt('go')
      .call('a', 'Bash', 'setup', shell('setup'))
      .fail('a', 'Exit code 1\nTypeError: f() got an unexpected keyword', {
        failureClass: 'exit_code',
        exitCode: 1,
      })
      .call('b', 'Bash', 'upload --all', shell('upload'))
    const { cause, attention, outcomeRule } = analyse(story)
    expect(cause!.message.id).toBe('calls_failed')
    expect(cause!.text).toContain('TypeError: f() got an unexpected keyword')
    expect(attention).toEqual({ needed: true, rule: 'unresolved_work', params: {} })
    expect(outcomeRule).toBe('call_without_result')
  })

  test('nothing failed before: no second line', () => {
    expect(
      analyse(storyOf('t').prompt('go').call('b', 'Bash', 'upload', shell('upload'))).cause!.text,
    ).not.toContain('\n')
  })

  test('an interruption and a limit do the same', () => {
    const begun = () =>
      storyOf('t', 'stream')
        .prompt('go')
        .call('a', 'Read', '/x/y')
        .fail('a', 'File does not exist.', { failureClass: 'file_missing' })
        .say('hm')
    expect(analyse(begun().interrupt()).cause!.text.split('\n')[1]).toMatch(/^Earlier: 1 of 1 call failed/)
    expect(
      analyse(begun().result({ subtype: 'error_max_turns', isError: true, result: null })).cause!.text.split(
        '\n',
      )[1],
    ).toMatch(/^Earlier: 1 of 1 call failed/)
  })
})

describe('a retry that helped says what was retried', () => {
  test('with a changed input: not unchanged, and which call worked', () => {
    const story = storyOf('t')
      .call('a', 'Edit', '/r/x.ts')
      .fail('a', 'String to replace not found in file.', { failureClass: 'edit_no_match' })
      .call('b', 'Edit', '/r/x.ts')
      .ok('b')
      .say('done')
    expect(analyse(story).advice).toMatchObject({
      retry: 'helped',
      verdict: 'Helped: it worked with a different input',
      retryBecause: expect.stringContaining('call 2 on the same target succeeded with a different input'),
    })
  })

  test('a command that failed in a later part is named when it speaks of what the message names, other failed ones are not', () => {
    const told = (between: string) => {
      const story = storyOf('t')
        .call('a', 'Bash', 'check', { ...shell('check'), inputDigest: 'm' })
        .fail('a', 'Exit code 1\nerror: .erk/impl-context/ is still there', {
          failureClass: 'exit_code',
          exitCode: 1,
        })
        .call('b', 'Bash', between, shell('b'))
        .fail('b', 'Exit code 1\nrejected', { failureClass: 'exit_code', exitCode: 1 })
        .call('c', 'Bash', 'git pull', shell('git pull'))
        .ok('c')
        .call('d', 'Bash', 'check', { ...shell('check'), inputDigest: 'm' })
        .ok('d')
        .say('done')
      return analyse(story).advice!.failures!.find(({ what }) => what.startsWith('Bash “check”'))!
        .retryBecause
    }
    expect(told('rm -rf .erk/impl-context && git push')).toContain(
      'Between them: Bash “rm -rf .erk/impl-context && git push” (which also failed), Bash “git pull”.',
    )
    expect(told('npm run lint')).toContain('Between them: Bash “git pull”.')
  })

  test('work that was done another way names what was changed before it', () => {
    const story = storyOf('t')
      .call('a', 'Bash', 'mise run fmt && mise run lint', shell('mise run fmt'))
      .fail('a', 'Exit code 1\ncfg.go:9:2: unused', { failureClass: 'exit_code', exitCode: 1 })
      .call('b', 'Edit', '/r/cfg.go')
      .ok('b')
      .call('c', 'Bash', 'mise run lint', shell('mise run lint'))
      .ok('c')
      .say('done')
    expect(analyse(story).advice).toMatchObject({
      verdict: 'Helped: it worked another way after other work',
      retryBecause: expect.stringContaining('(inferred). Between them: Edit on /r/cfg.go.'),
    })
  })

  test('the same call again, after something else was done, which is named', () => {
    const story = storyOf('t')
      .call('a', 'Bash', 'make', { ...shell('make'), inputDigest: 'm' })
      .fail('a', 'Exit code 2\nx.c:1:2: error: no', { failureClass: 'exit_code', exitCode: 2 })
      .call('b', 'Read', '/r/other')
      .ok('b')
      .call('c', 'Edit', '/r/x.c')
      .ok('c')
      .call('d', 'Bash', 'make', { ...shell('make'), inputDigest: 'm' })
      .ok('d')
      .say('done')
    expect(analyse(story).advice!.failures![0]!.ended).toBe(
      'fixed on retry (call 4); between them: Edit on /r/x.c',
    )
    expect(analyse(story).advice).toMatchObject({
      verdict: 'Helped: the same call worked after other work',
      retryBecause:
        'Bash “make” failed once; the same call succeeded as call 4. Between them: Edit on /r/x.c.',
    })
  })

  test('in between are named by what they do, and those that only look are not', () => {
    const story = storyOf('t')
      .call('a', 'Read', '/r/x', { inputDigest: 'm' })
      .fail('a', 'File does not exist.', { failureClass: 'file_missing' })
      .call('b', 'Bash', 'git -C /a/long/folder/of/work status', shell('git'))
      .ok('b')
      .call('c', 'Bash', 'git -C /a/long/folder/of/work checkout topic', shell('git'))
      .ok('c')
      .call('d', 'Read', '/r/x', { inputDigest: 'm' })
      .ok('d')
      .say('done')
    expect(analyse(story).advice!.failures![0]!.ended).toBe(
      'fixed on retry (call 4); between them: Bash “git checkout topic”',
    )
  })

  test('in between is also what a person said, with the last words', () => {
    const story = storyOf('t')
      .prompt('go')
      .call('a', 'Read', '/r/x', { inputDigest: 'm' })
      .fail('a', 'File does not exist.', { failureClass: 'file_missing' })
      .prompt('wait')
      .prompt('restacked, go on')
      .call('d', 'Read', '/r/x', { inputDigest: 'm' })
      .ok('d')
      .prompt('thanks')
      .say('done')
    expect(analyse(story).advice).toMatchObject({
      verdict: 'Helped: the same call worked after other work',
      retryBecause: expect.stringMatching(/Between them: a person said “restacked, go on”\.$/),
    })
  })

  test('the same call again, and nothing in between', () => {
    const story = storyOf('t')
      .call('a', 'WebFetch', 'http://x', { inputDigest: 'm' })
      .fail('a', 'socket closed')
      .call('b', 'WebFetch', 'http://x', { inputDigest: 'm' })
      .ok('b')
      .say('done')
    expect(analyse(story).advice).toMatchObject({
      verdict: 'Helped: the same call worked',
      retryBecause: 'WebFetch “http://x” failed once; the same call succeeded as call 2.',
    })
  })

  test('another way: the same call would not have worked', () => {
    const story = storyOf('t')
      .call('a', 'Bash', 'git push', shell('git push'))
      .fail('a', 'Exit code 1\n ! [rejected] a -> a (non-fast-forward)', { failureClass: 'exit_code' })
      .call('b', 'Bash', 'git pull --rebase && git push', shell('git pull'))
      .ok('b')
      .say('done')
    expect(analyse(story).advice).toMatchObject({
      retry: 'helped',
      verdict: 'Helped: it worked another way',
      retryBecause: expect.stringContaining('(call 2) succeeded; it looks like the same work (inferred)'),
    })
  })
})

describe('a call that was cancelled with another is never what a run is explained by', () => {
  const parallel = () =>
    storyOf('t')
      .call('a', 'Bash', 'find x', { messageId: 'm', ...shell('find') })
      .call('b', 'Read', '/r/dir', { messageId: 'm' })
      .fail('a', 'Sibling tool call errored', { failureClass: 'sibling_cancelled' })
      .fail('b', 'EISDIR: illegal operation on a directory, read', { failureClass: 'is_dir' })

  test('though it stayed open and its cause came right', () => {
    const { cause, advice } = analyse(parallel().call('c', 'Read', '/r/dir').ok('c').say('done'))
    expect(cause!.message).toMatchObject({
      id: 'failures_along_the_way',
      params: {
        call: { tool: 'Read' },
        counts: { failed: 2, calls: 3, cancelled: 1, fixedOnRetry: 1, unresolved: 1 },
      },
    })
    expect(cause!.text.split('\n')).toEqual([
      '2 of 3 calls failed along the way (1 cancelled with another call): 1 problem fixed on retry, 1 unresolved',
      'Read on /r/dir hit a folder where a file was expected: “EISDIR: illegal operation on a directory, read”',
    ])
    expect(advice!.failures![1]).toMatchObject({
      chains: [0],
      retryBecause: expect.stringContaining('when Read on /r/dir (call 2) failed in parallel'),
    })
  })

  test('nor what it ended on', () => {
    const story = storyOf('t')
      .call('a', 'Read', '/r/dir', { messageId: 'm' })
      .call('b', 'Bash', 'find x', { messageId: 'm', ...shell('find') })
      .fail('a', 'EISDIR: x', { failureClass: 'is_dir' })
      .fail('b', 'Sibling tool call errored', { failureClass: 'sibling_cancelled' })
    expect(analyse(story).cause!.message).toMatchObject({
      id: 'call_failed_last',
      params: { call: { tool: 'Read', target: { path: '/r/dir' } } },
    })
  })
})

describe('what is not known is said', () => {
  test('that no call was repeated says nothing about other ways', () => {
    const story = storyOf('t')
      .call('a', 'Read', '/r/a')
      .fail('a', 'File does not exist.', { failureClass: 'file_missing' })
      .call('b', 'Bash', 'make', shell('make'))
      .fail('b', 'Exit code 2\nit broke', { failureClass: 'exit_code', exitCode: 2 })
      .say('done')
    const { cause, advice } = analyse(story)
    expect(cause!.text).toBe(
      'Bash “make” exited with code 2: “it broke”\n2 of 2 calls failed; none fixed on retry, unclear if worked around.',
    )
    expect(advice!.retryBecause).toContain('It was not retried; unclear if the work was done another way.')
    expect(advice!.next).toBe(
      'The error names no file or line. Run Bash “make” by hand and start from “it broke” (exit code 2).',
    )
  })

  test('a later command that names the file may have made the change', () => {
    const story = storyOf('t')
      .call('a', 'Edit', '/r/lib/x.ts')
      .fail('a', UNREAD, READ_FIRST)
      .call('b', 'Bash', "sed -i 's/a/b/' lib/x.ts", shell('sed'))
      .ok('b')
      .say('done')
    expect(analyse(story).calls[0]!.resolution).toEqual({
      resolution: 'another_way',
      rule: 'file_written_otherwise',
      params: { number: 2 },
    })
    expect(analyse(story).advice!.failures![0]!.ended).toBe('worked around (call 2, inferred)')
  })

  test.each<[string, string, string, string]>([
    [
      'where the message points',
      'Exit code 1\nlib/config.go:239:15: error is unwrapped',
      'the error points at code',
      'Fix lib/config.go line 239: “lib/config.go:239:15: error is unwrapped”',
    ],
    [
      'a check that does not hold',
      'Exit code 1\n✗ FAIL: extra.js should not exist',
      'a check fails until',
      'Decide if the work or the check is wrong',
    ],
    [
      'a crash without a place',
      'Error\n[TypeError: generate is not a function]',
      'the program crashed',
      'The error names no file or line. Find what raises',
    ],
    [
      'a number taken for a path',
      'lsd: 3: No such file or directory (os error 2).',
      'read “3” as a path, which is probably wrong (inferred)',
      'Check the program’s options',
    ],
    [
      'a name that is not known',
      'Exit code 1\nError: Unknown command: enabl. Did you mean "enable"?',
      'the name or option does not exist',
      'No action needed if the call was meant to fail',
    ],
    [
      'a thing that is not there',
      'Exit code 1\nls: /w/types: No such file or directory',
      '“/w/types” does not exist',
      'Find what should have created “/w/types”, or the right path',
    ],
  ])('%s', (_, text, because, next) => {
    const { advice } = analyse(
      storyOf('t')
        .call('a', 'Bash', 'run it', shell('run'))
        .fail('a', text, { failureClass: text.startsWith('Exit code') ? 'exit_code' : 'other' })
        .say('done'),
    )
    expect(advice!.retryBecause).toContain(because)
    expect(advice!.next).toContain(next)
  })

  test('a relative path is looked for where the shell may stand', () => {
    const fail = (story: Story, command: string) =>
      story
        .call('z', 'Bash', command, shell('ls'))
        .fail('z', 'Exit code 1\nls: types/: No such file or directory', { failureClass: 'exit_code' })
        .say('done')
    const cd = () =>
      storyOf('t')
        .add('meta', { cwd: '/w' })
        .call('a', 'Bash', 'cd types && npx tsc', shell('npx tsc'))
        .ok('a')
    expect(analyse(fail(cd(), 'ls types/')).advice!.retryBecause).toContain(
      'call 1 changed to “types”; the shell may still be there (inferred)',
    )
    expect(analyse(fail(storyOf('t'), 'cd /tmp/x && ls types/')).advice!.retryBecause).toContain(
      'the command changes to “/tmp/x” first and looks for “types/” there',
    )
    expect(
      analyse(
        fail(
          storyOf('t').add('meta', { cwd: '/w' }).call('a', 'Bash', 'cd /w && ls', shell('ls')).ok('a'),
          'ls types/',
        ),
      ).advice!.retryBecause,
    ).not.toContain('shell may still be there')
  })
})

describe('a message says more exactly what its class cannot', () => {
  test.each<[string, string, 'edit_no_match' | 'not_read_first' | 'other', string]>([
    [
      'Edit',
      'No changes to make: old_string and new_string are exactly the same.',
      'edit_no_match',
      'Edit on r/x.ts had nothing to change: old and new text are the same',
    ],
    [
      'Edit',
      'File has been modified since read, either by the user or by a linter.',
      'not_read_first',
      'rejected: the file changed after it was read',
    ],
    ['Skill', 'Unknown skill: commit', 'other', 'asked for an unknown skill'],
    ['Task', "Agent type 'x' not found.", 'other', 'asked for an unknown agent type'],
  ])('%s: %s', (tool, text, failureClass, words) => {
    const { cause, counts } = analyse(
      storyOf('t').call('a', tool, '/w/r/x.ts').fail('a', text, { failureClass }).say('done'),
    )
    expect(cause!.text).toContain(words)
    expect(counts.failedByClass).toEqual({ [failureClass]: 1 })
  })

  test('a command by a wrong name tells less than what a person refused', () => {
    const story = storyOf('t')
      .call('a', 'ExitPlanMode', null)
      .fail('a', "The user doesn't want to proceed with this tool use. STOP", {
        failureClass: 'user_rejected',
      })
      .call('b', 'Bash', 'x enabl', shell('x'))
      .fail('b', 'Exit code 1\nError: Unknown command: enabl', { failureClass: 'exit_code', exitCode: 1 })
      .say('done')
    expect(analyse(story).cause!.text).toContain('A person rejected ExitPlanMode')
  })

  test('an earlier refusal with words is quoted when the last one has none', () => {
    const story = storyOf('t')
      .call('a', 'ExitPlanMode', null)
      .fail(
        'a',
        "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nuse a switch",
        {
          failureClass: 'user_rejected',
        },
      )
      .call('b', 'ExitPlanMode', null)
      .fail('b', "The user doesn't want to proceed with this tool use. STOP", {
        failureClass: 'user_rejected',
      })
      .prompt('later')
      .say('done')
    expect(analyse(story).calls.map(({ retry }) => retry!.rule)).toEqual([
      'rejected_with_reason',
      'rejected_reason_given_before',
    ])
    // The first refusal leads, and its words are the next step.
    expect(analyse(story).advice!.next).toContain('use a switch')
  })
})

describe('the agent’s next words stand beside a failure that stayed', () => {
  const failed = () =>
    storyOf('t')
      .call('a', 'Bash', 'check', shell('check'))
      .fail('a', 'Exit code 1\nno', { failureClass: 'exit_code' })
  const because = (story: Story) => analyse(story).advice!.retryBecause
  test('when they follow', () =>
    expect(because(failed().say('This is expected here.'))).toContain(
      'Agent’s next message: “This is expected here.”',
    ))
  test('not after a person spoke', () =>
    expect(because(failed().prompt('well?').say('Fine.'))).not.toContain('next message'))
  test('not when they are the end of a longer text', () =>
    expect(because(failed().say('x'.repeat(300)))).not.toContain('next message'))
  test('not when many calls came between', () => {
    const story = failed()
    for (let i = 0; i < 9; i++) story.call(`c${i}`, 'Read', `/f${i}`).ok(`c${i}`)
    expect(because(story.say('All done.'))).not.toContain('next message')
  })
})

describe('the list of what failed', () => {
  test('failures with the same words are one kind, and the one of the cause is first', () => {
    const story = storyOf('t').prompt('go')
    for (const id of ['a', 'b', 'c']) story.call(id, 'Edit', `/r/${id}.ts`, { messageId: 'm' })
    for (const id of ['a', 'b', 'c']) story.fail(id, UNREAD, READ_FIRST)
    story
      .call('d', 'Bash', 'make', shell('make'))
      .fail('d', 'Exit code 2\nboom', { failureClass: 'exit_code', exitCode: 2 })
      .call('e', 'Write', '/r/a.ts')
      .ok('e')
      .say('done')
    const { failures } = analyse(story).advice!
    expect(
      failures!.map(({ chains, failed, ended, doneOtherwise }) => ({ chains, failed, ended, doneOtherwise })),
    ).toEqual([
      { chains: [3], failed: 1, ended: 'not retried', doneOtherwise: undefined },
      { chains: [0, 1, 2], failed: 3, ended: '1 worked around (inferred), 2 unresolved', doneOtherwise: [0] },
    ])
  })

  test('failed requests to the model are one of them', () => {
    const story = storyOf('t')
      .prompt('go')
      .apiError('API Error: 500 {"message":"Internal server error"}')
      .apiError('API Error: 500 {"message":"Internal server error"}')
      .prompt('keep going')
      .call('a', 'Bash', 'make', shell('make'))
    expect(analyse(story).advice!.failures).toEqual([
      expect.objectContaining({
        chains: [],
        failed: 2,
        what: '2 model requests (HTTP 500, “Internal server error”) failed',
        ended: 'the run continued',
        retry: 'helped',
      }),
    ])
  })

  test('every failed call is in exactly one kind or counted as left out, and the sentence has the numbers of the counts', () => {
    const step = fc.record({
      tool: fc.constantFrom('Edit', 'Bash', 'Task'),
      target: fc.constantFrom('/a', '/b', '/c', null),
      words: fc.nat(14),
      fails: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
        const story = storyOf('t').prompt('go')
        steps.forEach(({ tool, target, words, fails }, i) => {
          story.call(`c${i}`, tool, target)
          if (fails) story.fail(`c${i}`, `words number ${words}`)
          else story.ok(`c${i}`)
        })
        const { counts, advice, cause, chains } = analyse(story.say('done'))
        if (counts.failedCalls === 0) return
        const { failures, failuresLeftOut = 0 } = advice!
        expect(failures!.length).toBeLessThanOrEqual(FAILURES_MAX)
        expect(failures!.reduce((sum, f) => sum + f.failed, 0) + failuresLeftOut).toBe(counts.failedCalls)
        const told = failures!.flatMap((f) => f.chains)
        expect(new Set(told).size).toBe(told.length)
        expect(told.flatMap((n) => chains[n]!.failedCallIds).length + failuresLeftOut).toBe(
          counts.failedCalls,
        )
        expect(cause!.text).toMatch(
          new RegExp(
            `(?:^|\n)(?:Unknown how the run ended; )?${counts.failedCalls} of ${counts.calls} calls? failed`,
          ),
        )
        const { message } = cause!
        if (message.id !== 'calls_failed' && message.id !== 'failures_along_the_way')
          throw new Error(message.id)
        const { failed, calls, fixedOnRetry, workedAround, unresolved } = message.params.counts
        expect([failed, calls, fixedOnRetry]).toEqual([
          counts.failedCalls,
          counts.calls,
          counts.recoveredChains,
        ])
        expect(fixedOnRetry + workedAround + unresolved).toBe(counts.chains)
      }),
      { numRuns: 300 },
    )
  })
})
