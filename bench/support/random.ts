/** A small generator of our own (sfc32), so that every run of a bench works on the same rows, on every version of Node. */
export class Random {
  #a: number
  #b: number
  #c: number
  #d = 1

  constructor(seed: number) {
    this.#a = seed >>> 0
    this.#b = 0x9e3779b9
    this.#c = 0x243f6a88
    for (let i = 0; i < 15; i++) this.bits()
  }

  bits(): number {
    const t = (((this.#a + this.#b) | 0) + this.#d) | 0
    this.#d = (this.#d + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (this.#c << 21) | (this.#c >>> 11)
    this.#c = (this.#c + t) | 0
    return t >>> 0
  }

  /** In [0, 1). */
  next(): number {
    return this.bits() / 2 ** 32
  }

  /** A whole number in [0, below). */
  int(below: number): number {
    return Math.floor(this.next() * below)
  }

  /** Small values are likelier, as words and repositories are. */
  skewed(below: number): number {
    return Math.floor(this.next() ** 3 * below)
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)]!
  }

  /** Lognormal: most are near the median, a few are very long. */
  size(median: number, spread: number, max: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next())
    return Math.min(max, Math.max(1, Math.round(median * Math.exp(spread * normal))))
  }

  uuid(): string {
    const hex = Array.from({ length: 4 }, () => this.bits().toString(16).padStart(8, '0')).join('')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  }
}
