/** A failed task of a pipeline as a sentence names it. */
export interface FailedTask {
  readonly task: string
  /** By its error, one of the failures of a task; null: the record contains no error. */
  readonly failure: string | null
  readonly exitCode: number | null
  /** Null: not recorded. */
  readonly attempts: number | null
  readonly error: string
}
