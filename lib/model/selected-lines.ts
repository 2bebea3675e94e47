/** Why lines of a diff cannot be edited. */
export type NotEditable =
  | 'none-selected'
  | 'no-new-lines'
  | 'several-hunks'
  | 'secret'
  | 'not-utf8'
  | 'too-long'
  | 'carriage-return'
