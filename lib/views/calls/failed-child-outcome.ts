const BADLY = new Set(['failed', 'cancelled', 'interrupted', 'retriable'])

/** How the execution ended that a call started, where the call reads as a success and that execution does not; else null. Both are shown as recorded. */
export const failedChildOutcome = ({
  state,
  childOutcome,
}: {
  state: string
  childOutcome: string | null
}): string | null =>
  state === 'succeeded' && childOutcome !== null && BADLY.has(childOutcome) ? childOutcome : null
