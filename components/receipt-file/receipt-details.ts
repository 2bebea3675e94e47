import { type ChainTile, MARKS, type TiledChain } from '@/lib/judge/receipts/chain-tiles'
import { chainReasonWords } from '@/lib/words/receipts'
import { FAULT_WORDS, hintSentence, MALFORMED_WORDS, markWords, numberOf } from '../receipts/words'
import { formatBytes } from '../shared/format'
import { h, shown } from './dom'
import type { FileChain } from './read-file'
import { receiptAt } from './verify-file-chain'

/** Findings at a receipt, what it says, and its text as it was received. */
export function receiptDetails(chain: FileChain, tile: ChainTile, tiled: TiledChain): HTMLElement {
  const { row, index } = tile
  const { facts } = receiptAt(chain, index)
  const bytes = chain.bytesAt(index)
  const found = [
    ...(tiled.break?.index === index
      ? [
          `${chainReasonWords(tiled.break.reason)}.`,
          ...tiled.break.hints.map((hint) => `${hintSentence(hint)}.`),
        ]
      : []),
    ...(tile.unproven ? ['Unproven: an earlier receipt breaks the chain.'] : []),
    ...(row.malformed === null ? [] : [`${MALFORMED_WORDS[row.malformed]}.`]),
    ...(tile.rival ? ['Another receipt has the same position. Both were kept.'] : []),
    ...MARKS.map(
      (mark) =>
        `${sentence(markWords(mark, tile.marks[mark]))}${mark === 'signature' && tile.marks.signature === 'bad' && row.signatureFault !== null ? `: ${FAULT_WORDS[row.signatureFault]}` : ''}.`,
    ),
  ]
  const fields: [string, string | null][] = [
    ['Time', facts.action.timestamp],
    ['Tool', facts.action.toolName],
    ['Action', facts.action.type],
    ['Target', facts.action.target],
    ['Error', facts.outcome.error],
    ['Issuer', facts.issuerId],
    ['Session', facts.sessionId],
    ['Id', facts.id],
    ['Hash', tile.brief.hash],
    ['Previous hash', typeof facts.chain.previousHash === 'string' ? facts.chain.previousHash : null],
  ]
  return h(
    'div',
    { class: 'details', id: `details-${index}` },
    h('ul', { class: 'found' }, ...found.map((words) => h('li', {}, words))),
    h(
      'dl',
      {},
      ...fields.flatMap(([name, text]) =>
        text === null ? [] : [h('dt', {}, name), h('dd', {}, shown(text))],
      ),
    ),
    h(
      'p',
      { class: 'quiet' },
      bytes === null ? 'Not valid base64 in the file.' : `As received, ${formatBytes(bytes.length)}:`,
    ),
    bytes &&
      h(
        'pre',
        { tabindex: '0', role: 'region', 'aria-label': `Text of receipt ${numberOf(tile)}` },
        shown(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)),
      ),
  )
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
