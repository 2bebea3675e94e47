import { create as createPatcher } from 'jsondiffpatch'
import jsonBigint from 'json-bigint'
import { parse as parseLossless } from 'lossless-json'
import microdiff from 'microdiff'
import { compareLayers } from '@/lib/judge/parity/compare-layers'

const LAYERS = ['source', 'event_log', 'api', 'persisted']

export interface Way {
  name: string
  /** How many differences it finds. */
  run: (texts: readonly string[]) => number
}

/** Each layer against the one before it, as we do. */
const pairwise = <T>(values: readonly T[], differences: (left: T, right: T) => number): number =>
  values.slice(1).reduce((sum, value, i) => sum + differences(values[i]!, value), 0)

const exact = jsonBigint({ useNativeBigInt: true })
const patcher = createPatcher({
  objectHash: (item) => String((item as { event_id?: unknown }).event_id ?? ''),
})
const patched = (left: unknown, right: unknown): number => (patcher.diff(left, right) === undefined ? 0 : 1)

/** The same work by what is published, the reference first. */
export const WAYS: readonly Way[] = [
  { name: 'JSON.parse alone', run: (texts) => texts.map((text) => JSON.parse(text) as unknown).length },
  {
    name: 'Inquest',
    run: (texts) =>
      compareLayers(texts.map((text, i) => ({ layer: LAYERS[i]!, text }))).transitions.reduce(
        (sum, { differences }) => sum + differences.length,
        0,
      ),
  },
  {
    name: 'json-bigint + microdiff',
    run: (texts) =>
      pairwise(
        texts.map((text) => exact.parse(text) as object),
        (a, b) => microdiff(a, b).length,
      ),
  },
  {
    name: 'lossless-json + microdiff',
    run: (texts) =>
      pairwise(
        texts.map((text) => parseLossless(text) as object),
        (a, b) => microdiff(a, b).length,
      ),
  },
  {
    name: 'json-bigint + jsondiffpatch',
    run: (texts) =>
      pairwise(
        texts.map((text) => exact.parse(text) as unknown),
        patched,
      ),
  },
  {
    name: 'lossless-json + jsondiffpatch',
    run: (texts) =>
      pairwise(
        texts.map((text) => parseLossless(text)),
        patched,
      ),
  },
]
