import { type TiledChain, tileChain } from '@/lib/judge/receipts/chain-tiles'
import { verdictDifferences } from '@/lib/judge/receipts/verdict-document'
import { VERDICT_FACT_WORDS, verdictFactText } from '@/lib/words/receipts'
import type { VerifiedChain } from '@/lib/judge/receipts/verify-pages'
import {
  hintSentence,
  numberOf,
  SUPPORT_WORDS,
  unsignedSentence,
  type VerdictLook,
  verdictLook,
  verdictSentence,
  warningSentence,
} from '../receipts/words'
import { formatAbsolute, plural } from '../shared/format'
import { h, shown } from './dom'
import type { FileChain } from './read-file'
import { receiptList } from './receipt-list'

export interface CheckedChain {
  chain: FileChain
  verified: VerifiedChain
  tiled: TiledChain
  look: VerdictLook
  /** Findings here, in a sentence. */
  sentence: string
}

export function checkedChain(
  chain: FileChain,
  verified: VerifiedChain,
  answered: ReadonlySet<string>,
): CheckedChain {
  const tiled = tileChain(verified, answered)
  const { verdict, signatures } = verified
  const number = verdict && tiled.tiles[verdict.firstBadIndex]
  const look =
    signatures === 'no_key' && tiled.break !== null ? 'broken' : verdict ? verdictLook(verdict) : 'unchecked'
  const sentence =
    signatures === 'no_key'
      ? 'No key in this file: only links and numbers were checked'
      : signatures === 'no_ed25519'
        ? 'Not verified: this browser doesn’t support Ed25519 signatures'
        : signatures === 'no_webcrypto'
          ? 'Not verified: this browser can’t verify signatures on a page opened this way'
          : verdictSentence(verdict!, number ? numberOf(number) : undefined)
  return { chain, verified, tiled, look, sentence }
}

const SIGNS: Record<VerdictLook, string> = {
  complete: '✓',
  open: '✓…',
  interrupted: '‖',
  broken: '✕',
  unchecked: '?',
}

export const verdictLine = (tag: 'h1' | 'p', look: VerdictLook, sentence: string): HTMLElement =>
  h(
    tag,
    { class: `verdict ${look}` },
    h('span', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[look]),
    h('span', {}, sentence),
  )

/** What of a chain was found here, beside what the server had said, and its receipts. */
export function chainPart(
  { chain, verified, tiled, look, sentence }: CheckedChain,
  isOnly: boolean,
): { element: HTMLElement; show: (index: number, isAsked: boolean) => void } {
  const { verdict } = verified
  const list = receiptList(chain, tiled)
  const differences = verdict && chain.said ? verdictDifferences(verdict, chain.said.verdict) : []
  const breakAt = tiled.break
  const lost = chain.said !== null && chain.said.receipts !== chain.receipts
  const element = h(
    'section',
    { class: 'chain', 'aria-label': `Chain ${chain.id}` },
    h('h2', {}, h('span', { class: 'quiet' }, 'Chain '), shown(chain.id)),
    !isOnly && verdictLine('p', look, sentence),
    breakAt &&
      h(
        'p',
        {},
        ...breakAt.hints.flatMap((hint) => [`${hintSentence(hint)}. `]),
        h(
          'button',
          { type: 'button', class: 'link', click: () => list.show(breakAt.index, true) },
          `Go to receipt ${numberOf(tiled.tiles[breakAt.index]!)}`,
        ),
      ),
    verified.signatures !== 'checked' && h('p', {}, unsignedSentence(tiled)),
    (verified.signatures === 'no_ed25519' || verified.signatures === 'no_webcrypto') &&
      h(
        'p',
        { class: 'quiet' },
        SUPPORT_WORDS[verified.signatures].replace('what follows is', 'what is said of signatures below is'),
      ),
    verdict?.state === 'valid' &&
      verdict.status === 'unknown' &&
      h('p', { class: 'quiet' }, 'No end marker: later receipts may be missing.'),
    lost &&
      h(
        'p',
        { class: 'alarm', role: 'alert' },
        `Incomplete file: ${plural(chain.said!.receipts, 'receipt')} of this chain were exported, the file has ${chain.receipts}.`,
      ),
    serverSaid(chain, tiled),
    differences.length > 0 &&
      h(
        'div',
        { class: 'alarm', role: 'alert' },
        h(
          'p',
          {},
          h('strong', {}, 'This browser and the server disagree.'),
          ' They may have used different data or keys, or one has a bug.',
        ),
        h(
          'table',
          {},
          h(
            'thead',
            {},
            h(
              'tr',
              {},
              h('th', {}, 'What'),
              h('th', {}, 'This browser, now'),
              h('th', {}, 'Server, at export'),
            ),
          ),
          h(
            'tbody',
            {},
            ...differences.map(({ fact, here, server }) =>
              h(
                'tr',
                {},
                h('th', { scope: 'row' }, VERDICT_FACT_WORDS[fact]),
                h('td', {}, verdictFactText(fact, here)),
                h('td', {}, verdictFactText(fact, server)),
              ),
            ),
          ),
        ),
      ),
    notesOf(verified, tiled),
    list.element,
  )
  return { element, show: list.show }
}

function serverSaid({ said }: FileChain, { tiles }: TiledChain): HTMLElement {
  if (said === null) return h('p', { class: 'quiet' }, 'The server’s result is not in the file.')
  const { verdict, at } = said
  const tile = tiles[verdict.firstBadIndex]
  return h(
    'p',
    { role: 'note', 'aria-label': 'Server’s verdict' },
    h('span', { class: 'quiet' }, `The server, when it was exported (${formatAbsolute(Date.parse(at))}): `),
    verdictSentence(verdict, tile && numberOf(tile)),
    '.',
  )
}

function notesOf(
  { hints, warnings, startsAbove, responsesNotGiven }: VerifiedChain,
  { tiles, break: found }: TiledChain,
): HTMLElement | null {
  const notes = [
    ...hints
      .filter(({ index }) => index !== found?.index)
      .map(
        (hint) =>
          `${tiles[hint.index] ? `Receipt ${numberOf(tiles[hint.index]!)}: ` : ''}${hintSentence(hint)}`,
      ),
    ...warnings.map((warning) => `Warning: ${warningSentence(warning, tiles)}`),
    ...(startsAbove === null ? [] : [`The chain starts at number ${startsAbove}`]),
    ...(responsesNotGiven === 0
      ? []
      : [
          `${plural(responsesNotGiven, 'receipt')} ${responsesNotGiven === 1 ? 'names a response' : 'name responses'} by hash only, without a body to compare`,
        ]),
  ]
  return notes.length === 0
    ? null
    : h(
        'ul',
        { class: 'notes', 'aria-label': 'Hints and warnings' },
        ...notes.map((words) => h('li', {}, shown(words))),
      )
}
