import { type ChainTile, MARKS, type TiledChain } from '@/lib/judge/receipts/chain-tiles'
import { EVENT_WORDS, LOOK_WORDS, markWords, numberOf } from '../receipts/words'
import { formatCount, plural } from '../shared/format'
import { h, shown } from './dom'
import type { FileChain } from './read-file'
import { receiptDetails } from './receipt-details'

/** More than these at once make a page slow that has to be quick on a phone, too. */
const PAGE_ROWS = 200

/** Longer lists get a box of their own, so that what is below them can be reached. */
const BOXED_MIN = 20

const MARK_SIGNS = { ok: '✓', bad: '✕', not_checked: '–' } as const
const MARK_NAMES = { signature: 'sig', link: 'link', number: 'no.' } as const

/** The receipts of a chain in their order, page by page, beginning where the chain breaks. Each can be opened. */
export function receiptList(
  chain: FileChain,
  tiled: TiledChain,
): { element: HTMLElement; show: (index: number, isAsked: boolean) => void } {
  const { tiles } = tiled
  const rows = h('ol', {
    class: tiles.length > BOXED_MIN ? 'rows boxed' : 'rows',
    'aria-label': `Receipts of chain ${chain.id}`,
  })
  const pager = h('nav', { class: 'pager', 'aria-label': 'Pages of receipts' })
  const drawPage = (first: number): void => {
    rows.replaceChildren(
      ...tiles.slice(first, first + PAGE_ROWS).flatMap((tile) => rowsOf(chain, tile, tiled)),
    )
    pager.replaceChildren(...(tiles.length > PAGE_ROWS ? pagerParts(first, tiles.length, drawPage) : []))
  }
  const pageOf = (index: number): number => Math.floor(index / PAGE_ROWS) * PAGE_ROWS
  drawPage(pageOf(tiled.break?.index ?? 0))
  // Unless the reader asked for it, only the box moves: the verdict stays in sight.
  const show = (index: number, isAsked: boolean): void => {
    drawPage(pageOf(index))
    const button = rows.querySelector<HTMLElement>(`[data-receipt="${index}"]`)
    if (button === null) return
    button.focus({ preventScroll: true })
    if (isAsked) button.scrollIntoView({ block: 'center' })
    else rows.scrollTop = button.offsetTop - rows.clientHeight / 3
  }
  return { element: h('div', {}, pager, rows), show }
}

function pagerParts(first: number, count: number, go: (first: number) => void): HTMLElement[] {
  const last = Math.floor((count - 1) / PAGE_ROWS) * PAGE_ROWS
  const button = (words: string, to: number, usable: boolean): HTMLElement =>
    h('button', { type: 'button', disabled: !usable, click: () => go(to) }, words)
  return [
    button('First', 0, first > 0),
    button('Earlier', first - PAGE_ROWS, first > 0),
    h(
      'span',
      { 'aria-live': 'polite' },
      `${formatCount(first + 1)} to ${formatCount(Math.min(first + PAGE_ROWS, count))} of ${formatCount(count)}`,
    ),
    button('Later', first + PAGE_ROWS, first < last),
    button('Last', last, first < last),
  ]
}

/** A receipt, and before and behind it what its numbers say of the chain. */
function rowsOf(chain: FileChain, tile: ChainTile, tiled: TiledChain): HTMLElement[] {
  const { brief, row } = tile
  const line = (words: string): HTMLElement => h('li', { class: 'line' }, words)
  const dropped = brief.event === 'events_dropped' || brief.dropped !== null
  const behind = tiled.tiles.length - 1 - tile.index
  return [
    ...(row.sequenceIssue === 'gap' ? [line(`${plural(row.missing, 'number')} missing here`)] : []),
    ...(dropped
      ? [
          line(
            brief.dropped === null
              ? 'Events lost here (number unknown)'
              : `${plural(brief.dropped, 'event')} lost here`,
          ),
        ]
      : []),
    receiptRow(chain, tile, tiled),
    ...(brief.rotation === null
      ? []
      : [
          line(
            tile.marks.signature === 'ok' && row.rotationFault === null
              ? 'New key from here on'
              : 'Rejected key change',
          ),
        ]),
    ...(tile.isBreak && behind > 0 ? [line(`Unproven from here: ${formatCount(behind)} more`)] : []),
  ]
}

function receiptRow(chain: FileChain, tile: ChainTile, tiled: TiledChain): HTMLElement {
  const { brief, look, index } = tile
  const item = h('li', {
    class: `row ${look}${tile.isBreak ? ' breaks' : ''}${tile.unproven ? ' unproven' : ''}`,
  })
  const note = tile.isBreak
    ? 'breaks here'
    : tile.unproven
      ? 'unproven'
      : tile.rival
        ? 'one of several'
        : tile.unanswered
          ? 'no result'
          : brief.repeat
            ? `call ${brief.repeat.nth} of ${brief.repeat.of}`
            : null
  const button = h(
    'button',
    {
      type: 'button',
      class: 'receipt',
      'data-receipt': String(index),
      'aria-expanded': 'false',
      click: () => {
        const open = item.querySelector('.details')
        button.setAttribute('aria-expanded', String(open === null))
        if (open === null) item.append(receiptDetails(chain, tile, tiled))
        else open.remove()
      },
    },
    h('span', { class: 'number' }, h('span', { class: 'unseen' }, 'Receipt '), numberOf(tile)),
    h(
      'span',
      { class: 'what' },
      h(
        'span',
        { class: 'tool' },
        brief.event === null ? shown(brief.tool.replace(/\s+/g, ' ')) : EVENT_WORDS[brief.event],
      ),
      ' ',
      h('span', { class: 'status' }, LOOK_WORDS[look]),
      note && h('span', { class: 'note' }, ` ${note}`),
      brief.line !== null && h('span', { class: 'said' }, shown(brief.line)),
    ),
    h(
      'span',
      { class: 'marks' },
      ...MARKS.map((mark) =>
        h(
          'span',
          { class: tile.marks[mark], title: markWords(mark, tile.marks[mark]) },
          h('span', { 'aria-hidden': 'true' }, `${MARK_SIGNS[tile.marks[mark]]} ${MARK_NAMES[mark]}`),
          h('span', { class: 'unseen' }, ` ${markWords(mark, tile.marks[mark])}`),
        ),
      ),
    ),
  )
  item.append(button)
  return item
}
