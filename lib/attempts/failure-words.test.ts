import { expect, test } from 'vitest'
import { classifyFailure } from './failure-class'
import { exactWords } from './failure-words'

test.each<[string, string, string, string | null]>([
  [
    'Edit',
    '<tool_use_error>No changes to make: old_string and new_string are exactly the same.</tool_use_error>',
    'edit_no_match',
    'nothing to change',
  ],
  ['Edit', '<tool_use_error>String to replace not found in file.\nString: No changes to make</tool_use_error>', 'edit_no_match', null],
  ['Edit', 'File has been modified since read, either by the user or by a linter.', 'not_read_first', 'changed since reading'],
  ['Edit', 'File has not been read yet. Read it first before writing to it.', 'not_read_first', null],
  ['Skill', '<tool_use_error>Unknown skill: commit</tool_use_error>', 'other', 'unknown skill'],
  ['Task', "Agent type 'x' not found. Available agents: y", 'other', 'unknown agent type'],
  ['Whatever', 'Error: Tool execution failed with error: Command not found', 'other', 'unknown command'],
  ['Nope', '<tool_use_error>No such tool available: Nope</tool_use_error>', 'other', 'unknown tool'],
  ['mcp__linear__search', 'x is not a function', 'other', 'failed in the tool server'],
  ['Bash', 'it ended\ncommand not found', 'other', null],
  ['Bash', '', 'other', null],
])('%s: %j stays %s and reads: %s', (tool, errorText, failureClass, words) => {
  expect(classifyFailure(errorText, tool)).toBe(failureClass)
  expect(exactWords({ tool, failureClass, errorText })).toBe(words)
})

test('a text of another class is not worded by a phrase that it only holds', () => {
  expect(exactWords({ tool: 'Bash', failureClass: 'exit_code', errorText: 'Unknown skill: x' })).toBeNull()
})
