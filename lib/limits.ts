/** Every limit of the product, in one place; `docs/limits.md` says the same for readers and a test pairs the two. */
export const limits = {
  /** Largest request body, after content decoding. */
  bodyBytesMax: 256 * 1024 * 1024,
  /**
   * Bytes of request bodies that are held at once, encoded and decoded, until they are answered; and besides, for the first part of each, so
   * that small requests get through while large ones fill the rest.
   */
  inflightBytesMax: 320 * 1024 * 1024,
  inflightSmallBytesMax: 64 * 1024 * 1024,
  inflightSmallPartBytes: 256 * 1024,
  /** While that is full, a body that came slower than this may be given up for others. */
  slowBodyBytesPerSecond: 256 * 1024,
  /** Seconds for a small body (up to a MiB) as a whole; a larger one has to bring so many bytes in each interval. */
  smallBodySeconds: 30,
  bodyProgressBytes: 64 * 1024,
  bodyProgressSeconds: 30,
  /** Connections that are open at once. */
  connectionsMax: 2_000,
  /** Seconds until the head of a request is there; and for what is left of a body after its answer, and for a client to close what we closed. */
  requestHeadSeconds: 20,
  lingerSeconds: 5,
  /** Seconds for which a connection is kept for the next request: longer than clients and proxies keep theirs. */
  idleConnectionSeconds: 75,
  /** Seconds for which a reader may take nothing of an answer that waits for it. */
  stalledReaderSeconds: 60,
  /** Seconds for one statement of a page or of a request that only reads. */
  readStatementSeconds: 15,
  /** Seconds for which a request waits for a free connection to the database. */
  connectionWaitSeconds: 5,
  /** Largest single line (record). Longer ones are kept and shown as odd. */
  lineBytesMax: 128 * 1024 * 1024,
  /** Largest body that is one JSON document, and its records: all of them are read at once. */
  documentBytesMax: 64 * 1024 * 1024,
  documentRecordsMax: 100_000,
  /** Of the files of one run of async-pipeline that are sent as one; of its logs then only the ends go along. */
  runBundleBytesMax: 64 * 1024 * 1024,
  /** Patches of one run of async-pipeline that are named and proposed as fixes. */
  runPatchesMax: 100,
  /** Largest file that `inquest explain` reads. */
  explainBytesMax: 256 * 1024 * 1024,
  /** Deepest JSON nesting that is read. Deeper records are kept and shown as odd. */
  jsonDepthMax: 512,
  /** JSON values of one record, keys not counted; rows of one document; content blocks of a message; tasks of a run that are read. */
  recordValuesMax: 1_000_000,
  recordEventsMax: 100_000,
  messageBlocksMax: 1_000,
  runTasksMax: 2_000,
  /** Largest document of a layer that is compared; larger ones are reported as such, never as equal. */
  parityBytesMax: 2 * 1024 * 1024,
  /** Kept bytes, and records, of an execution that a check of parity derives anew. */
  rederiveBytesMax: 32 * 1024 * 1024,
  rederiveRecordsMax: 10_000,
  /** Characters of the pointers to differences that are listed of one comparison. */
  parityListedCharsMax: 32 * 1024 * 1024,
  /** Of a check that is stored: differences, characters of each of their places, and places of the heat map. */
  parityDifferencesStored: 100,
  parityPathCharsStored: 1_000,
  parityPlacesStored: 200,
  /** Checks that are kept of one execution, the newest ones. */
  parityChecksKept: 10,
  /** Days after which an execution that has not changed is checked again. */
  parityRecheckDays: 30,
  /** Rows of the heat map; those that matter most. */
  parityHeatRows: 100,
  /** Lines of one file of a patch that the review room draws, and bytes of a line that it shows. */
  diffRowsMax: 100_000,
  diffLineBytesShown: 4_096,
  /** Between two versions of a patch: files of each that are compared, and lines of one place that may differ before it is shown whole. */
  versionFilesMax: 5_000,
  interdiffEditsMax: 2_000,
  /** Decoded bytes for each compressed byte, above the first MiB. */
  decompressionRatioMax: 200,
  /** A received part holds whole lines up to about this size; a longer line is a part of its own. */
  partBytesTarget: 1024 * 1024,
  /** Lines of such a part: what is held of each record is more than a short line. */
  partLinesMax: 20_000,
  /** Rows of the event log of NoETL that one visit of its tables takes in, and bytes of them that are held at once. */
  tableRowsPerPoll: 20_000,
  tableBatchBytes: 4 * 1024 * 1024,
  /** Rows of one page of a list, and the most a reader may ask for. */
  pageRows: 50,
  pageRowsMax: 200,
  /** Characters of a filter of executions, and of an id that is looked for. */
  filterCharsMax: 4_000,
  findIdCharsMax: 512,
  /** Characters of the reason why a cause is not the right one. */
  correctionReasonCharsMax: 2_000,
  /** Counting under a filter stops here and says "10,000+". */
  countMax: 10_000,
  /** Of the executions that are replayed under other policies (`countMax`), those that are replayed with the page; the browser asks for the rest. */
  replayedFirst: 500,
  /** Problems of one rebuild of a project that are named; all are counted. */
  reingestProblemsKept: 100,
  /** Odd records named in one answer. */
  oddListedMax: 100,
  /** Characters of an error text that are kept beside the bytes. */
  errorTextCharsMax: 2_000,
  /** Hook frames: error text is cut here, on a character boundary. */
  hookErrorBytesMax: 16 * 1024,
  /** Largest body of the hook endpoint: one frame. */
  hookBodyBytesMax: 16 * 1024 * 1024,
  /** One pushed receipt, as the collector of the reference has it. */
  receiptBodyBytesMax: 1024 * 1024,
  /** Hours after its arrival in which a key that can only ingest may ask for an execution of a CI run. */
  ciRunReadHours: 24,
  /** Hours for which an Idempotency-Key is remembered. */
  idempotencyHours: 24,
  /** Minutes for which a one-time link opens. */
  oneTimeLinkMinutes: 24 * 60,
  /** Minutes for which the key of a local server opens after its last sign of life. */
  localKeyMinutes: 5,
  /** What waits in the spool of one state folder for servers that are away: hook frames, and records of runs. */
  spoolFramesMax: 20_000,
  spoolFrameBytesMax: 256 * 1024 * 1024,
  spoolRecordsMax: 1_000,
  spoolRecordBytesMax: 1024 * 1024 * 1024,
  /**
   * Sign-in: failed attempts without a wait, on one account from one address; then each waits, twice as long as the one before. So many on an
   * account from all addresses leave each address one without a wait.
   */
  signInAttemptsFree: 5,
  signInAttemptsPerAccount: 50,
  signInDelaySecondsMin: 1,
  signInDelaySecondsMax: 60,
  /** The same for one address over all accounts. */
  signInAttemptsPerAddress: 40,
  signInAddressDelaySecondsMax: 15,
  /** Beyond them each account has a share of its own, and a wrong password is answered no sooner than this. */
  signInCrowdedSeconds: 1,
  /** Days for which a browser in which an account signed in counts for itself, and not for its address. */
  knownDeviceDays: 365,
  /** Accounts, addresses and pairs of both whose attempts are remembered, of each. */
  signInNamesMax: 20_000,
  passwordCharsMin: 10,
  passwordCharsMax: 128,
  /** Characters of a run's output that are held to judge it: the whole of one without a result record, else the texts of the agent. */
  stdoutHeldMax: 64 * 1024 * 1024,
  /** Regular expressions from outside: characters, depth of groups, steps with all repeats written out. */
  patternCharsMax: 2_000,
  patternDepthMax: 100,
  patternSizeMax: 5_000,
  /** Steps of the pattern times characters of the text: what bounds the time of one search. */
  patternWorkMax: 10_000_000,
  /** Compiled patterns that are kept, and the bytes of states that each may build. */
  patternsKeptMax: 100,
  patternStateBytesMax: 256 * 1024,
  /** Largest patch, the largest transcript beside it, and the largest proposal. */
  patchBytesMax: 64 * 1024 * 1024,
  fixTranscriptBytesMax: 64 * 1024 * 1024,
  fixProposalBytesMax: 1024 * 1024,
  /** Hours for which a share link of a patch opens, and for which one opens where the patch contains a secret. */
  shareLinkHoursMax: 168,
  shareLinkSecretHoursMax: 24,
  /** Milliseconds after which reading a proposed patch is ended, and the patch is kept unread. */
  patchReadMsMax: 30_000,
  /** Largest record of a call that is read for what it changed, and calls that one page of changes looks at. */
  changeBytesMax: 4 * 1024 * 1024,
  changesPageMax: 50,
  /** One check whether a patch still fits: milliseconds in all, bytes that are read of what one git says, hunks and files that are named of each side. */
  fitMsMax: 60_000,
  fitOutputBytesMax: 4 * 1024 * 1024,
  fitTroublesMax: 200,
  /** Repositories that are offered of the folder for mirrors. */
  mirrorsOfferedMax: 200,
  /** Asking a source: milliseconds until a connection stands, and until the last byte of an answer. */
  fetchConnectMsMax: 10_000,
  fetchMsMax: 60_000,
  /** Largest answer of a source, after content decoding. */
  fetchBytesMax: 64 * 1024 * 1024,
  /** Pages of one execution that are fetched to be compared. */
  fetchPagesMax: 100,
  /** Questions in a second to one source, one at a time. */
  fetchesPerSecond: 5,
  /** Seconds between two polls of a source; after failures at most so many. */
  pollSecondsMin: 10,
  pollSecondsMax: 86_400,
  pollBackOffSecondsMax: 3_600,
} as const
