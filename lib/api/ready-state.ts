/** What `/readyz` says, in the order in which it looks; anything but `ready` comes with status 503. */
export const READY_STATES = [
  'starting',
  'database-down',
  'busy',
  'migrations-pending',
  'disk-full',
  'ready',
] as const

export type ReadyState = (typeof READY_STATES)[number]
