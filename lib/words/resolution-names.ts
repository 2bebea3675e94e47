import type { Resolution } from '../model/resolution'

/** What became of a failed call, in short: lists, filters, tables. */
export const RESOLUTION_NAMES: Record<Resolution, string> = {
  same_way: 'done later in the same way',
  another_way: 'done another way',
  unresolved: 'not done again',
  unknown: 'unknown',
}
