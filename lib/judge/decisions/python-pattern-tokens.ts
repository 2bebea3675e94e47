import { ASCII_CLASSES, complement, type Ranges, UNICODE_CLASSES } from './python-pattern-chars'

/** The pattern is one that Python does not compile. */
export class Refusal extends Error {}

const ESCAPES: Record<string, number> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 92 }
const HEX_DIGITS: Record<string, number> = { x: 2, u: 4, U: 8 }

export const isDigit = (token: string | undefined): boolean => token !== undefined && /^[0-9]$/.test(token)
export const isOctal = (token: string | undefined): boolean => token !== undefined && /^[0-7]$/.test(token)
const isHex = (token: string | undefined): boolean => token !== undefined && /^[0-9A-Fa-f]$/.test(token)

/** The characters of a pattern, one after the other, and the escapes that stand for a character or a class of them. */
export class PatternTokens {
  /** A backslash and what it escapes are one token, everywhere: also in comments and group names. */
  protected readonly tokens: string[] = []
  protected at = 0
  /** The first thing that RE2 has no word for, as a sentence. */
  protected foreign: string | null = null

  constructor(source: string) {
    const points = Array.from(source)
    for (let i = 0; i < points.length; i++)
      this.tokens.push(points[i] === '\\' ? `\\${points[++i] ?? ''}` : points[i]!)
    if (this.tokens.at(-1) === '\\') throw new Refusal('it ends in a single backslash')
  }

  protected refusal(what: string, at: number = this.at): Refusal {
    return new Refusal(
      `${what}, at character ${this.tokens.slice(0, at).reduce((all, token) => all + Array.from(token).length, 1)}`,
    )
  }

  protected get next(): string | undefined {
    return this.tokens[this.at]
  }

  protected take(token: string): boolean {
    if (this.next !== token) return false
    this.at++
    return true
  }

  protected takeWhile(max: number, isWanted: (token: string | undefined) => boolean): string {
    const from = this.at
    while (this.at < from + max && isWanted(this.next)) this.at++
    return this.tokens.slice(from, this.at).join('')
  }

  protected takeUntil(end: string, what: string): string {
    const from = this.at
    while (this.next !== end)
      if (this.at++ >= this.tokens.length) throw this.refusal(`${what} is not closed by ${end}`, from)
    if (this.at === from) throw this.refusal(`${what} is missing`)
    return this.tokens.slice(from, this.at++).join('')
  }

  protected cannot(what: string): void {
    this.foreign ??= `RE2 has no ${what}`
  }

  protected octal(digits: string, from: number): number {
    const code = parseInt(digits, 8)
    if (code > 0o377) throw this.refusal('an octal escape above 377', from)
    return code
  }

  /** An escape that stands for one character or a class of them: the same inside a set and outside. */
  protected character(token: string, ascii: boolean): number | Ranges {
    const from = this.at - 1
    const letter = token.slice(1)
    const simple = ESCAPES[letter]
    if (simple !== undefined) return simple
    if (/^[dswDSW]$/.test(letter)) {
      const set: Ranges = (ascii ? ASCII_CLASSES : UNICODE_CLASSES)[letter.toLowerCase() as 'd' | 's' | 'w']
      return letter === letter.toLowerCase() ? set : complement(set)
    }
    const hexDigits = HEX_DIGITS[letter]
    if (hexDigits !== undefined) {
      const digits = this.takeWhile(hexDigits, isHex)
      if (digits.length < hexDigits)
        throw this.refusal(`\\${letter} wants ${hexDigits} hexadecimal digits`, from)
      if (parseInt(digits, 16) > 0x10ffff) throw this.refusal('no character has this number', from)
      return parseInt(digits, 16)
    }
    if (letter === 'N') {
      if (!this.take('{')) throw this.refusal('\\N wants a name in braces', from)
      this.takeUntil('}', 'the name of the character')
      this.cannot('characters by name (\\N{…})')
      return NaN // compares with nothing, so it is no bad end of a range
    }
    if (isOctal(letter)) return this.octal(letter + this.takeWhile(2, isOctal), from)
    if (/^[A-Za-z0-9]$/.test(letter)) throw this.refusal(`there is no escape \\${letter}`, from)
    return letter.codePointAt(0)!
  }
}
