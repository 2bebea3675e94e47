import { tableText } from '../testing/table'
import type { FaultsReport } from './run'
import type { RoundResult } from './round'

type Counted = 'lost' | 'doubled' | 'different' | 'wrongExits' | 'spooled'
const COUNTED: [key: Counted, title: string][] = [
  ['lost', 'lost'],
  ['doubled', 'doubled'],
  ['different', 'different'],
  ['wrongExits', 'wrong exits'],
  ['spooled', 'left in spool'],
]

const sum = (results: readonly RoundResult[], key: Counted): number =>
  results.reduce((all, result) => all + result[key], 0)

/** Every round came out right, and most of them hit something. */
export const isClean = ({ results }: FaultsReport): boolean =>
  results.length > 0 &&
  COUNTED.every(([key]) => sum(results, key) === 0) &&
  results.every(({ byHand }) => byHand === null) &&
  results.filter(({ missed }) => missed === null).length > results.length / 2

/** A line for each fault, and one for all. */
export function tableOf({ results }: FaultsReport): string {
  const faults = [...new Set(results.map(({ round }) => round.fault))]
  const row = (title: string, of: readonly RoundResult[]): string[] => [
    title,
    String(of.length),
    String(of.filter(({ missed }) => missed === null).length),
    ...COUNTED.map(([key]) => String(sum(of, key))),
    String(of.filter(({ byHand }) => byHand !== null).length),
    `${(Math.max(0, ...of.map(({ recoveryMs }) => recoveryMs)) / 1000).toFixed(1)} s`,
  ]
  const rows = [
    ['fault', 'rounds', 'hit', ...COUNTED.map(([, title]) => title), 'started by hand', 'slowest recovery'],
    ...faults.map((fault) =>
      row(
        fault,
        results.filter(({ round }) => round.fault === fault),
      ),
    ),
    row('all', results),
  ]
  return tableText(rows)
}

/** How to play the rounds again that went wrong. */
export const repeats = ({ results, seed }: FaultsReport): string[] =>
  results
    .filter(({ notes }) => notes.length > 0)
    .map(({ round }) => `npm run faults -- --seed ${seed} --from ${round.number} --rounds 1`)
