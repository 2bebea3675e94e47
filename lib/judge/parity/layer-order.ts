import { LAYERS } from './layers'

/** Layers in the order in which the data travels; others are behind them. */
const LAYER_ORDER: readonly string[] = ['made', 'worker', ...LAYERS]

const rank = (layer: string): number =>
  (LAYER_ORDER.indexOf(layer) + LAYER_ORDER.length + 1) % (LAYER_ORDER.length + 1)

/** Each transition once, in the order in which the data travels. */
export function sortLayers<T extends { from: string; to: string }>(transitions: readonly T[]): T[] {
  const once = [...new Map(transitions.map((one) => [JSON.stringify([one.from, one.to]), one])).values()]
  return once.sort(
    (a, b) =>
      rank(a.from) - rank(b.from) || rank(a.to) - rank(b.to) || (a.from + a.to < b.from + b.to ? -1 : 1),
  )
}
