/** Why the tables of NoETL could not be read. Nothing else is shown: messages of a foreign server may contain anything. */
export const TABLES_PROBLEMS = [
  'unreachable',
  'certificate',
  'not_encrypted',
  'not_allowed',
  'no_such_table',
  'timed_out',
  'cancelled',
  'private_address',
  'no_progress',
  'unexpected',
] as const

export type TablesProblem = (typeof TABLES_PROBLEMS)[number]

export const TABLES_WORDS: Record<TablesProblem, string> = {
  unreachable: 'Could not reach the NoETL database',
  certificate: 'The certificate of the NoETL database is invalid',
  not_encrypted: 'The NoETL database does not support TLS, which its address requires',
  not_allowed: 'This account can’t read the tables of the NoETL database',
  no_such_table: 'The database has no NoETL event table',
  timed_out: 'The NoETL database timed out',
  cancelled: 'Reading the NoETL tables was cancelled',
  private_address: 'The address of the NoETL database is not allowed by the connection',
  no_progress: 'The NoETL database returned the same rows twice',
  unexpected: 'The NoETL database returned an unexpected error',
}

/** A problem in a sentence for people. */
export const tablesWords = (problem: TablesProblem): string => `${TABLES_WORDS[problem]}.`
