import { create as createPatcher } from 'jsondiffpatch'
import jsonBigint from 'json-bigint'
import { parse as parseLossless } from 'lossless-json'
import microdiff from 'microdiff'
import { compareLayers } from '@/lib/parity/compare-layers'
import { Random } from './support/random'
import type { Bench, BenchResult, Cell } from './support/result'
import { proseOf } from './support/sessions'
import { median, noise, quantile, round } from './support/stats'

const SEED = 922
const BYTES = 2_000_000
const BUDGET = 5
/** Rows of which the right layers lost something. */
const LOST = 20
const LAYERS = ['source', 'event_log', 'api', 'persisted']

/** A run as the source's API tells it, of about `BYTES`: rows with ids above 2^53 and a nested context. */
function documentOf(random: Random): string {
  const rows: string[] = []
  let id = 620_356_925_057_663_015n
  for (let bytes = 0; bytes < BYTES - 2_000;) {
    id += BigInt(1 + random.int(1_000_000))
    const row = `{"event_id":${id},"execution_id":"620356925057000001","event_type":"step.exit","node_name":"step_${rows.length % 40}","status":"COMPLETED","duration":${random.next().toFixed(6)},` +
      `"result":{"status":"COMPLETED","context":{"status":"ok","framework":"noetl","rows":${random.int(5000)},"note":${JSON.stringify(proseOf(random, 300))},` +
      `"meta":{"inline_decision":{"inline":true,"depth":${random.int(4)},"reasons":["small","pure"]}}}}}`
    rows.push(row)
    bytes += row.length + 1
  }
  return `{"execution_id":"620356925057000001","status":"COMPLETED","events":[${rows.join(',')}]}`
}

/** The same with `LOST` rows whose nested object became nothing, as a projection that keeps scalars leaves them. */
function lossy(text: string, layer: number): string {
  let n = 0
  return text.replace(/"meta":\{"inline_decision":\{[^}]*\}\}/g, (found) => (++n % 100 === layer && n / 100 < LOST ? '"meta":{}' : found))
}

interface Way {
  name: string
  /** How many differences it finds. */
  run: (texts: readonly string[]) => number
}

/** Each layer against the one before it, as we do. */
const pairwise = <T>(values: readonly T[], differences: (left: T, right: T) => number): number =>
  values.slice(1).reduce((sum, value, i) => sum + differences(values[i]!, value), 0)

const exact = jsonBigint({ useNativeBigInt: true })
const patcher = createPatcher({ objectHash: (item) => String((item as { event_id?: unknown }).event_id ?? '') })
const patched = (left: unknown, right: unknown): number => (patcher.diff(left, right) === undefined ? 0 : 1)

const WAYS: Way[] = [
  { name: 'JSON.parse alone', run: (texts) => texts.map((text) => JSON.parse(text) as unknown).length },
  { name: 'Inquest', run: (texts) => compareLayers(texts.map((text, i) => ({ layer: LAYERS[i]!, text }))).transitions.reduce((sum, { differences }) => sum + differences.length, 0) },
  { name: 'json-bigint + microdiff', run: (texts) => pairwise(texts.map((text) => exact.parse(text) as object), (a, b) => microdiff(a, b).length) },
  { name: 'lossless-json + microdiff', run: (texts) => pairwise(texts.map((text) => parseLossless(text) as object), (a, b) => microdiff(a, b).length) },
  { name: 'json-bigint + jsondiffpatch', run: (texts) => pairwise(texts.map((text) => exact.parse(text) as unknown), patched) },
  { name: 'lossless-json + jsondiffpatch', run: (texts) => pairwise(texts.map((text) => parseLossless(text)), patched) },
]

/** Heap that a way holds at its end above where it stood, MB. */
function heapOf({ run }: Way, texts: readonly string[]): number {
  global.gc?.()
  const before = process.memoryUsage().heapUsed
  run(texts)
  return (process.memoryUsage().heapUsed - before) / 1024 / 1024
}

/** What comparing layers costs beside reading their JSON, and beside what is published for the same. */
export const benchParity: Bench = async ({ log, small }): Promise<BenchResult> => {
  const random = new Random(SEED)
  const first = documentOf(random)
  const documents = [first, lossy(first, 1), lossy(first, 2), lossy(first, 3)]
  const rounds = small ? 3 : 25
  const rows: Record<string, Cell>[] = []
  const details: Record<string, Cell>[] = []
  const medians = new Map<string, number>()
  for (const layers of [2, 4]) {
    const texts = documents.slice(0, layers)
    const times = new Map(WAYS.map(({ name }): [string, number[]] => [name, []]))
    const found = new Map<string, number>()
    for (let i = -1; i < rounds; i++) {
      if (i % 5 === 0) log(`${layers} layers, round ${i} of ${rounds}`)
      for (const { name, run } of WAYS) {
        const start = performance.now()
        found.set(name, run(texts))
        // The first round warms up.
        if (i >= 0) times.get(name)!.push(performance.now() - start)
      }
    }
    const bare = median(times.get('JSON.parse alone')!)
    for (const way of WAYS) {
      const mine = times.get(way.name)!
      medians.set(`${way.name} ${layers}`, median(mine))
      rows.push({
        layers, way: way.name, 'ms, median': round(median(mine)), 'ms, p95': round(quantile(mine, 0.95)), '× JSON.parse': round(median(mine) / bare), noise: round(noise(mine)),
      })
      details.push({ layers, way: way.name, 'differences it tells': found.get(way.name)!, 'heap above, MB': round(heapOf(way, texts), 1) })
    }
  }
  const own = medians.get('Inquest 2')!
  const ahead = WAYS.slice(2).every(({ name }) => own < medians.get(`${name} 2`)!)
  return {
    name: 'parity',
    what: `milliseconds to read and compare documents of ${round(first.length / 1e6, 1)} MB each, with digits kept: kinds, severities, rows aligned by their ids`,
    reference: 'JSON.parse of the same texts, which loses digits; and two published exact parsers, each with two published differs, interleaved',
    budget: `two documents ≤ ${BUDGET} × JSON.parse of both, and ahead of every published pair`,
    met: small ? null : own <= BUDGET * medians.get('JSON.parse alone 2')! && ahead,
    seed: SEED, rows, details,
    notes: ['jsondiffpatch answers with one patch, counted as one difference; microdiff compares lists by place', 'heap above is what stands there when the way has ended, collected or not, with no collection forced before: an indication'],
  }
}
