import { isObject, type ExactJson } from '../../text/exact-json'
import { decimalKey, integerKey, isNumber, numberText } from '../../text/exact-number'
import { byCodePoint } from './differences'
import { IDENTIFIER_FIELDS } from './identifier-fields'

/** Gives equal values equal numbers, so that lists can be compared as bags. Each object and list is walked once. */
export class ValueNumbers {
  private readonly byText = new Map<string, number>()
  private readonly byNumber = new Map<number, number>()
  private readonly byNode = new Map<object, number>()

  /** How two lists of the same length differ: not at all, in their order only (duplicates counted), or otherwise. */
  orderOf(left: readonly ExactJson[], right: readonly ExactJson[]): 'same' | 'other' | 'none' {
    const counts = new Map<number, number>()
    const numbers = left.map((item) => this.numberOf(item))
    for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1)
    let isSame = true
    for (const [i, item] of right.entries()) {
      const number = this.numberOf(item)
      const count = counts.get(number) ?? 0
      if (count === 0) return 'none'
      counts.set(number, count - 1)
      isSame &&= number === numbers[i]
    }
    return isSame ? 'same' : 'other'
  }

  private numberOf(value: ExactJson, key?: string): number {
    if (typeof value === 'number' && key === undefined) return this.numberOfNumber(value)
    if (!isObject(value) && !Array.isArray(value)) return this.numberOfText(scalarText(value, key))
    const known = this.byNode.get(value)
    if (known !== undefined) return known
    const text = Array.isArray(value)
      ? `[${value.map((item) => this.numberOf(item)).join(',')}`
      : this.objectText(value)
    const number = this.numberOfText(text)
    this.byNode.set(value, number)
    return number
  }

  private objectText(value: Record<string, ExactJson>): string {
    const keys = Object.keys(value).sort(byCodePoint)
    return `{${keys.map((key) => `${JSON.stringify(key)}${this.numberOf(value[key]!, key)}`).join(',')}`
  }

  /** Lists of numbers are the longest. */
  private numberOfNumber(value: number): number {
    const known = this.byNumber.get(value)
    if (known !== undefined) return known
    const number = this.numberOfText(scalarText(value, undefined))
    this.byNumber.set(value, number)
    return number
  }

  private numberOfText(text: string): number {
    const known = this.byText.get(text)
    if (known !== undefined) return known
    this.byText.set(text, this.byText.size)
    return this.byText.size - 1
  }
}

function scalarText(value: string | number | boolean | null | object, key: string | undefined): string {
  const digits = IDENTIFIER_FIELDS.has(key) ? integerKey(value) : null
  if (digits !== null) return `#${digits}`
  if (isNumber(value)) return `0${decimalKey(numberText(value))}`
  return typeof value === 'string' ? `"${value}` : String(value)
}
