import { expect, test } from 'vitest'
import { sortLayers } from './layer-order'

test('transitions stand in the order in which the data travels, each once; layers that nobody knows stand last', () => {
  const of = (text: string) =>
    text.split(' ').map((pair) => ({ from: pair.split('>')[0]!, to: pair.split('>')[1]! }))
  expect(
    sortLayers(
      of('persisted>rendered cache>page source>persisted source>api source>persisted worker>event_log'),
    ),
  ).toEqual(of('worker>event_log source>api source>persisted persisted>rendered cache>page'))
})
