import { expect, test } from 'vitest'
import { exitCodeOf, failureSigns, isFreeOutput, unwrapFailure } from './failure-signs'

test.each([
  ['Exit code 1\nFile does not exist, no such file or directory', ['exit_code']],
  ['File has been modified since read', ['file_modified', 'modified_since_read']],
  [
    "<tool_use_error>ENOENT: no such file or directory, open '/x'</tool_use_error>",
    ['path_missing', 'no_such_file'],
  ],
  ['Error: No changes to make: old_string and new_string are exactly the same.', ['nothing_to_change']],
  ['cat: x\nFile does not exist', []],
  ['', []],
])('every sign of %j, whatever it means', (text, signs) => expect(failureSigns(text)).toEqual(signs))

test.each([
  ['Bash', true],
  ['BashOutput', true],
  ['Edit', false],
  [null, false],
])('output of %s is free: %s', (tool, free) => expect(isFreeOutput(tool)).toBe(free))

test.each([
  ['Exit code 127\nx', 127],
  ['<tool_use_error>Exit code 2</tool_use_error>', 2],
  ['Error: Exit code 3', 3],
  ['it said Exit code 1', undefined],
  ['Exit code 99999999999999', undefined],
])('exit code of %j', (text, code) => expect(exitCodeOf(text)).toBe(code))

test.each([
  ['<tool_use_error>a</tool_use_error>\n', 'a'],
  ['<tool_use_error>cut in the middle', 'cut in the middle'],
  ['plain </tool_use_error>', 'plain </tool_use_error>'],
])('unwraps %j', (text, bare) => expect(unwrapFailure(text)).toBe(bare))
