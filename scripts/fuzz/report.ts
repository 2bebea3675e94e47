import { tableText } from '../testing/table'
import type { EndpointResult, Finding } from './fuzz'
import type { MemoryWatch } from './memory'
import { curlOf } from './reproducer'

export interface FuzzReport {
  seed: number
  results: EndpointResult[]
  findings: Finding[]
  memory: MemoryWatch | null
  /** Whether the key still opened everything after the last input. */
  stillAnswers: boolean
}

/** Nothing to fix was found, and something was tried. */
export const isClean = ({ results, findings, stillAnswers }: FuzzReport): boolean =>
  findings.length === 0 && stillAnswers && results.every(({ slow }) => slow === 0) && results.length > 0

const STATUSES = ['2xx', '3xx', '4xx', '5xx', 'cut']

/** A line for each endpoint, and one for all. */
export function tableOf(results: readonly EndpointResult[]): string {
  const rows = results.map(({ endpoint, inputs, requests, statuses, faults, slow, slowestMs }) => [
    endpoint,
    inputs,
    requests,
    ...STATUSES.map((one) => statuses[one] ?? 0),
    faults,
    slow,
    Math.round(slowestMs),
  ])
  const sum = (column: number): number => rows.reduce((all, row) => all + Number(row[column]), 0)
  const head = ['endpoint', 'inputs', 'requests', ...STATUSES, 'faults', 'over 2 s', 'slowest ms']
  const total = [
    `${rows.length} endpoints`,
    ...head.slice(1, -1).map((_, i) => sum(i + 1)),
    Math.max(0, ...rows.map((row) => Number(row.at(-1)))),
  ]
  return tableText([head, ...rows, total])
}

/** Each cause once, with what to repeat it by. @param folder where large bodies are written */
export function findingsOf({ findings, seed }: FuzzReport, folder: string): string {
  const causes = new Map<string, Finding[]>()
  for (const finding of findings) causes.set(finding.key, [...(causes.get(finding.key) ?? []), finding])
  return [...causes.values()]
    .map((same, i) => {
      const [first] = same as [Finding]
      const times = same.reduce((sum, { count }) => sum + count, 0)
      const others = same.length === 1 ? '' : `, also at ${same.length - 1} other endpoints`
      return [
        `${first.endpoint}: ${first.fault} (${times} times${others}; first at input ${first.index} of seed ${seed})`,
        `  ${curlOf(first.input, folder, `finding-${i + 1}`)}`,
        ...first.log.split('\n').map((line) => `  log: ${line}`),
      ].join('\n')
    })
    .join('\n')
}

/** One line each on memory and on the key. */
export function closingOf({ memory, stillAnswers, seed }: FuzzReport): string {
  const mb = (value: number | null): string => (value === null ? 'unknown' : `${Math.round(value)} MB`)
  return [
    memory === null
      ? 'memory: not known on this system'
      : `memory of the server: ${mb(memory.startMb)} at the start, ${mb(memory.peakMb)} at its peak, ${mb(memory.nowMb())} at the end`,
    stillAnswers
      ? 'the server still answers the key that was used'
      : 'the server does NOT answer the key any more',
    `seed ${seed}`,
  ].join('\n')
}
