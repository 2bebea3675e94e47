import type { WorkedCall } from '../calls/merge-calls'
import { mayHaveWritten } from '../calls/missing'
import { CHANGES_FILES } from '../calls/retry-chain'
import type { Work } from '../causes/work'

const CALLS_READ_ON = 300

/** The next command that names the file of a failed change and may have written it. */
export function laterWriter(a: WorkedCall, { calls }: Work): WorkedCall | null {
  if (!CHANGES_FILES.has(a.tool) || a.target === null) return null
  for (const later of calls.slice(a.ordinal + 1, a.ordinal + 1 + CALLS_READ_ON))
    if (
      later.state === 'succeeded' &&
      later.looseTarget !== null &&
      later.target !== null &&
      mayHaveWritten(later.target, a.target)
    )
      return later
  return null
}
