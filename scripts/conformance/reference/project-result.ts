import type { ExactJson, ExactObject } from '@/lib/text/exact-json'
import { isOverLimit, projectContext, type Projection } from '@/lib/judge/parity/project-result'

/** Which way a version of the source has; null for one that is no version. */
export function projectionOf(version: string): Projection | null {
  if (version === 'current') return 'current'
  const numbers = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number)
  if (numbers === undefined) return null
  const isUpTo = (limit: readonly number[]): boolean => {
    const at = limit.findIndex((number, i) => number !== numbers[i])
    return at === -1 || numbers[at]! < limit[at]!
  }
  if (isUpTo([2, 35, 8])) return 'scalars_only'
  if (isUpTo([2, 37, 0])) return 'flat_diagnosis'
  return isUpTo([2, 37, 1]) ? 'whole_diagnosis' : 'current'
}

/**
 * The result column that the source writes for a reply of its worker: what of the reply survives, and whether.
 *
 * @param eventType of the row that the reply goes into
 * @see docs/parity.md#by-design
 */
export function projectResult(reply: ExactJson, eventType: string, projection: Projection): ExactObject {
  const status = /error|failed/.test(eventType) ? 'FAILED' : 'COMPLETED'
  const context = projectContext(reply, projection)
  return Object.keys(context).length === 0 || isOverLimit(context) ? { status } : { status, context }
}
