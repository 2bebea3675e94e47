/** Why a database of receipts could not be read. */
export const receiptsDatabaseText = {
  writtenContinuously: 'it is being written continuously; try again',
  damaged: 'the database is damaged: truncated or overwritten',
  noReceiptsTable: 'the database has no receipts table',
  noSqlite: 'SQLite could not be started',
}
