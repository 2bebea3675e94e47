import { describe, expect, test } from 'vitest'
import { compareLayers } from './compare-layers'
import { CONTROLS, runControls } from './controls'

describe('the controls', () => {
  test('hold', () => expect(runControls()).toEqual([]))

  test('fail one and all with an engine that finds nothing, but for those where nothing is to be found', () => {
    const blind: typeof compareLayers = (inputs, ways) => ({ ...compareLayers([inputs[0]!, { ...inputs[1]!, text: inputs[0]!.text }], ways) })
    expect(runControls(blind)).toEqual(CONTROLS.filter(({ wanted }) => wanted !== null).map(({ name }) => name))
  })

  test('fail with one that calls what it finds by another name, finds too much, or breaks', () => {
    const change = (work: (one: { kind: string; path: string; severity: string }) => object): typeof compareLayers => (...args) => {
      const compared = compareLayers(...args)
      return { ...compared, transitions: compared.transitions.map((t) => ({ ...t, differences: t.differences.map((one) => ({ ...one, ...work(one) })) })) }
    }
    const different = CONTROLS.filter(({ wanted }) => wanted !== null).length
    expect(runControls(change(() => ({ severity: 'info' })))).toHaveLength(different)
    expect(runControls(change(({ path }) => ({ path: `${path}/x` })))).toHaveLength(different)
    expect(runControls(change(({ kind }) => (kind === 'missing' ? { kind: 'changed_type' } : {})))).toHaveLength(2)
    expect(runControls(() => { throw new Error('broken') })).toHaveLength(CONTROLS.length)
  })
})
