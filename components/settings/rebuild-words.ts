import type { ReingestItem } from '@/lib/api/admin-schemas'
import { formatCount, plural } from '../shared/format'

/** Whether a rebuild still goes on. */
export const isOpen = ({ state }: Pick<ReingestItem, 'state'>): boolean =>
  state === 'queued' || state === 'running' || state === 'stopping'

const rebuilt = ({ streams, executions, records }: ReingestItem): string =>
  `${plural(streams, 'stream')}, ${plural(executions, 'execution')} and ${plural(records, 'record')}`

/** How far a rebuild is, or what came of it, as a line without a full stop. */
export function rebuildWords(job: ReingestItem): string {
  const { state, phase, done, problemsTotal, error } = job
  // The count was taken when the phase began; more may have come since.
  const total = Math.max(done, job.total)
  switch (state) {
    case 'queued':
      return 'Queued: waiting for the background jobs of the server'
    case 'stopping':
      return 'Stopping after the current step'
    case 'running':
      if (phase === 'fixes') return 'Reading patches'
      return `${phase === 'streams' ? 'Reading' : 'Analysing'} ${formatCount(done)} of ${plural(total, phase.slice(0, -1))}`
    case 'stopped':
      return `Stopped. Rebuilt so far: ${rebuilt(job)}`
    case 'failed':
      return `Failed: ${error ?? 'unknown reason'}. Rebuilt so far: ${rebuilt(job)}`
    default:
      return `Rebuilt ${rebuilt(job)}${problemsTotal === 0 ? '' : `, with ${plural(problemsTotal, 'problem')}`}`
  }
}
