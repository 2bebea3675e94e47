import { REFERENCE_CASES, type ReferenceCase } from './reference-cases'
import type { FileResult } from './run-files'

/** How many cases of each suite ran through the product and how many through reference code, and why the latter did. */
export function routeTable(results: readonly FileResult[]): string[] {
  const suites = new Map<string, { product: number; reference: number }>()
  const kinds = new Map<ReferenceCase, number>()
  for (const { suite, passed, failed, reference = {} } of results) {
    const counts = suites.get(suite) ?? { product: 0, reference: 0 }
    let ofFile = 0
    for (const [kind, count] of Object.entries(reference) as [ReferenceCase, number][]) {
      ofFile += count
      kinds.set(kind, (kinds.get(kind) ?? 0) + count)
    }
    suites.set(suite, {
      product: counts.product + passed + failed - ofFile,
      reference: counts.reference + ofFile,
    })
  }
  const rows = [...suites].map(([suite, { product, reference }]) => [suite, product, reference] as const)
  const sum = (column: 1 | 2): number => rows.reduce((total, row) => total + row[column], 0)
  const table = [...rows, ['all suites', sum(1), sum(2)] as const]
  const width = Math.max(
    ...table.map(([name]) => name.length),
    ...[...kinds.keys()].map((kind) => kind.length),
  )
  return [
    ...table.map(
      ([name, product, reference]) =>
        `${name.padEnd(width)}  ${count(product)} product  ${count(reference)} reference`,
    ),
    ...[...kinds].map(
      ([kind, cases]) => `${kind.padEnd(width)}  ${count(cases)} reference: ${REFERENCE_CASES[kind]}`,
    ),
  ]
}

const count = (cases: number): string => String(cases).padStart(5)
