import { visible } from '@/lib/text/visible'
import type { Environment } from '../settings'

/** How a line of text looks on a terminal. */
export type Look = 'bad' | 'good' | 'strong' | 'quiet' | 'plain'

export interface Line {
  text: string
  look?: Look
  /** Blanks in front of it, and more in front of what is wrapped. */
  indent?: number
  hang?: number
  /** It stays one line, however long. */
  unbroken?: boolean
}

export interface Screen {
  /** Characters of a line. */
  width: number
  colour: boolean
  /** Takes what a log would act on out of a line. */
  inert: (line: string) => string
}

const WIDTH = { least: 40, most: 110, unknown: 100 } as const

const set = (value: string | undefined): boolean => value !== undefined && value !== ''

/** Reads what the terminal can do; a log has no width, and colours only where somebody asks for them. */
export function readScreen(
  out: NodeJS.WritableStream & { columns?: number; isTTY?: boolean },
  env: Environment,
  inert: (line: string) => string,
): Screen {
  const columns = out.columns ?? (/^\d{1,4}$/.test(env.COLUMNS ?? '') ? Number(env.COLUMNS) : WIDTH.unknown)
  const forced = set(env.FORCE_COLOR) && env.FORCE_COLOR !== '0'
  return {
    width: Math.max(WIDTH.least, Math.min(WIDTH.most, columns)),
    // https://no-color.org: set to anything but an empty text.
    colour: !set(env.NO_COLOR) && (forced || (out.isTTY === true && env.TERM !== 'dumb')),
    inert,
  }
}

const CODES: Record<Look, string> = { bad: '1;31', good: '32', strong: '1', quiet: '2', plain: '' }

/** A line as it is written, wrapped between words. What is longer than a line and holds no blank is cut where the line ends. */
export function draw(
  { text, look = 'plain', indent = 0, hang = 0, unbroken = false }: Line,
  screen: Screen,
): string[] {
  const lines: string[] = []
  let rest = visible(text).replaceAll('\n', ' ')
  do {
    const blanks = ' '.repeat(indent + (lines.length === 0 ? 0 : hang))
    const room = Math.max(20, screen.width - blanks.length)
    const end = unbroken ? rest.length : endOf(rest, room)
    lines.push(paint(screen.inert(`${blanks}${rest.slice(0, end).trimEnd()}`), look, screen))
    rest = rest.slice(end).trimStart()
  } while (rest !== '')
  return lines
}

function endOf(text: string, room: number): number {
  if (text.length <= room) return text.length
  const blank = text.lastIndexOf(' ', room)
  if (blank > room / 3) return blank
  const half = text.charCodeAt(room - 1)
  return half >= 0xd800 && half <= 0xdbff ? room - 1 : room
}

const paint = (line: string, look: Look, { colour }: Screen): string =>
  colour && look !== 'plain' ? `\u001b[${CODES[look]}m${line}\u001b[0m` : line
