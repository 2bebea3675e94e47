/** An execution as it is stored, ids of the server's own aside. */
export interface Stored {
  externalId: string
  outcome: string
  counts: Record<string, number | null>
  cause: string | null
}

export interface Verdict {
  /** Executions that are missing, or hold less than they should. */
  lost: string[]
  /** Executions that are there twice, or hold more than they should. */
  doubled: string[]
  /** Executions that hold as much, but not the same. */
  different: string[]
}

/**
 * Compares what is stored with what an undisturbed run of the same work stored.
 *
 * @param onlyThese ids that have to be there; unset: all. Others may be missing, but not wrong
 */
export function compareStored(
  stored: readonly Stored[],
  wanted: readonly Stored[],
  onlyThese: ReadonlySet<string> = new Set(wanted.map(({ externalId }) => externalId)),
): Verdict {
  const verdict: Verdict = { lost: [], doubled: [], different: [] }
  const byId = new Map<string, Stored[]>()
  for (const one of stored) byId.set(one.externalId, [...(byId.get(one.externalId) ?? []), one])
  for (const want of wanted) {
    const found = byId.get(want.externalId) ?? []
    byId.delete(want.externalId)
    if (found.length === 0) {
      if (onlyThese.has(want.externalId)) verdict.lost.push(want.externalId)
      continue
    }
    if (found.length > 1) verdict.doubled.push(want.externalId)
    if (!onlyThese.has(want.externalId)) continue
    const [{ counts, outcome, cause }] = found as [Stored]
    const records = (counts.records ?? 0) - (want.counts.records ?? 0)
    if (records < 0) verdict.lost.push(want.externalId)
    else if (records > 0) verdict.doubled.push(want.externalId)
    else if (
      JSON.stringify([outcome, cause, ordered(counts)]) !==
      JSON.stringify([want.outcome, want.cause, ordered(want.counts)])
    )
      verdict.different.push(want.externalId)
  }
  // What nobody sent is there once too often.
  verdict.doubled.push(...byId.keys())
  return verdict
}

const ordered = (counts: Stored['counts']): [string, number | null][] =>
  Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1))

export const isRight = ({ lost, doubled, different }: Verdict): boolean =>
  lost.length + doubled.length + different.length === 0
