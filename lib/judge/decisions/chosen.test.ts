import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listOffers, readChosen, toggled } from './chosen'
import { arbitraryWhatIf } from './testing/arbitrary-facts'
import { applyChanges, changesOf, smallestSuccess } from './what-if'
import { CURRENT_POLICY } from './policies'

const idsOf = (changes: readonly { id: string }[]): string[] => changes.map(({ id }) => id)

/** Some changes, each one that was offered on top of those before. */
const arbitraryChosen = arbitraryWhatIf.chain((whatIf) =>
  fc.array(fc.nat(), { maxLength: 4 }).map((picks) => {
    const chosen = picks.reduce<ReturnType<typeof changesOf>>((so, pick) => {
      const offered = changesOf(whatIf, so)
      return offered.length === 0 ? so : [...so, offered[pick % offered.length]!]
    }, [])
    return { whatIf, chosen }
  }),
)

test('a link says what was chosen: ids are read into the same facts', () => {
  fc.assert(
    fc.property(arbitraryChosen, ({ whatIf, chosen }) => {
      const read = readChosen(whatIf, idsOf(chosen))
      expect(read.unknown).toEqual([])
      expect(idsOf(read.chosen)).toEqual(idsOf(chosen))
      expect(applyChanges(whatIf, read.chosen)).toEqual(applyChanges(whatIf, chosen))
    }),
  )
})

test('whatever stands in an address is read, and what means nothing is told', () => {
  fc.assert(
    fc.property(
      arbitraryChosen,
      fc.array(
        fc.oneof(fc.string(), fc.constantFrom('channel:channel_b', 'channel:unmonitored', 'exit:zero')),
      ),
      ({ whatIf, chosen }, odd) => {
        const ids = [...new Set([...odd, ...idsOf(chosen)])]
        const read = readChosen(whatIf, ids)
        expect(new Set(read.chosen.map(({ of }) => of)).size).toBe(read.chosen.length)
        for (const id of read.unknown) expect(idsOf(read.chosen)).not.toContain(id)
      },
    ),
  )
})

test('what is chosen stays on offer, so that it can be taken back', () => {
  fc.assert(
    fc.property(arbitraryChosen, ({ whatIf, chosen }) => {
      const offered = idsOf(listOffers(whatIf, chosen))
      for (const { id } of chosen) expect(offered).toContain(id)
      for (const change of chosen)
        expect(toggled(chosen, change)).toEqual(idsOf(chosen.filter(({ id }) => id !== change.id)))
    }),
  )
})

test('every change of a smallest set can be read from an address', () => {
  fc.assert(
    fc.property(arbitraryWhatIf, (whatIf) => {
      for (const set of smallestSuccess(whatIf, CURRENT_POLICY))
        expect(readChosen(whatIf, idsOf(set)).unknown).toEqual([])
    }),
  )
})
