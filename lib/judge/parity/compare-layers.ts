import type { LayerState, Severity } from '../../model/parity'
import type { ExactJson } from '../../text/exact-json'
import { isMaskOfApi } from './by-design'
import { sortedDifferences, worstOf, type Difference, type Differences } from './differences'
import { diffValues, type ByDesign } from './diff-values'
import { readLayer, type LayerInput, type LayerReading } from './layers'

/** The step from one layer to the next one that could be read. */
export interface Transition extends Differences {
  from: string
  to: string
  /** Layers between the two that could not be read: what got lost, got lost on the way through them or beside them. */
  over: string[]
  /** Nothing differs, by design or otherwise. */
  equal: boolean
}

export interface LayersCompared {
  layers: { layer: string; state: LayerState }[]
  transitions: Transition[]
  /** The worst difference of all; null when there is none. */
  worst: Severity | null
  /** The first transition with a critical difference: where the data was lost. */
  firstCritical: Transition | null
  /** `equal` only when every layer was read and compared in full; `unknown` when no difference was found but a layer is missing. */
  verdict: 'equal' | 'different' | 'unknown'
}

/** What is known of the ways between layers. */
export interface Ways {
  /** What a layer writes on of what it holds, where it drops something on purpose: what that explains does not count. */
  written?: (from: string, to: string, value: ExactJson) => ExactJson
  /** Differences between two layers that are there on purpose; else the masks that an API puts in the place of secrets. */
  design?: (from: string, to: string, left: ExactJson, right: ExactJson) => ByDesign
}

/**
 * Compares the layers of an execution, each with the next one that can be read.
 *
 * @param inputs in the order in which the data travels
 * @see docs/parity.md#outcomes
 */
export function compareLayers(inputs: readonly LayerInput[], ways: Ways = {}): LayersCompared {
  const readings = inputs.map(readLayer)
  const transitions: Transition[] = []
  let last: { at: number; value: ExactJson } | null = null
  for (const [i, reading] of readings.entries()) {
    if (reading.state !== 'read') continue
    if (last !== null)
      transitions.push(transition(readings.slice(last.at, i + 1), last.value, reading.value, ways))
    last = { at: i, value: reading.value }
  }
  const all = transitions.flatMap(({ differences }) => differences)
  const isWhole = readings.length > 1 && readings.every(({ state }) => state === 'read')
  return {
    layers: readings.map(({ layer, state }) => ({ layer, state })),
    transitions,
    worst: worstOf(all),
    firstCritical: transitions.find(({ differences }) => worstOf(differences) === 'critical') ?? null,
    verdict: all.length > 0 ? 'different' : isWhole ? 'equal' : 'unknown',
  }
}

function transition(
  readings: readonly LayerReading[],
  left: ExactJson,
  right: ExactJson,
  ways: Ways,
): Transition {
  const [from, ...rest] = readings.map(({ layer }) => layer) as [string, ...string[]]
  const to = rest.pop()!
  const found = differencesOf(from, to, left, right, ways)
  return { from, to, over: rest, ...found, equal: found.differences.length + found.byDesign.length === 0 }
}

function differencesOf(
  from: string,
  to: string,
  left: ExactJson,
  right: ExactJson,
  { written, design = masks }: Ways,
): Differences {
  const whole = diffValues(left, right, design(from, to, left, right))
  const kept = written?.(from, to, left) ?? left
  if (kept === left) return whole
  const counted = diffValues(kept, right, design(from, to, kept, right))
  const isCounted = new Set(counted.differences.map(placeOf))
  return {
    ...counted,
    byDesign: sortedDifferences([
      ...whole.byDesign,
      ...whole.differences
        .filter((one) => !isCounted.has(placeOf(one)))
        .map((one) => ({ ...one, reason: 'dropped_by_worker' as const })),
    ]),
  }
}

/** The API hides secrets that the log holds. */
const masks =
  (from: string, to: string): ByDesign =>
  (kind, left, right, tokens) =>
    from === 'event_log' &&
    to === 'api' &&
    isMaskOfApi([{ by: 'log' }, { by: 'api' }], kind, left, right, tokens)
      ? 'masked_by_api'
      : null

const placeOf = ({ path, kind }: Difference): string => `${kind} ${path}`
