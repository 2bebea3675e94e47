import { decide } from '../decide'
import type { Policy } from '../policies'
import { applyChanges, changesOf, type WhatIf } from '../what-if'
import type { Change } from '../what-if-edits'

/** The smallest sets, of at most four, found by trying every set of the changes that are offered on top of any others. */
export function bruteForce(whatIf: WhatIf, policy: Policy): Change[][] {
  const byId = new Map<string, Change>()
  let last: Change[][] = [[]]
  for (let size = 0; size < 3; size++) {
    // Of sets that offer the same, one is enough to know what is offered.
    const offers = new Map<string, { set: Change[]; offered: Change[] }>()
    for (const set of last) {
      const offered = changesOf(whatIf, set)
      offers.set(offered.map(({ id }) => id).join(), { set, offered })
    }
    last = [...offers.values()].flatMap(({ set, offered }) => offered.map((one) => [...set, one]))
    for (const { offered } of offers.values()) for (const one of offered) byId.set(one.id, one)
  }
  const changes = [...byId.values()]
  let sets: { set: Change[]; next: number }[] = [{ set: [], next: 0 }]
  for (let size = 0; size <= 4; size++) {
    const found = sets.filter(({ set }) => decide(applyChanges(whatIf, set), policy).success)
    if (found.length > 0) return found.map(({ set }) => set)
    sets = sets.flatMap(({ set, next }) =>
      changes
        .slice(next)
        .flatMap((one, i) =>
          set.some(({ of }) => of === one.of) ? [] : [{ set: [...set, one], next: next + i + 1 }],
        ),
    )
  }
  return []
}

export const idsOf = (sets: readonly (readonly Change[])[]): string[] =>
  sets
    .map((set) =>
      set
        .map(({ id }) => id)
        .toSorted()
        .join(' + '),
    )
    .toSorted()
