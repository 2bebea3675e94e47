/** Every way in which a question to a source can fail. The same list feeds the column, the documents and the sentences. */
export const FETCH_FAILURES = [
  'down',
  'timed_out',
  'too_large',
  'not_json',
  'status',
  'redirected_elsewhere',
  'private_address',
  'certificate',
  'cut_off',
  'unauthorized',
  'not_stored',
  'same_page',
] as const
export type FetchFailureKind = (typeof FETCH_FAILURES)[number]
