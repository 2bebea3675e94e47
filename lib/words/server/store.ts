import { limits } from '../../limits'

/** Errors of the store and of the work behind it, and what it writes beside what came. */
export const storeText = {
  poolBusy: ({ ms }: { ms: number }) => `no connection of the pool became free within ${ms} ms`,
  databaseSilent: ({ ms }: { ms: number }) => `the database did not answer within ${ms} ms`,
  databaseAway: 'The database is not responding',
  migrationsNotFound: ({ folders }: { folders: readonly string[] }) =>
    `Migrations not found in ${folders.join(', ')}`,
  addressNotAllowed: 'an address that is not allowed',

  serverStopping: 'the server is stopping',
  threadEnded: 'the thread that did this work has ended',
  threadExited: ({ status }: { status: number }) => `it exited with status ${status}`,
  reingestEnded: 'a job of this project has just ended',

  bytesNotStored: ({ sha256 }: { sha256: string }) => `the bytes ${sha256} are not stored`,
  partGone: ({ sha256 }: { sha256: string }) => `the received part ${sha256} is gone`,
  bytesDiffer: ({ fileName }: { fileName: string }) =>
    `the stored bytes of ${fileName} are not those that were received`,

  cursorMalformed: 'The cursor is malformed',
  cursorOfOtherList: ({ list }: { list: null | string }) =>
    `The cursor belongs to a different list${list === null ? '' : ` (${list})`}`,

  documentTooLarge: () =>
    `One JSON document may have at most ${limits.documentBytesMax / 1024 / 1024} MiB and ${limits.documentRecordsMax.toLocaleString('en')} records. Send a larger one as one record per line`,
  streamNotNamed: 'A request body that continues a stream must name it with the ID from the first response',

  importOfRun: 'Import of the run',
  superseded: ({ version }: { version: number }) => `Version ${version} replaced it.`,
}
