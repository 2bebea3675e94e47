import type { ResolutionMessage } from './messages/resolution'

/**
 * What became of a failed call: its work was done later in the same way (corrected arguments count), another way (a
 * different file, tool or command with the same aim), or not in this execution. `unknown`: its record does not say
 * what the call was about.
 */
export const RESOLUTIONS = ['same_way', 'another_way', 'unresolved', 'unknown'] as const
export type Resolution = (typeof RESOLUTIONS)[number]

/** The resolution of one failed call, with the rule that decided; inferred always. */
export interface CallResolution {
  resolution: Resolution
  rule: ResolutionMessage['id']
  params: ResolutionMessage['params']
}

/** The same as a row keeps it: with the text of the day, and with an id that only another version may know. */
export interface StoredResolution {
  resolution: Resolution
  rule: string
  params: unknown
  text: string
}
