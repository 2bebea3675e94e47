import { DIFFERENCE_KINDS } from '../../model/parity'
import { describe, expect, test } from 'vitest'
import { compareForms, type FormInput } from './compare-forms'
import { CONTROLS } from './control-pairs'
import type { Difference } from './differences'
import { runControls } from './controls'

const ids = (of: (control: (typeof CONTROLS)[number]) => boolean): string[] =>
  CONTROLS.filter(of).map(({ id }) => id)
const withWays =
  (ways: (own: NonNullable<FormInput['ways']>) => FormInput['ways']): typeof compareForms =>
  (forms) =>
    compareForms(forms.map((form) => ({ ...form, ways: ways(form.ways!) })))

describe('the controls', () => {
  test('hold', () => expect(runControls()).toEqual([]))

  test('are of every kind, and have ids of their own', () => {
    expect(new Set(CONTROLS.flatMap(({ wanted }) => wanted.map(([kind]) => kind)))).toEqual(
      new Set(DIFFERENCE_KINDS),
    )
    expect(new Set(CONTROLS.map(({ id }) => id)).size).toBe(CONTROLS.length)
  })

  test('fail one and all with an engine that finds nothing, but for those where nothing is to be found', () => {
    const blind: typeof compareForms = (forms) =>
      compareForms(
        forms.map((form) => ({
          ...form,
          layers: [form.layers[0]!, { ...form.layers[0]!, layer: form.layers[1]!.layer }],
        })),
      )
    expect(runControls(blind)).toEqual(ids(({ id }) => !['intact', 'same_numbers'].includes(id)))
  })

  test('fail with one that calls what it finds by another name, finds too much, or breaks', () => {
    const change =
      (work: (one: Difference) => object): typeof compareForms =>
      (forms) => {
        const compared = compareForms(forms)
        return {
          ...compared,
          transitions: compared.transitions.map((t) => ({
            ...t,
            differences: t.differences.map((one) => ({ ...one, ...work(one) })),
          })),
        }
      }
    const different = ids(({ wanted }) => wanted.length > 0)
    expect(runControls(change(() => ({ severity: 'info' })))).toEqual(different)
    expect(runControls(change(({ path }) => ({ path: `${path}/x` })))).toEqual(different)
    for (const kind of DIFFERENCE_KINDS)
      expect(runControls(change((one) => (one.kind === kind ? { kind: 'other' } : {})))).toEqual(
        ids(({ wanted }) => wanted.some(([one]) => one === kind)),
      )
    expect(
      runControls(() => {
        throw new Error('broken')
      }),
    ).toHaveLength(CONTROLS.length)
  })

  test('fail with one that explains everything, nothing, or what the log keeps', () => {
    expect(runControls(withWays((own) => ({ ...own, design: () => () => 'masked_by_api' })))).toEqual(
      expect.arrayContaining(ids(({ wanted }) => wanted.length > 0)),
    )
    const explained = ids(({ byDesign, replies }) => byDesign.length > 0 && replies.size === 0)
    expect(runControls(withWays((own) => ({ ...own, design: () => () => null })))).toEqual(explained)
    expect(runControls(withWays((own) => ({ ...own, written: undefined })))).toEqual(['dropped_by_worker'])
    const dropsAll = withWays((own) => ({
      ...own,
      written: (from, _, value) => (from === 'source' ? {} : value),
    }))
    expect(runControls(dropsAll)).toContain('lost_diagnosis')
  })

  test('fail with one whose masks stand for whatever they replaced', () => {
    const trusts = withWays(({ design, ...own }) => ({
      ...own,
      design:
        (...layers) =>
        (kind, a, b, ...rest) =>
          design!(...layers)(kind, a, b, ...rest) ??
          (b === '***' || b === '[redacted:mail]' ? 'masked_by_api' : null),
    }))
    expect(runControls(trusts)).toEqual(['masked_diagnosis', 'redacted_diagnosis', 'redacted_row'])
  })

  test('fail with one that calls equal what it could not read', () => {
    const rash: typeof compareForms = (forms) => {
      const compared = compareForms(forms)
      return compared.verdict === 'unknown' ? { ...compared, verdict: 'equal' } : compared
    }
    expect(runControls(rash)).toEqual(ids(({ verdict }) => verdict === 'unknown'))
    expect(runControls(rash)).toHaveLength(4)
  })
})
