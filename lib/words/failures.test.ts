import { expect, test } from 'vitest'
import { FAILURE_CLASSES } from '../model/execution'
import { failureSigns, isFreeOutput } from '../formats/claude/failure-signs'
import { judgeFailure } from '../judge/calls/failure-class'
import { classWords, exactWords, failureWords } from './failures'

test.each<[string, string, string, string | null]>([
  [
    'Edit',
    '<tool_use_error>No changes to make: old_string and new_string are exactly the same.</tool_use_error>',
    'edit_no_match',
    'nothing to change',
  ],
  [
    'Edit',
    '<tool_use_error>String to replace not found in file.\nString: No changes to make</tool_use_error>',
    'edit_no_match',
    null,
  ],
  [
    'Edit',
    'File has been modified since read, either by the user or by a linter.',
    'not_read_first',
    'changed since reading',
  ],
  [
    'Edit',
    'File has not been read yet. Read it first before writing to it.',
    'not_read_first',
    'edited before reading',
  ],
  ['Skill', '<tool_use_error>Unknown skill: commit</tool_use_error>', 'other', 'unknown skill'],
  ['Task', "Agent type 'x' not found. Available agents: y", 'other', 'unknown agent type'],
  ['Whatever', 'Error: Tool execution failed with error: Command not found', 'other', 'unknown command'],
  ['Nope', '<tool_use_error>No such tool available: Nope</tool_use_error>', 'other', 'unknown tool'],
  ['mcp__linear__search', 'x is not a function', 'other', 'failed in the MCP server'],
  ['Bash', 'it ended\ncommand not found', 'other', null],
  ['Bash', '', 'other', null],
])('%s: %j stays %s and reads: %s', (tool, errorText, failureClass, words) => {
  const result = { signs: failureSigns(errorText), ...(isFreeOutput(tool) && { freeOutput: true as const }) }
  expect(judgeFailure({ result, pointer: null }).verdict).toBe(failureClass)
  expect(exactWords({ tool, failureClass, errorText })).toBe(words)
})

test('a text of another class is not worded by a phrase that it only holds', () => {
  expect(exactWords({ tool: 'Bash', failureClass: 'exit_code', errorText: 'Unknown skill: x' })).toBeNull()
})

test('every failure class has words of its own', () => {
  const words = FAILURE_CLASSES.map(classWords)
  expect(new Set(words).size).toBe(FAILURE_CLASSES.length)
  expect(classWords('brand_new')).toBe('brand new')
})

test('a call is worded by its message, else by its class, and one that did not fail not at all', () => {
  const call = {
    tool: 'Edit',
    failureClass: 'not_read_first',
    errorText: 'File has been modified since read.',
  }
  expect(failureWords(call)).toBe('changed since reading')
  expect(failureWords({ ...call, errorText: null })).toBe(classWords('not_read_first'))
  expect(failureWords({ ...call, failureClass: null })).toBe('')
})
