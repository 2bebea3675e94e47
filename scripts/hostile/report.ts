import { tableText } from '../testing/table'
import type { HostileResult } from './run'

/** No page had a trouble, and the planted text was really seen on many of them. */
export const isClean = (results: readonly HostileResult[]): boolean =>
  results.every(({ troubles }) => troubles.length === 0) &&
  results.filter(({ shown }) => shown).length > results.length / 4

/** A line for each payload, and one for all. */
export function tableOf(results: readonly HostileResult[]): string {
  const row = (title: string, of: readonly HostileResult[]): (string | number)[] => [
    title,
    of.length,
    of.filter(({ shown }) => shown).length,
    of.filter(({ troubles }) => troubles.length > 0).length,
  ]
  const payloads = [...new Set(results.map(({ payload }) => payload))]
  return tableText([
    ['payload', 'pages opened', 'with the planted text', 'with a trouble'],
    ...payloads.map((payload) =>
      row(
        payload,
        results.filter((one) => one.payload === payload),
      ),
    ),
    row('all', results),
  ])
}
