import { codeWords } from '../text/code-words'

const ODD_WORDS: Record<string, string> = {
  not_json: 'not JSON',
  not_an_object: 'not a JSON object',
  too_deep: 'nested too deeply',
  too_many_values: 'too many JSON values',
  too_many_events: 'too many events in one record',
  invalid_utf8: 'not UTF-8',
  no_session: 'names no session',
  wrong_type: 'a field of the wrong type',
  gap: 'bytes before it are missing',
  spool_dropped: 'Dropped before it was sent',
  unstorable_id: 'an ID with characters that cannot be stored',
  unstorable_values: 'values that the database rejected',
  no_receipt: 'Agent Receipts would have lost it',
}

/** Why a record is odd. */
export const oddWords = (reason: string): string => ODD_WORDS[reason] ?? codeWords(reason)
