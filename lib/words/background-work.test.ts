import { expect, test } from 'vitest'
import type { BackgroundWork } from '../model/messages/background-work'
import { BACKGROUND_WORK_WORDS } from './background-work'
import { wordedSamples, type Samples } from './samples.support'

const FAILED = [{ error: 'Error: gone' }]
const OF_ONE = [{ id: '7', error: 'Error: gone' }]
const SAMPLES: Samples<BackgroundWork> = {
  expiring_fixes_failed: FAILED,
  fix_not_closed: OF_ONE,
  proposing_patches_failed: FAILED,
  patches_not_proposed: OF_ONE,
  reading_patches_failed: FAILED,
  patch_not_read: OF_ONE,
  rereading_patches_failed: FAILED,
  finding_fits_failed: FAILED,
  counting_failed: FAILED,
  analyses_failed: FAILED,
  finding_rebuilds_failed: FAILED,
  finding_quarantined_failed: FAILED,
  finding_connections_failed: FAILED,
  finding_chains_failed: FAILED,
  finding_checks_failed: FAILED,
  cleaning_scratch_failed: FAILED,
  layers_not_compared: OF_ONE,
  controls_failed: [{ controls: ['equal', 'changed'] }],
  partitions_made: [{ names: ['events_2026_06'] }],
  execution_not_imported: [{ executionId: '7', connection: '8', error: 'Error: gone' }],
  worker_stopped: FAILED,
  worker_failed: FAILED,
  job_failed: [{ id: '9', task: 'fit', error: 'Error: gone' }],
  reading_patch_failed: FAILED,
  noting_unread_failed: FAILED,
}

test('what background work reports', () => {
  const words = wordedSamples(BACKGROUND_WORK_WORDS, SAMPLES)
  const all = Object.values(words).flat()
  expect(new Set(all).size).toBe(all.length)
  expect(words).toMatchInlineSnapshot(`
    {
      "analyses_failed": [
        "deferred analyses failed: Error: gone",
      ],
      "cleaning_scratch_failed": [
        "scratch folders could not be removed: Error: gone",
      ],
      "controls_failed": [
        "parity checks are not trustworthy: their controls fail: equal; changed",
      ],
      "counting_failed": [
        "counts could not be aggregated: Error: gone",
      ],
      "execution_not_imported": [
        "execution 7 of connection 8 could not be imported: Error: gone",
      ],
      "expiring_fixes_failed": [
        "expired fixes could not be closed: Error: gone",
      ],
      "finding_chains_failed": [
        "receipt chains could not be read: Error: gone",
      ],
      "finding_checks_failed": [
        "due parity checks could not be read: Error: gone",
      ],
      "finding_connections_failed": [
        "connections could not be read: Error: gone",
      ],
      "finding_fits_failed": [
        "due fix checks could not be read: Error: gone",
      ],
      "finding_quarantined_failed": [
        "quarantined executions could not be read: Error: gone",
      ],
      "finding_rebuilds_failed": [
        "pending rebuilds could not be read: Error: gone",
      ],
      "fix_not_closed": [
        "fix 7 could not be closed: Error: gone",
      ],
      "job_failed": [
        "job 9 (fit) failed: Error: gone",
      ],
      "layers_not_compared": [
        "the layers of 7 could not be compared: Error: gone",
      ],
      "noting_unread_failed": [
        "could not record that a patch is unreadable: Error: gone",
      ],
      "partitions_made": [
        "created partitions: events_2026_06",
      ],
      "patch_not_read": [
        "the patch of fix 7 could not be read: Error: gone",
      ],
      "patches_not_proposed": [
        "the patches of 7 could not be proposed: Error: gone",
      ],
      "proposing_patches_failed": [
        "patches could not be proposed: Error: gone",
      ],
      "reading_patch_failed": [
        "a patch could not be read: Error: gone",
      ],
      "reading_patches_failed": [
        "patches could not be read: Error: gone",
      ],
      "rereading_patches_failed": [
        "patches could not be read again: Error: gone",
      ],
      "worker_failed": [
        "the worker failed: Error: gone",
      ],
      "worker_stopped": [
        "background work stopped: Error: gone",
      ],
    }
  `)
})
