/** What a call tells when nothing is known of it but that it was made: for tests to lay their own facts over. */
export const silentCall = {
  errorText: null,
  errorTextCut: false,
  exitCode: null,
  startedAt: null,
  endedAt: null,
  durationMs: null,
  callPointer: null,
  resultPointer: null,
  chain: null,
  numberInChain: null,
  linkRule: null,
  linkParams: null,
  linkBasis: null,
  inputChanged: null,
  attachedTo: null,
  disagreements: [],
}
