import type { ChainHint } from '@/lib/judge/receipts/chain-hints'
import type { ChainWarning } from '@/lib/judge/receipts/chain-warnings'
import { cutAtWord, oneLine } from '@/lib/text/visible'
import { countOf, formatCount } from '@/lib/text/amounts'
import { chainHintWords, chainReasonWords } from '@/lib/words/receipts'
import type { ChainReport } from './chain-report'
import type { MalformedWhy } from '@/lib/model/receipt-facts'
import { verifyText } from '@/lib/words/cli/verify'

const namesMax = 200
/** What is in receipts is not trusted: on one line, nothing hidden, of bounded length. */
export const shown = (text: string): string => cutAtWord(oneLine(text), namesMax)

const malformedWords: Record<MalformedWhy, string> = {
  not_json: verifyText.malformedJson,
  not_an_object: 'not an object',
  part: verifyText.partMissing,
  number: verifyText.numberTooLarge,
  surrogate: verifyText.halfSurrogate,
  depth: 'nested too deeply',
}

/** One chain in words: what was found first, then what explains it. */
export function chainLines(chain: ChainReport, placeWord: string): string[] {
  const { counts, hints, warnings, disagreeingRows, startsAbove } = chain
  const details = [
    ...brokenLines(chain),
    ...hints.map((hint) => hintLine(hint)),
    ...turnedLines(chain),
    ...(startsAbove === null || chain.partial ? [] : [verifyText.startsAt({ startsAbove })]),
    ...bound(warnings.map(warningLine)),
    ...disagreeingLines(disagreeingRows),
    countLine(counts),
  ]
  return [
    `${chain.chainId === null ? 'Unnamed chain' : shown(chain.chainId)}: ${headline(chain, placeWord)}`,
    ...details.map((line) => `  ${line}`),
  ]
}

const linesMax = 10

const bound = (lines: string[], total = lines.length): string[] =>
  total <= linesMax
    ? lines
    : [...lines.slice(0, linesMax), verifyText.moreLikeThis({ more: total - linesMax })]

const disagreeingLines = ({ first, total }: ChainReport['disagreeingRows']): string[] =>
  bound(
    first.map(({ row, columns }) => verifyText.rowDisagrees({ row, columns })),
    total,
  )

/** What a chain says of its own end. Without one its tail may be missing, and no check of it can tell. */
const endWords = {
  complete: 'complete',
  interrupted: 'interrupted (daemon stopped)',
  unknown: 'completeness unknown',
}

function headline(
  { state, reason, status, firstBadIndex, firstBad, counts }: ChainReport,
  placeWord: string,
): string {
  const end = endWords[status]
  switch (state) {
    case 'valid':
      return `${status === 'unknown' ? 'valid so far' : 'valid'}, ${end}`
    case 'no_receipts':
      return 'no receipts'
    case 'signatures_not_checked':
      return verifyText.signaturesNotChecked({ end })
    case 'broken':
      if (reason === 'not_terminal') return verifyText.validWithoutEnd
      if (counts.receipts === 0) return `broken: ${chainReasonWords(reason!)} (${reason})`
      return (
        `BROKEN at receipt ${formatCount(firstBadIndex + 1)} of ${formatCount(counts.receipts)}${numbered(firstBad?.number ?? null, firstBadIndex)} (${placeWord} ${firstBad?.place ?? '?'}): ` +
        `${chainReasonWords(reason!)} (${reason}); ${end}`
      )
  }
}

/** The page of a chain names receipts by their numbers, which are not their places once one is missing. */
const numbered = (number: number | null, index: number): string =>
  number === null || number === index + 1 ? '' : `, number ${formatCount(number)}`

function brokenLines({ firstBad, badReceipts, signaturesChecked, state, reason }: ChainReport): string[] {
  if (state !== 'broken' || firstBad === null || reason === 'not_terminal') return []
  const why = firstBad.malformed === null ? '' : `: ${malformedWords[firstBad.malformed]}`
  return [
    `It is ${firstBad.id === null ? 'a receipt without an ID' : shown(firstBad.id)}${why}`,
    ...(badReceipts > 1 ? [`${formatCount(badReceipts)} receipts are invalid`] : []),
    ...(signaturesChecked ? [] : [verifyText.noKeyGiven]),
  ]
}

function hintLine({ code, index, count }: ChainHint): string {
  const number =
    count === undefined
      ? ''
      : code === 'receipts_missing'
        ? ` (${countOf(count, 'receipt')})`
        : ` (number ${formatCount(count)})`
  return `Receipt ${formatCount(index + 1)}: ${chainHintWords(code, null)}${number}`
}

function turnedLines({ turnedRound, partial, startsAbove, badReceipts }: ChainReport): string[] {
  if (!turnedRound) return []
  const turned = verifyText.listReversed
  if (!partial) return [turned]
  const from = startsAbove === null ? '' : verifyText.beginsAt({ startsAbove })
  return [turned, verifyText.partOfChain({ from, badReceipts })]
}

function warningLine(warning: ChainWarning): string {
  switch (warning.code) {
    case 'idempotency_key_repeated':
      return verifyText.keyRepeated({ receipts: numbers(warning.indices), key: shown(warning.key) })
    case 'incomplete_tool_roundtrip':
      return verifyText.noResultYet
    case 'incomplete_session':
      return verifyText.sessionsOpen({ opened: warning.opened, closed: warning.closed })
    case 'several_issuers':
      return verifyText.severalIssuers({ issuers: warning.issuers.map(shown) })
    case 'schema_violation':
      return verifyText.badChainStatus({ receipt: warning.index + 1 })
  }
}

function numbers(indices: readonly number[]): string {
  const named = indices.slice(0, linesMax).map((index) => formatCount(index + 1))
  return indices.length > linesMax
    ? `${named.join(', ')} and ${formatCount(indices.length - linesMax)} more`
    : named.join(', ')
}

function countLine({ receipts, failures, unanswered, eventsDropped }: ChainReport['counts']): string {
  return [
    countOf(receipts, 'receipt'),
    countOf(failures, 'failure'),
    countOf(unanswered, 'call without a result', 'calls without a result'),
    countOf(eventsDropped, 'dropped event'),
  ]
    .filter((words, i) => i < 2 || !words.startsWith('0 '))
    .join(', ')
}

/** All chains of an input in one line. */
export function summaryLine(chains: readonly ChainReport[]): string {
  const of = (state: ChainReport['state']): number => chains.filter((chain) => chain.state === state).length
  const ended = chains.filter(({ reason }) => reason === 'not_terminal').length
  const parts = [
    [of('valid'), 'valid'],
    [of('broken') - ended, 'broken'],
    [ended, 'not ended'],
    [of('signatures_not_checked'), verifyText.withSignaturesNotChecked],
  ] as const
  return `${countOf(chains.length, 'chain')}: ${parts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${formatCount(count)} ${words}`)
    .join(', ')}`
}
