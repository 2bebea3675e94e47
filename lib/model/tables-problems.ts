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
