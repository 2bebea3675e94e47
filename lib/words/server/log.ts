/** Lines of the log of the server, and errors that only its log shows. */
export const logText = {
  readerGone: 'The reader has gone',
  pageNotRead: ({ title }: { title: string }) => `a page could not be read: ${title}`,

  notListeningYet: 'not listening yet; the first request tries again',
  jobsNotStarted: 'background jobs could not start',

  noSecret: 'INQUEST_SECRET is missing or shorter than 32 characters. `inquest up` creates one',

  noDatabaseUrl: 'DATABASE_URL is not set; start with `inquest up`',
  databaseSilent: 'the database does not answer: requests are refused until it does',
  databaseAnswers: 'the database answers again',

  noConnectionFree: 'no database connection became available',
  statementTooSlow: 'query timed out',
  diskFull: 'the disk is full',
  ingestThreadEnded: 'ingest thread crashed on a request',

  listeningLost: 'lost the connection that listens for changes; open pages show that data may be stale',
  listeningAgain: 'listening for changes again',
  listeningFailed: 'listening for changes failed',

  patchDownloadBroke: 'patch download aborted',
  secretsUnknown: ({ id }: { id: string }) => `the secrets of ${id} are not known`,
  storedPatchDiffers: ({ digest }: { digest: null | string }) =>
    `the stored patch ${digest ?? ''} does not match its digest`,

  receiptExportBroke: 'receipt export aborted',

  databaseDidNotAnswer: 'the database did not answer',

  bundleBroke: 'fix bundle download aborted',

  provenanceExportBroke: 'provenance export aborted',

  transcriptDownloadBroke: 'transcript download aborted',

  rawDownloadBroke: 'raw record download aborted',
}
