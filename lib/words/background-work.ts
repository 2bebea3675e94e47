import type { BackgroundWork } from '../model/messages/background-work'
import type { Catalogue } from './catalogue'

/** What background work reports to the log of the server. */
export const BACKGROUND_WORK_WORDS: Catalogue<BackgroundWork> = {
  expiring_fixes_failed: ({ error }) => `expired fixes could not be closed: ${error}`,
  fix_not_closed: ({ id, error }) => `fix ${id} could not be closed: ${error}`,
  proposing_patches_failed: ({ error }) => `patches could not be proposed: ${error}`,
  patches_not_proposed: ({ id, error }) => `the patches of ${id} could not be proposed: ${error}`,
  reading_patches_failed: ({ error }) => `patches could not be read: ${error}`,
  patch_not_read: ({ id, error }) => `the patch of fix ${id} could not be read: ${error}`,
  rereading_patches_failed: ({ error }) => `patches could not be read again: ${error}`,
  finding_fits_failed: ({ error }) => `due fix checks could not be read: ${error}`,
  counting_failed: ({ error }) => `counts could not be aggregated: ${error}`,
  analyses_failed: ({ error }) => `deferred analyses failed: ${error}`,
  finding_rebuilds_failed: ({ error }) => `pending rebuilds could not be read: ${error}`,
  finding_quarantined_failed: ({ error }) => `quarantined executions could not be read: ${error}`,
  finding_connections_failed: ({ error }) => `connections could not be read: ${error}`,
  finding_chains_failed: ({ error }) => `receipt chains could not be read: ${error}`,
  finding_checks_failed: ({ error }) => `due parity checks could not be read: ${error}`,
  cleaning_scratch_failed: ({ error }) => `scratch folders could not be removed: ${error}`,
  layers_not_compared: ({ id, error }) => `the layers of ${id} could not be compared: ${error}`,
  controls_failed: ({ controls }) =>
    `parity checks are not trustworthy: their controls fail: ${controls.join('; ')}`,
  partitions_made: ({ names }) => `created partitions: ${names.join(', ')}`,
  execution_not_imported: ({ executionId, connection, error }) =>
    `execution ${executionId} of connection ${connection} could not be imported: ${error}`,
  worker_stopped: ({ error }) => `background work stopped: ${error}`,
  worker_failed: ({ error }) => `the worker failed: ${error}`,
  job_failed: ({ id, task, error }) => `job ${id} (${task}) failed: ${error}`,
  reading_patch_failed: ({ error }) => `a patch could not be read: ${error}`,
  noting_unread_failed: ({ error }) => `could not record that a patch is unreadable: ${error}`,
}
