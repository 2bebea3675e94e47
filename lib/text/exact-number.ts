/** A number with the digits it was written with, or `NaN`, `Infinity`, `-Infinity`. */
export class WrittenNumber {
  constructor(readonly digits: string) {}
}

/** A number of JSON: as JavaScript has it where that says all that was written, else as it was written. */
export type ExactNumber = number | WrittenNumber

export const isNumber = (value: unknown): value is ExactNumber =>
  typeof value === 'number' || value instanceof WrittenNumber

export const numberText = (number: ExactNumber): string =>
  typeof number === 'number' ? String(number) : number.digits

/** The nearest binary64 number; infinite when there is none. */
export const doubleOf = (number: ExactNumber): number =>
  typeof number === 'number' ? number : Number(number.digits)

/** Digits of an exponent up to which numbers of the same value get the same key. */
const EXPONENT_DIGITS_MAX = 18

interface Decimal {
  negative: boolean
  /** Without zeros at either end; empty for zero. */
  digits: string
  /** Power of ten that the digits, read as an integer, are multiplied by. */
  exponent: bigint
}

/** Null where the exponent is longer than any that somebody means, and for what is no decimal number. */
function decimalOf(text: string): Decimal | null {
  if (!/^-?\d/.test(text)) return null
  const negative = text.startsWith('-')
  const e = text.search(/[eE]/)
  const mantissa = text.slice(negative ? 1 : 0, e === -1 ? undefined : e)
  const dot = mantissa.indexOf('.')
  const all = dot === -1 ? mantissa : mantissa.slice(0, dot) + mantissa.slice(dot + 1)
  const power = e === -1 ? '0' : text.slice(e + 1).replace(/^([+-]?)0+(?=\d)/, '$1')
  if (power.length > EXPONENT_DIGITS_MAX) return null
  let start = 0
  let end = all.length
  while (start < end && all.charCodeAt(start) === 0x30) start++
  while (end > start && all.charCodeAt(end - 1) === 0x30) end--
  const fraction = dot === -1 ? 0 : mantissa.length - dot - 1
  const exponent = BigInt(power) - BigInt(fraction) + BigInt(all.length - end)
  return { negative: negative && end > start, digits: all.slice(start, end), exponent }
}

/** One text for each exact decimal value: `1`, `1.0` and `1e0` have the same. @param text a number as JSON spells it */
export function decimalKey(text: string): string {
  const decimal = decimalOf(text)
  // Nobody writes such an exponent to say a number: it equals itself.
  if (decimal === null) return text
  return decimal.digits === '' ? '0' : `${decimal.negative ? '-' : ''}${decimal.digits}e${decimal.exponent}`
}

/** Whether the exact value lies from 0 to 1, both included. */
export function isFrom0To1(number: ExactNumber): boolean {
  const decimal = decimalOf(numberText(number))
  if (decimal === null || decimal.negative) return false
  const magnitude = BigInt(decimal.digits.length) + decimal.exponent
  return decimal.digits === '' || magnitude <= 0n || (magnitude === 1n && decimal.digits === '1')
}

export const isSameNumber = (a: ExactNumber, b: ExactNumber): boolean =>
  typeof a === 'number' && typeof b === 'number'
    ? a === b
    : decimalKey(numberText(a)) === decimalKey(numberText(b))

/** Zeros at the end of an integer up to which it is written out: a few characters can say a number that no memory holds. */
const ZEROS_MAX = 64

/** The digits of an integer that a number or a text says; null for everything else, and for a number whose exponent stands for more than 64 zeros. */
export function integerDigits(value: unknown): string | null {
  if (typeof value === 'string') return /^-?\d+$/.test(value) ? value : null
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value).toString() : null
  if (!(value instanceof WrittenNumber)) return null
  if (/^-?\d+$/.test(value.digits)) return value.digits === '-0' ? '0' : value.digits
  const decimal = decimalOf(value.digits)
  if (decimal?.digits === '') return '0'
  if (decimal === null || decimal.exponent < 0n || decimal.exponent > ZEROS_MAX) return null
  return `${decimal.negative ? '-' : ''}${decimal.digits}${'0'.repeat(Number(decimal.exponent))}`
}

/** Whether a number is an integer, however many digits it would take to write that out. */
export function isInteger(number: ExactNumber): boolean {
  if (typeof number === 'number') return Number.isInteger(number)
  const decimal = decimalOf(number.digits)
  if (decimal !== null) return decimal.digits === '' || decimal.exponent >= 0n
  // Of an exponent of so many digits the sign alone decides, but for zero.
  return /^-?[\d.]+[eE]\+?\d/.test(number.digits) || /^-?[0.]+[eE]/.test(number.digits)
}

/**
 * One text for each integer that a number or a text says, to compare ids by: its digits, or, where more than 64 zeros end it, what is before them and their
 * number. Null for everything else.
 */
export function integerKey(value: unknown): string | null {
  const digits = integerDigits(value)
  if (digits === null)
    return value instanceof WrittenNumber && isInteger(value) ? decimalKey(value.digits) : null
  if (digits.length <= ZEROS_MAX) return digits
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.length - end > ZEROS_MAX && end > (digits[0] === '-' ? 1 : 0)
    ? `${digits.slice(0, end)}e${digits.length - end}`
    : digits
}

/**
 * Whether two different numbers are one that lost its digits in a binary64 number: both have the same nearest one, and one of them is how
 * that is written, in full or in the fewest digits that read back.
 *
 * @param a a number as JSON spells it
 */
export function isDoubleImage(a: string, b: string): boolean {
  const double = Number(a)
  if (double !== Number(b) || !Number.isFinite(double)) return false
  const [keyA, keyB] = [decimalKey(a), decimalKey(b)]
  if (keyA === keyB) return false
  const shortest = decimalKey(String(double))
  if (keyA === shortest || keyB === shortest) return true
  const exact = decimalKey(exactText(double))
  return keyA === exact || keyB === exact
}

/** Keys of the two ways to write a finite binary64 number: the fewest digits that read back, and its exact value. */
export const spellingsOf = (double: number): [string, string] => [
  decimalKey(String(double)),
  decimalKey(exactText(double)),
]

function exactText(double: number): string {
  if (Number.isInteger(double)) return BigInt(double).toString()
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, double)
  const high = bits.getUint32(0)
  const field = (high >>> 20) & 0x7ff
  const fraction = (BigInt(high & 0xfffff) << 32n) | BigInt(bits.getUint32(4))
  const mantissa = field === 0 ? fraction : fraction | (1n << 52n)
  // A number with a fraction: its power of two is negative, and 2^-n is 5^n / 10^n.
  const power = 1075 - Math.max(field, 1)
  return `${double < 0 ? '-' : ''}${mantissa * 5n ** BigInt(power)}e-${power}`
}
