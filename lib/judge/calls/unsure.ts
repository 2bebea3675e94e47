/** What an error says of a call that was cut off on its way. Read by the database and here alike. */
export const UNSURE_TEXT =
  'timed? ?out|interrupted|connection (reset|closed|lost)|socket hang up|ECONNRESET|EPIPE'
const UNSURE = new RegExp(UNSURE_TEXT, 'i')

/** Whether nobody knows what a call has done: it was not answered, or was cut off. One that failed for another reason is taken for not done. */
export const isUnsure = ({
  state,
  failureClass,
  errorText,
}: {
  state: string
  failureClass: string | null
  errorText: string | null
}): boolean =>
  state === 'no_result' ||
  (state === 'failed' && (failureClass === 'interrupted' || UNSURE.test(errorText ?? '')))
