import type { AttemptItem, ExecutionDetail } from '@/lib/api/schemas'

export interface ChainTile {
  attempt: AttemptItem
  /** Time between the end of the try before and the start of this one; null when either is not known. */
  gapMs: number | null
  /** Refusals and cancelled siblings that hang on this call. */
  hanging: AttemptItem[]
}

export interface ChainView {
  number: number
  tool: string
  target: string | null
  recovered: boolean
  tiles: ChainTile[]
}

type Chain = ExecutionDetail['chains'][number]

/**
 * The chains as they are drawn: each failed try in order, then the try that came after them. Calls that hang on a failing call
 * (a refusal, a cancelled sibling) are drawn under it, and a chain that consists of such calls only is not drawn again.
 */
export function chainViews(chains: readonly Chain[], attempts: readonly AttemptItem[]): ChainView[] {
  const byId = new Map(attempts.map((attempt) => [attempt.callId, attempt]))
  const inChain = new Set(chains.flatMap((chain) => chain.failedCallIds))
  const hangsOn = (id: string): string | null => {
    const on = byId.get(id)?.attachedTo?.callId ?? null
    return on !== null && on !== id && inChain.has(on) && byId.get(on)?.attachedTo?.callId !== id ? on : null
  }
  const hanging = new Map<string, AttemptItem[]>()
  for (const attempt of attempts) {
    const on = hangsOn(attempt.callId)
    if (on !== null) hanging.set(on, [...(hanging.get(on) ?? []), attempt])
  }
  return (
    chains
      // Chains that hang on each other in a ring would otherwise hide one another: only what hangs on a free call is taken away.
      .filter(
        (chain) => !chain.failedCallIds.every((id) => hangsOn(id) !== null && hangsOn(hangsOn(id)!) === null),
      )
      .map((chain) => {
        const tries = [
          ...chain.failedCallIds,
          ...(chain.nextCallId === null ? [] : [chain.nextCallId]),
        ].flatMap((id) => byId.get(id) ?? [])
        return {
          number: chain.number,
          tool: chain.tool,
          target: chain.target,
          recovered: chain.recovered,
          tiles: tries.map((attempt, index) => ({
            attempt,
            gapMs: index === 0 ? null : gap(tries[index - 1]!, attempt),
            hanging: hanging.get(attempt.callId) ?? [],
          })),
        }
      })
  )
}

function gap(before: AttemptItem, after: AttemptItem): number | null {
  const from = Date.parse(before.endedAt ?? before.startedAt ?? '')
  const to = Date.parse(after.startedAt ?? '')
  return Number.isNaN(from) || Number.isNaN(to) ? null : Math.max(0, to - from)
}
