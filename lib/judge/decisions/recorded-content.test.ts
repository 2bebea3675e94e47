import { expect, test } from 'vitest'
import { recordedContent, type RecordedContent } from './recorded-content'

const content = (of: Partial<RecordedContent>): string =>
  recordedContent({ success: false, subtype: undefined, cliSubtype: 'success', isError: null, ...of })

test.each<[string, Partial<RecordedContent>, string]>([
  ['a blank result', { subtype: 'empty_result' }, 'absent|session_error'],
  ['a result without its marker', { subtype: 'missing_completion_marker' }, 'absent|session_error'],
  ['a rejected result', { subtype: 'adjudicated_failure' }, 'contract_violation|session_error|complete'],
  ['a blank result without an error', { subtype: 'empty_result', isError: false }, 'absent'],
  ['a blank result with an error', { subtype: 'empty_result', isError: true }, 'session_error'],
  ['a rejected result with an error', { subtype: 'adjudicated_failure', isError: true }, 'session_error'],
  [
    'a rejected result without an error',
    { subtype: 'adjudicated_failure', isError: false },
    'contract_violation|complete',
  ],
  ['no output', { subtype: 'empty_output', cliSubtype: 'empty_output' }, 'session_error'],
  ['unreadable output', { subtype: 'unparseable', cliSubtype: undefined }, 'session_error'],
  ['a timeout', { subtype: 'timeout', cliSubtype: 'timeout' }, 'session_error'],
  ['a gate over unreadable output', { subtype: 'zero_writes', cliSubtype: 'unparseable' }, 'session_error'],
  ['a success over unreadable output', { success: true, cliSubtype: 'unparseable' }, 'session_error'],
  ['a success', { success: true, subtype: 'success' }, 'unknown'],
  ['a limit, which says nothing of the content', { subtype: 'error_max_turns' }, 'unknown'],
  ['a word that no list knows', { subtype: 'toString' }, 'unknown'],
  ['no subtype', {}, 'unknown'],
])('%s', (_, of, word) => expect(content(of)).toBe(word))
