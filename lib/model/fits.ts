/** Why no check was made of whether a patch applies. */
export const NOT_CHECKED = [
  'mirrors-off',
  'no-mirror',
  'no-repository',
  'never',
  'unsafe',
  'refused',
  'grows',
  'no-git',
  'mirror-gone',
  'objects-missing',
  'over-time',
  'damaged',
  'failed',
] as const
export type NotChecked = (typeof NOT_CHECKED)[number]

/** What is wrong with a file or a hunk, in our words; Git's own are beside them. */
export const FIT_TROUBLES = [
  'hunk',
  'file-missing',
  'file-exists',
  'binary-differs',
  'beyond-link',
  'wrong-type',
  'other',
] as const
export type FitTroubleKind = (typeof FIT_TROUBLES)[number]

/** Why a reported application was not looked for, beside what prevents every check. */
export const NOT_LOOKED = ['commit-missing', 'no-commit', 'no-promise'] as const
export type NotLooked = NotChecked | (typeof NOT_LOOKED)[number]

/** Why a suggested edit makes no patch. */
export const SUGGEST_REFUSALS = [
  'unreadable',
  'no-such-file',
  'binary',
  'file-twice',
  'no-such-lines',
  'not-text',
  'same',
  'nothing-left',
  'last-line',
  'bad-numbers',
  'too-large',
] as const
export type SuggestRefusal = (typeof SUGGEST_REFUSALS)[number]
