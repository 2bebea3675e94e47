import type { NotEditable } from '../model/selected-lines'

/** Why the selected lines cannot be edited here. */
export const NOT_EDITABLE_WORDS: Record<NotEditable, string> = {
  'none-selected': 'Choose the lines first',
  'no-new-lines': 'Only lines of the new file can be edited',
  'several-hunks': 'Select lines from one hunk',
  secret: 'A line may contain a secret and can’t be edited here',
  'not-utf8': 'A line is not UTF-8 and can’t be edited as text',
  'too-long': 'A line is too long to edit here',
  'carriage-return': 'A line contains a carriage return and can’t be edited as text',
}
