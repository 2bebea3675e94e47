import { changesOf, type WhatIf } from './what-if'
import type { Change } from './what-if-edits'

/**
 * The changes that ids stand for, in their order; of those that change the same thing the last counts. Ids that are unknown here are reported,
 * for an address may be old, or made by hand.
 */
export function readChosen(whatIf: WhatIf, ids: readonly string[]): { chosen: Change[]; unknown: string[] } {
  let chosen: Change[] = []
  let unknown = [...ids]
  // What is offered depends on what is chosen, in any order.
  for (let before = -1; unknown.length > 0 && unknown.length !== before; ) {
    before = unknown.length
    const left: string[] = []
    for (const id of unknown) {
      const change = offeredOn(whatIf, chosen, id)
      if (change === undefined) left.push(id)
      else chosen = [...chosen.filter(({ of }) => of !== change.of), change]
    }
    unknown = left
  }
  const places = new Map(ids.map((id, place) => [id, place]))
  return { chosen: chosen.sort((a, b) => places.get(a.id)! - places.get(b.id)!), unknown }
}

/** The change with this id, on top of what is chosen of other things. */
function offeredOn(whatIf: WhatIf, chosen: readonly Change[], id: string): Change | undefined {
  const known =
    chosen.find((change) => change.id === id) ?? changesOf(whatIf, chosen).find((change) => change.id === id)
  if (known !== undefined) return known
  for (const { of } of chosen) {
    const other = changesOf(
      whatIf,
      chosen.filter((change) => change.of !== of),
    ).find((change) => change.of === of && change.id === id)
    if (other !== undefined) return other
  }
  return undefined
}

/** Everything that can be flipped: what is chosen, what else it could be, and what can be changed beside it. What changes the same thing is together. */
export function listOffers(whatIf: WhatIf, chosen: readonly Change[]): Change[] {
  const offers = new Map<string, Change>()
  for (const change of [
    ...chosen,
    ...changesOf(whatIf, chosen),
    ...chosen.flatMap(({ of }) =>
      changesOf(
        whatIf,
        chosen.filter((change) => change.of !== of),
      ).filter((change) => change.of === of),
    ),
  ])
    offers.set(change.id, change)
  return [...offers.values()].sort(
    (a, b) => a.order - b.order || inWords.compare(a.of, b.of) || inWords.compare(a.id, b.id),
  )
}

const inWords = new Intl.Collator('en', { numeric: true })

/** The ids with one more, in place of another for the same thing; without it when it is there. */
export function toggled(chosen: readonly Change[], change: Change): string[] {
  const others = chosen.filter(({ of }) => of !== change.of)
  const isChosen = chosen.some(({ id }) => id === change.id)
  return [...others, ...(isChosen ? [] : [change])].map(({ id }) => id)
}
