import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { failureSigns, isFreeOutput } from '../../formats/claude/failure-signs'
import type { ResultFact } from '../../model/event-facts'
import { FAILURE_CLASSES, type FailureClass } from '../../model/execution'
import { judgeFailure } from './failure-class'

const PLACE = { received: 'f'.repeat(64), byteStart: 10, byteEnd: 20 }
const judge = (result: Pick<ResultFact, 'signs' | 'freeOutput' | 'exitCode' | 'failureClass'>) =>
  judgeFailure({ result, pointer: PLACE })
const classOf = (text: string, tool: string | null = null): FailureClass =>
  judge({ signs: failureSigns(text), ...(isFreeOutput(tool) && { freeOutput: true }) }).verdict
const wrap = (text: string): string => `<tool_use_error>${text}</tool_use_error>`

describe('the rule of a failure', () => {
  test.each<[string, Parameters<typeof judge>[0], ReturnType<typeof judge>]>([
    [
      'what the record states comes before its text',
      { signs: ['exit_code', 'denial_recorded'] },
      {
        rule: 'denial_recorded',
        params: {},
        verdict: 'permission_denied',
        pointer: PLACE,
        basis: 'recorded',
      },
    ],
    [
      'an exit code comes before the phrases of an output',
      { signs: ['no_such_file', 'exit_code'], exitCode: 2 },
      { rule: 'exit_code', params: { exitCode: 2 }, verdict: 'exit_code', pointer: PLACE, basis: 'inferred' },
    ],
    [
      'phrases in the free output of a shell are no evidence',
      { signs: ['over_limit'], freeOutput: true },
      { rule: 'no_sign', params: {}, verdict: 'other', pointer: null, basis: 'inferred' },
    ],
    [
      'a class that an older version stored is kept',
      { failureClass: 'is_dir' },
      { rule: 'stored_class', params: {}, verdict: 'is_dir', pointer: PLACE, basis: 'inferred' },
    ],
    [
      'nothing that is known',
      {},
      { rule: 'no_sign', params: {}, verdict: 'other', pointer: null, basis: 'inferred' },
    ],
  ])('%s', (_, result, verdict) => expect(judge(result)).toEqual(verdict))
})

describe('classes of failures', () => {
  test.each<[FailureClass, string, string?]>([
    ['exit_code', 'Exit code 1\nmake: no such file or directory, timed out, hook error, not allowed'],
    ['exit_code', 'Error: Exit code 127\n(eval):1: no such file or directory: x'],
    ['exit_code', 'Command failed with exit code 1\n\n2 tests failed'],
    ['not_read_first', wrap('File has not been read yet. Read it first before writing to it.')],
    [
      'not_read_first',
      wrap(
        'File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.',
      ),
    ],
    ['user_rejected', "The user doesn't want to proceed with this tool use. The tool use was rejected"],
    ['user_rejected', 'User rejected tool use'],
    ['file_missing', wrap('File does not exist. Did you mean .env?')],
    ['file_missing', "ENOENT: no such file or directory, open '/x'"],
    ['file_missing', "ls: cannot access 'types/': No such file or directory", 'Bash'],
    ['sibling_cancelled', wrap('Sibling tool call errored')],
    ['sibling_cancelled', wrap('Cancelled: parallel tool call Bash(make) errored')],
    ['edit_no_match', wrap('String to replace not found in file.\nString: x')],
    ['edit_no_match', wrap('No changes to make: old_string and new_string are exactly the same.')],
    ['edit_multi_match', wrap('Found 12 matches of the string to replace, but replace_all is false.')],
    [
      'too_large',
      'File content (28375 tokens) exceeds maximum allowed tokens (25000). Please use offset and limit',
    ],
    ['too_large', wrap('File content (302KB) exceeds maximum allowed size (256KB).')],
    ['permission_denied', 'Permission to use Bash with command cd /tmp && ls has been denied.'],
    ['permission_denied', "Claude requested permissions to write to /a, but you haven't granted it yet."],
    ['permission_denied', "EACCES: permission denied, open '/etc/shadow'"],
    ['hook', 'PreToolUse:Bash hook error: [./check.sh]: blocked'],
    ['hook', 'PreToolUse:mcp__x__y [./check.sh] hook error: no'],
    ['is_dir', 'EISDIR: illegal operation on a directory, read'],
    [
      'input_validation',
      wrap(
        'InputValidationError: Task failed due to the following issue:\nThe required parameter `prompt` is missing',
      ),
    ],
    ['task_output', wrap('No task found with ID: a86edf4')],
    ['interrupted', '[Request interrupted by user for tool use]'],
    ['other', wrap('Unknown skill: commit')],
    ['other', "Agent type 'x' not found. Available agents: y"],
    ['other', 'Error'],
    ['other', ''],
    // Phrases inside the output of a command that carries no exit code say nothing.
    [
      'other',
      'npm warn Unknown env config\nsrc/hooks/useTodos.test.ts(6,33): error: hook error, file does not exist, EISDIR',
      'Bash',
    ],
    ['other', 'compiling\nmain.c:1: no such file or directory', 'Bash'],
    ['other', 'cache exceeds maximum allowed size', 'Bash'],
    ['other', 'my-hook error: something'],
  ])('%s: %s', (want, text, tool) => expect(classOf(text, tool)).toBe(want))

  test('any text has exactly one class of the closed list', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), fc.option(fc.string()), (text, tool) =>
        FAILURE_CLASSES.includes(classOf(text, tool)),
      ),
    )
  })

  test('the wrapping tags and what stands behind the first lines never change a class that a phrase decides', () => {
    const phrases = fc.constantFrom(
      'Exit code 2',
      'File does not exist.',
      'User rejected tool use',
      'Sibling tool call errored',
      'EISDIR: illegal operation',
    )
    fc.assert(
      fc.property(
        phrases,
        fc.string(),
        (phrase, rest) => classOf(wrap(`${phrase}\n${rest}`)) === classOf(phrase),
      ),
    )
  })
})
