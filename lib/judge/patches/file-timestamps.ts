import { isDigit, type ByteText } from './bytes'

/** `[+-]dddd` with a blank before it, at the end. */
const ZONE = / [+-]\d{4}$/
const ZONE_WITH_COLON = / [+-]\d\d:\d\d$/
const TIME = / \d\d:\d\d:\d\d$/
const DATE = /(?:\d\d)?\d\d-\d\d-\d\d$/

/**
 * How many characters at the end of a traditional name line are a time stamp with the blank before it; 0 when there is none.
 * Git takes `2010-07-05 19:41:17`, with a fraction and a zone, after a tab or after blanks.
 */
export function timestampLength(line: ByteText): number {
  if (!isDigit(line.at(-1))) return 0
  // A stamp is short, so its shapes are looked for in the tail alone.
  let rest = line.length
  const drop = (pattern: RegExp): boolean => {
    const length = pattern.exec(line.slice(Math.max(0, rest - 12), rest))?.[0].length ?? 0
    rest -= length
    return length > 0
  }
  if (!drop(ZONE)) drop(ZONE_WITH_COLON)
  if (!drop(TIME)) {
    const point = fractionStart(line, rest)
    const before = rest
    if (point >= 0) {
      rest = point
      if (!drop(TIME)) rest = before
    }
  }
  if (!drop(DATE) || rest === 0) return 0
  if (line[rest - 1] === '\t') return line.length - rest + 1
  if (line[rest - 1] !== ' ') return 0
  while (rest > 0 && line[rest - 1] === ' ') rest--
  return line.length - rest
}

/** Where the point of `.620000023` at the end stands; -1 when there is none. */
function fractionStart(line: ByteText, end: number): number {
  if (end === 0 || !isDigit(line[end - 1])) return -1
  let at = end - 1
  while (at > 0 && isDigit(line[at])) at--
  return line[at] === '.' ? at : -1
}

const EPOCH = /^(1969-12-31|1970-01-01) ([0-2]\d):([0-5]\d):00(?:\.0+)? ([-+])([0-2]\d):?([0-5]\d)$/

/** Whether the stamp after the last tab is the start of 1970, by which GNU diff says that there is no file. */
export function isEpoch(line: ByteText): boolean {
  const tab = line.lastIndexOf('\t')
  const found = tab === -1 ? null : EPOCH.exec(line.slice(tab + 1))
  if (found === null) return false
  const [, day, hour, minute, sign, zoneHours, zoneMinutes] = found
  const zone = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1)
  return Number(hour) * 60 + Number(minute) - zone === (day === '1969-12-31' ? 24 * 60 : 0)
}
