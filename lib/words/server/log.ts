/** Lines of the log of the server, and errors that only its log shows. */
export const logText = {
  readerGone: 'The reader has gone',
  pageNotRead: ({ title }: { title: string }) => `a page could not be read: ${title}`,

  notListeningYet: 'not listening yet; the first reader tries again',
  jobsNotStarted: 'background jobs could not start',

  noSecret: 'INQUEST_SECRET is missing or shorter than 32 characters. `inquest up` creates one',

  noDatabaseUrl: 'DATABASE_URL is not set; start with `inquest up`',
  databaseSilent: 'the database does not answer: requests are refused until it does',
  databaseAnswers: 'the database answers again',

  noConnectionFree: 'no connection to the database became free',
  statementTooSlow: 'a statement took too long',
  diskFull: 'the disk is full',
  ingestThreadEnded: 'an ingest thread ended over a request',

  listeningLost:
    'the connection that listens for changes is lost; open pages say that their data may be stale',
  listeningAgain: 'listening for changes again',
  listeningFailed: 'listening for changes failed',

  patchDownloadBroke: 'a download of a patch broke off',
  secretsUnknown: ({ id }: { id: string }) => `the secrets of ${id} are not known`,
  storedPatchDiffers: ({ digest }: { digest: null | string }) =>
    `the stored patch ${digest ?? ''} is not what its digest says`,

  receiptExportBroke: 'an export of receipts broke off',

  databaseDidNotAnswer: 'the database did not answer',

  bundleBroke: 'a bundle of a fix broke off',

  provenanceExportBroke: 'an export of provenance broke off',

  transcriptDownloadBroke: 'a download of a transcript broke off',

  rawDownloadBroke: 'a download of a raw record broke off',
}
