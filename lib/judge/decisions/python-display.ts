import { WrittenNumber } from '../../text/exact-number'
import { integerOf, isRecord, keysOf } from './python-values'

/**
 * The text of a JSON value where it is put among other text: strings as they are, everything else as Python displays it.
 * Numbers have to be `WrittenNumber`s, since their text depends on how they were written.
 *
 * @throws PeerRaises for an integer that is too long
 */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : display(value))

function display(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return quoted(value)
  if (value instanceof WrittenNumber) return displayNumber(value.digits)
  if (Array.isArray(value)) return `[${value.map(display).join(', ')}]`
  if (isRecord(value))
    return `{${[...keysOf(value)].map((key) => `${quoted(key)}: ${display(value[key])}`).join(', ')}}`
  return String(value)
}

function displayNumber(digits: string): string {
  if (/^-?\d+$/.test(digits)) return integerOf(digits).toString()
  const number = Number(digits)
  if (Number.isNaN(number)) return 'nan'
  if (!Number.isFinite(number)) return number > 0 ? 'inf' : '-inf'
  return displayFloat(number)
}

/** The shortest digits that read back as the same number; an exponent below 1e-4 and from 1e16 up. */
function displayFloat(number: number): string {
  if (number === 0) return Object.is(number, -0) ? '-0.0' : '0.0'
  const [, sign = '', first = '', rest = '', power = ''] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(
    number.toExponential(),
  )!
  const exponent = Number(power)
  const digits = first + rest
  if (exponent < -4 || exponent >= 16) {
    const size = String(Math.abs(exponent)).padStart(2, '0')
    return `${sign}${first}${rest === '' ? '' : `.${rest}`}e${exponent < 0 ? '-' : '+'}${size}`
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`
}

const NAMED_ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** In single quotes, but for a text that holds those and no double ones. */
function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const body = text.replace(/[\\\n\r\t]|[\p{C}\p{Z}]/gu, (character) => {
    if (character === ' ') return character
    const code = character.codePointAt(0)!
    const hex = code.toString(16)
    return (
      NAMED_ESCAPES[character] ??
      (code < 0x100
        ? `\\x${hex.padStart(2, '0')}`
        : code < 0x10000
          ? `\\u${hex.padStart(4, '0')}`
          : `\\U${hex.padStart(8, '0')}`)
    )
  })
  return `${quote}${quote === "'" ? body.replaceAll("'", "\\'") : body}${quote}`
}
