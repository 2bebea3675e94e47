import { LANES, type Lane, type PathStop } from '@/lib/judge/decisions/path'
import { ruleWords, STAGE_WORDS } from '@/lib/words/decision-rules'
import {
  inReadingOrder,
  nameWords,
  reasonIn,
  retryReasonWords,
  valueWords,
} from '@/lib/words/decision-values'
import { oneLine } from '@/lib/text/visible'
import { pathPassText } from '@/lib/words/decision-details'
import { outcomeWord } from '../shared/glyphs'
import { bend, lanesWidth, laneX, NODE_Y } from './lanes'

/** A copy is on paper, whatever theme it was taken in. */
const COLOURS: Record<Lane, string> = {
  open: '#8b8478',
  succeeded: '#00805d',
  retriable: '#8f5800',
  failed: '#b8420a',
}
const INK = { main: '#1f1c18', soft: '#575148', line: '#e6e2da' }
const WIDTH = 760
const TEXT_X = lanesWidth + 20
const LINE_HEIGHT = 18
/** About as many letters of 13 px as fit beside the lanes. */
const CHARS = 96

const escaped = (text: string): string =>
  oneLine(text).replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)

interface Row {
  lane: Lane
  from: Lane | null
  fired: boolean
  lines: { text: string; soft: boolean }[]
}

/** The picture with its words as a document of its own; whatever the run wrote is text in it. */
export function pathSvg(
  stops: readonly PathStop[],
  verdict: { outcome: string; retryReason: string },
): string {
  const last = stops.at(-1)!.lane
  const rows: Row[] = [
    ...stops.map((stop, index) => ({
      lane: stop.lane,
      from: stops[index - 1]?.lane ?? null,
      fired: stop.rules.length > 0,
      lines: linesOf(stop),
    })),
    {
      lane: LANES.find((lane) => lane === verdict.outcome) ?? last,
      from: last,
      fired: true,
      lines: [{ text: verdictWords(verdict), soft: false }],
    },
  ]
  let y = 8
  const drawn = rows.map((row, index) => {
    const height = row.lines.length * LINE_HEIGHT + 12
    const svg = drawRow(row, y, height, index === rows.length - 1)
    y += height
    return svg
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y + 8}" viewBox="0 0 ${WIDTH} ${y + 8}" role="img" font-family="ui-sans-serif, system-ui, sans-serif" font-size="13">`,
    `<title>${escaped(`Rule path: ${verdictWords(verdict)}`)}</title>`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    ...drawn,
    '</svg>',
  ].join('\n')
}

const verdictWords = ({ outcome, retryReason }: { outcome: string; retryReason: string }): string =>
  `${outcomeWord(outcome)}${outcome === 'succeeded' ? '' : `, ${retryReasonWords(retryReason)}`}`

function linesOf({ stage, rules, passed }: PathStop): Row['lines'] {
  const said = rules.flatMap((fired) => {
    const rule = ruleWords(fired.rule)
    const reason = reasonIn(fired)
    const words = [
      rule === null ? fired.effect : `${rule.says} ${rule.does}`,
      ...(reason === null ? [] : [`Reason: ${retryReasonWords(reason)}.`]),
      `[${fired.rule}]`,
    ]
    return [
      ...wrap(words.join(' ')).map((text) => ({ text, soft: false })),
      ...wrap(valuesLine(fired.inputs)).map((text) => ({ text, soft: true })),
    ]
  })
  const silent =
    passed === null
      ? []
      : wrap([pathPassText(passed.why), valuesLine(passed.values)].filter(Boolean).join(' ')).map((text) => ({
          text,
          soft: true,
        }))
  return [{ text: STAGE_WORDS[stage].name, soft: true }, ...said, ...silent]
}

const valuesLine = (values: PathStop['rules'][number]['inputs']): string =>
  inReadingOrder(values)
    .map(([name, value]) => [name, valueWords(name, value)] as const)
    .filter(([, words]) => words.length > 0)
    .map(([name, words]) => `${nameWords(name)}: ${words.map(({ text }) => text).join(', ')}`)
    .join('; ')

function wrap(text: string): string[] {
  const lines: string[] = []
  for (let rest = oneLine(text); rest !== ''; ) {
    const space = rest.length <= CHARS ? -1 : rest.lastIndexOf(' ', CHARS)
    const end = rest.length <= CHARS ? rest.length : space > 0 ? space : CHARS
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return lines
}

function drawRow({ lane, from, fired, lines }: Row, y: number, height: number, last: boolean): string {
  const x = laneX(lane)
  const colour = COLOURS[lane]
  return [
    `<g transform="translate(8 ${y})">`,
    ...LANES.map((one) => `<path d="M${laneX(one)} 0V${last ? NODE_Y : height}" stroke="${INK.line}"/>`),
    `<g fill="none" stroke="${colour}" stroke-width="2.5">`,
    ...(from === null ? [] : [`<path d="${bend(from, lane)}"/>`]),
    ...(last ? [] : [`<path d="M${x} ${NODE_Y}V${height}"/>`]),
    `<circle cx="${x}" cy="${NODE_Y}" r="${last ? 7 : 5}" fill="${fired ? colour : '#ffffff'}"/>`,
    '</g>',
    ...lines.map(
      ({ text, soft }, index) =>
        `<text x="${TEXT_X}" y="${NODE_Y + 4 + index * LINE_HEIGHT}" fill="${soft ? INK.soft : INK.main}"${last ? ' font-weight="600"' : ''}>${escaped(text)}</text>`,
    ),
    '</g>',
  ].join('')
}
