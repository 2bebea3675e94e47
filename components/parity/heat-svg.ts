import { SEVERITIES, type Severity } from '@/lib/model/parity'
import type { ParityOverview } from '@/lib/api/parity-schemas'
import { oneLine } from '@/lib/text/visible'
import { formatCount } from '../shared/format'
import { SEVERITY_LOOKS } from './severity-mark'
import { layerWord, placeWord } from '@/lib/words/parity'

/** A copy is on paper, whatever theme it was taken in. */
const COLOURS: Record<Severity, { ink: string; fill: string }> = {
  critical: { ink: '#b8420a', fill: '#fbdcc9' },
  high: { ink: '#b8420a', fill: '#fdeee5' },
  medium: { ink: '#8f5800', fill: '#fdf3dc' },
  low: { ink: '#0072b2', fill: '#e4f1f9' },
  info: { ink: '#777066', fill: '#f1efea' },
}
const INK = { main: '#1f1c18', soft: '#575148', empty: '#f4f2ee' }
const PLACE_WIDTH = 430
const CELL = { width: 150, height: 28 }
const HEAD = 46
/** About as many letters of the monospaced face as fit beside the cells. */
const CHARS = 56

const escaped = (text: string): string =>
  oneLine(text).replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
/** The end says more than the beginning. */
const fitted = (text: string): string => (text.length <= CHARS ? text : `…${text.slice(1 - CHARS)}`)

/** The heat map with its words as a document of its own; whatever a run wrote is text in it. */
export function heatSvg({ rows, transitions }: ParityOverview['heat']): string {
  const width = PLACE_WIDTH + transitions.length * (CELL.width + 4) + 16
  const legendY = HEAD + rows.length * (CELL.height + 4) + 20
  const head = transitions.map(({ from, to }, i) => {
    const x = PLACE_WIDTH + i * (CELL.width + 4)
    return `<text x="${x}" y="18">${escaped(layerWord(from))} →</text><text x="${x}" y="35">${escaped(layerWord(to))}</text>`
  })
  const drawn = rows.map(({ path, cells }, index) => {
    const y = HEAD + index * (CELL.height + 4)
    const boxes = transitions.map(({ from, to }, i) => {
      const x = PLACE_WIDTH + i * (CELL.width + 4)
      const cell = cells.find((one) => one.from === from && one.to === to)
      if (!cell)
        return `<rect x="${x}" y="${y}" width="${CELL.width}" height="${CELL.height}" rx="4" fill="${INK.empty}"/>`
      const { ink, fill } = COLOURS[cell.worst]
      return [
        `<rect x="${x}" y="${y}" width="${CELL.width}" height="${CELL.height}" rx="4" fill="${fill}" stroke="${ink}"/>`,
        mark(cell.worst, x + 8, y + 7),
        `<text x="${x + 44}" y="${y + 18}" font-weight="600">${formatCount(cell.executions)}</text>`,
      ].join('')
    })
    return `<text x="8" y="${y + 18}" font-family="ui-monospace, monospace" font-size="12">${escaped(fitted(placeWord(path)))}</text>${boxes.join('')}`
  })
  const legend = SEVERITIES.map(
    (severity, i) =>
      `${mark(severity, 8 + i * 96, legendY - 11)}<text x="${44 + i * 96}" y="${legendY}" fill="${INK.soft}">${severity}</text>`,
  )
  const size = [Math.max(width, 500), legendY + 12]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size[0]}" height="${size[1]}" viewBox="0 0 ${size[0]} ${size[1]}" role="img" font-family="ui-sans-serif, system-ui, sans-serif" font-size="13" fill="${INK.main}">`,
    '<title>Where layers differ: executions by place and transition</title>',
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    ...head,
    ...drawn,
    ...legend,
    '</svg>',
  ].join('\n')
}

function mark(severity: Severity, x: number, y: number): string {
  const { ink } = COLOURS[severity]
  const { letter, shape } = SEVERITY_LOOKS[severity]
  return (
    `<g transform="translate(${x} ${y}) scale(0.85)"><path d="${shape}" fill="${severity === 'critical' ? ink : 'none'}" stroke="${ink}" stroke-width="1.75"/></g>` +
    `<text x="${x + 18}" y="${y + 11}" fill="${ink}" font-weight="600">${letter}</text>`
  )
}
