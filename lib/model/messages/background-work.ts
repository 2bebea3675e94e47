/** The line of an error, without values of statements. */
interface Failed {
  readonly error: string
}

/** Failed of one thing, by its id. */
interface FailedOf extends Failed {
  readonly id: string
}

/** What background work reports to the log of the server. */
export interface BackgroundWork {
  expiring_fixes_failed: Failed
  fix_not_closed: FailedOf
  proposing_patches_failed: Failed
  /** Of an execution. */
  patches_not_proposed: FailedOf
  reading_patches_failed: Failed
  /** Of a fix. */
  patch_not_read: FailedOf
  rereading_patches_failed: Failed
  finding_fits_failed: Failed
  counting_failed: Failed
  analyses_failed: Failed
  finding_rebuilds_failed: Failed
  finding_quarantined_failed: Failed
  finding_connections_failed: Failed
  finding_chains_failed: Failed
  finding_checks_failed: Failed
  cleaning_scratch_failed: Failed
  /** Of an execution. */
  layers_not_compared: FailedOf
  /** Names of the controls. */
  controls_failed: { readonly controls: readonly string[] }
  partitions_made: { readonly names: readonly string[] }
  execution_not_imported: {
    readonly executionId: string
    readonly connection: string
    readonly error: string
  }
  worker_stopped: Failed
  worker_failed: Failed
  job_failed: { readonly id: string; readonly task: string; readonly error: string }
  /** Of the thread that reads patches. */
  reading_patch_failed: Failed
  noting_unread_failed: Failed
}

/** Reports that name nothing but an error. */
export type PlainFailure = {
  [Id in keyof BackgroundWork]: Failed extends BackgroundWork[Id] ? Id : never
}[keyof BackgroundWork]

/** Reports that name one thing and an error. */
export type FailureOfOne = {
  [Id in keyof BackgroundWork]: BackgroundWork[Id] extends FailedOf
    ? FailedOf extends BackgroundWork[Id]
      ? Id
      : never
    : never
}[keyof BackgroundWork]
