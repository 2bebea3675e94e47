import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { documentOf, lossy } from './parity/documents'
import { peakMemory } from './parity/run-memory'
import { WAYS } from './parity/ways'
import { Random } from './support/random'
import type { Bench, BenchResult, Cell } from './support/result'
import { median, noise, quantile, round } from './support/stats'

const SEED = 922
const BUDGET = 5

/** What comparing layers costs beside reading their JSON, and beside what is published for the same. */
export const benchParity: Bench = async ({ log, small, after }): Promise<BenchResult> => {
  const random = new Random(SEED)
  const first = documentOf(random)
  const documents = [first, lossy(first, 1), lossy(first, 2), lossy(first, 3)]
  const folder = await mkdtemp(path.join(tmpdir(), 'inquest-bench-parity-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const files = documents.map((_, i) => path.join(folder, `${i}.json`))
  await Promise.all(documents.map((text, i) => writeFile(files[i]!, text)))
  const rounds = small ? 3 : 25
  const processes = small ? 1 : 5
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
    for (const { name } of WAYS) {
      log(`${layers} layers, memory of ${name}`)
      const peaks = []
      for (let i = 0; i < processes; i++) peaks.push(await peakMemory(name, files.slice(0, layers)))
      const resident = peaks.flatMap(({ residentMb }) => residentMb ?? [])
      const mine = times.get(name)!
      medians.set(`${name} ${layers}`, median(mine))
      rows.push({
        layers,
        way: name,
        'ms, median': round(median(mine)),
        'ms, p95': round(quantile(mine, 0.95)),
        '× JSON.parse': round(median(mine) / bare),
        noise: round(noise(mine)),
        'resident at its peak, MB': resident.length === 0 ? null : round(median(resident), 1),
        'heap at its peak, MB': round(median(peaks.map(({ heapMb }) => heapMb)), 1),
      })
      details.push({ layers, way: name, 'differences it tells': found.get(name)! })
    }
  }
  const own = medians.get('Inquest 2')!
  const ahead = WAYS.slice(2).every(({ name }) => own < medians.get(`${name} 2`)!)
  return {
    name: 'parity',
    what: `milliseconds to read and compare documents of ${round(first.length / 1e6, 1)} MB each, with digits kept: kinds, severities, rows aligned by their ids`,
    reference:
      'JSON.parse of the same texts, which loses digits; and two published exact parsers, each with two published differs, interleaved',
    budget: `two documents ≤ ${BUDGET} × JSON.parse of both, and ahead of every published pair`,
    met: small ? null : own <= BUDGET * medians.get('JSON.parse alone 2')! && ahead,
    seed: SEED,
    rows,
    details,
    notes: [
      'jsondiffpatch answers with one patch, counted as one difference; microdiff compares lists by place',
      `memory is the median of ${processes} processes, each of which does the work once and cold, above what it held with the documents read and its garbage collected; resident is VmHWM, the heap what it held before a collection`,
    ],
  }
}
