/** What a connection is doing, in one word. */
export const CONNECTION_STATES = ['paused', 'failing', 'new', 'fetching', 'up_to_date'] as const
export type ConnectionState = (typeof CONNECTION_STATES)[number]

interface Standing {
  enabled: boolean
  failures: number
  lastOkAt: string | null
  untaken: number
}

/** The first that holds wins: what a person chose, then what is wrong, then how far it is. */
export function connectionState({ enabled, failures, lastOkAt, untaken }: Standing): ConnectionState {
  if (!enabled) return 'paused'
  if (failures > 0) return 'failing'
  if (lastOkAt === null) return 'new'
  return untaken > 0 ? 'fetching' : 'up_to_date'
}
