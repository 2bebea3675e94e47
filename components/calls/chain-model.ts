import type { CallItem, ExecutionDetail } from '@/lib/api/schemas'

export interface ChainTile {
  call: CallItem
  /** Time between the end of the call before and the start of this one; null when either is not known. */
  gapMs: number | null
  /** Refusals and cancelled siblings that hang on this call. */
  hanging: CallItem[]
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
 * The chains as they are drawn: each failed call in order, then the call that came after them. Calls that hang on a failing call
 * (a refusal, a cancelled sibling) are drawn under it, and a chain that consists of such calls only is not drawn again.
 */
export function chainViews(chains: readonly Chain[], calls: readonly CallItem[]): ChainView[] {
  const byId = new Map(calls.map((call) => [call.callId, call]))
  const inChain = new Set(chains.flatMap((chain) => chain.failedCallIds))
  const hangsOn = (id: string): string | null => {
    const on = byId.get(id)?.attachedTo?.callId ?? null
    return on !== null && on !== id && inChain.has(on) && byId.get(on)?.attachedTo?.callId !== id ? on : null
  }
  const hanging = new Map<string, CallItem[]>()
  for (const call of calls) {
    const on = hangsOn(call.callId)
    if (on !== null) hanging.set(on, [...(hanging.get(on) ?? []), call])
  }
  return (
    chains
      // Chains that hang on each other in a ring would otherwise hide one another: only what hangs on a free call is taken away.
      .filter(
        (chain) => !chain.failedCallIds.every((id) => hangsOn(id) !== null && hangsOn(hangsOn(id)!) === null),
      )
      .map((chain) => {
        const linked = [
          ...chain.failedCallIds,
          ...(chain.nextCallId === null ? [] : [chain.nextCallId]),
        ].flatMap((id) => byId.get(id) ?? [])
        return {
          number: chain.number,
          tool: chain.tool,
          target: chain.target,
          recovered: chain.recovered,
          tiles: linked.map((call, index) => ({
            call,
            gapMs: index === 0 ? null : gap(linked[index - 1]!, call),
            hanging: hanging.get(call.callId) ?? [],
          })),
        }
      })
  )
}

function gap(before: CallItem, after: CallItem): number | null {
  const from = Date.parse(before.endedAt ?? before.startedAt ?? '')
  const to = Date.parse(after.startedAt ?? '')
  return Number.isNaN(from) || Number.isNaN(to) ? null : Math.max(0, to - from)
}
