import fc from 'fast-check'
import { oddValue } from './values'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A change of a body, as data so that fast-check can make and repeat it. Places are fractions of the body. */
export interface Mutation {
  how: (typeof MUTATIONS)[number]
  at: number
  to: number
  byte: number
  value: unknown
}

export const MUTATIONS = [
  'flip a byte',
  'insert NUL',
  'insert a lone surrogate',
  'insert bytes that are not UTF-8',
  'cut the end',
  'cut out the middle',
  'repeat a line',
  'swap two lines',
  'drop line ends',
  'replace a value',
  'replace a number by a huge one',
  'escape NUL in a value',
  'nest a value deeply',
  'double a key',
  'grow a value',
  'put a byte order mark in front',
  'write it as UTF-16',
  'say it twice',
  'empty it',
] as const

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  how: fc.constantFrom(...MUTATIONS),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  to: fc.double({ min: 0, max: 1, noNaN: true }),
  byte: fc.nat({ max: 255 }),
  value: oddValue,
})

/** Between none and three changes of one of the samples. */
export const mutated = (samples: readonly Uint8Array[]): fc.Arbitrary<Uint8Array> =>
  fc
    .tuple(fc.nat({ max: samples.length - 1 }), fc.array(mutation, { maxLength: 3 }))
    .map(([which, mutations]) => mutations.reduce(applyMutation, samples[which]!))

const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts))

/** The body with the change made; where it does not fit (no line, no value) the body as it was. */
export function applyMutation(bytes: Uint8Array, { how, at, to, byte, value }: Mutation): Uint8Array {
  const place = Math.floor(at * bytes.length)
  const insert = (what: Uint8Array): Uint8Array =>
    joined(bytes.subarray(0, place), what, bytes.subarray(place))
  const lines = (change: (all: string[], i: number, j: number) => string[]): Uint8Array => {
    const all = decoder.decode(bytes).split('\n')
    const index = (fraction: number): number => Math.min(all.length - 1, Math.floor(fraction * all.length))
    return encoder.encode(change(all, index(at), index(to)).join('\n'))
  }
  switch (how) {
    case 'flip a byte':
      return bytes.length === 0 ? bytes : bytes.with(Math.min(place, bytes.length - 1), byte)
    case 'insert NUL':
      return insert(Uint8Array.of(0))
    case 'insert a lone surrogate':
      return insert(Uint8Array.of(0xed, 0xa0, 0x80))
    case 'insert bytes that are not UTF-8':
      return insert(Uint8Array.of(0xff, 0xfe, byte | 0x80))
    case 'cut the end':
      return bytes.subarray(0, place)
    case 'cut out the middle':
      return joined(bytes.subarray(0, place), bytes.subarray(Math.max(place, Math.floor(to * bytes.length))))
    case 'repeat a line':
      return lines((all, i) => all.toSpliced(i, 0, all[i]!))
    case 'swap two lines':
      return lines((all, i, j) => all.with(i, all[j]!).with(j, all[i]!))
    case 'drop line ends':
      return lines((all) => [all.join('')])
    case 'put a byte order mark in front':
      return joined(Uint8Array.of(0xef, 0xbb, 0xbf), bytes)
    case 'write it as UTF-16':
      return new Uint8Array(Buffer.from(decoder.decode(bytes), 'utf16le'))
    case 'say it twice':
      return joined(bytes, bytes)
    case 'empty it':
      return new Uint8Array()
    default:
      return encoder.encode(changeValue(decoder.decode(bytes), at, replacement(how, value, byte)))
  }
}

/** JSON text that takes the place of a value. `old` is the text of that value. */
function replacement(
  how: Mutation['how'],
  value: unknown,
  byte: number,
): (old: string, key: string) => string {
  switch (how) {
    case 'replace a number by a huge one':
      return () =>
        ['1e999', '-1e999', '99999999999999999999999', '1'.repeat(400), '-0', '2147483648'][byte % 6]!
    case 'escape NUL in a value':
      return () => ['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00\\ud800"'][byte % 4]!
    case 'nest a value deeply':
      return (old) => {
        const depth = [10, 513, 5_000][byte % 3]!
        return byte % 2 === 0
          ? '['.repeat(depth) + old + ']'.repeat(depth)
          : '{"a":'.repeat(depth) + old + '}'.repeat(depth)
      }
    case 'double a key':
      return (old, key) => `${old},${key}:${JSON.stringify(value)}`
    case 'grow a value':
      return () => JSON.stringify('x'.repeat(1 + byte * 1_000))
    default:
      return () => JSON.stringify(value)
  }
}

/** Keys with a value that contains no other. */
const KEY_AND_VALUE = /("(?:[^"\\]|\\.)*")\s*:\s*("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)/g

function changeValue(text: string, at: number, to: (old: string, key: string) => string): string {
  const found = [...text.matchAll(KEY_AND_VALUE)]
  const chosen = found[Math.min(found.length - 1, Math.floor(at * found.length))]
  if (chosen === undefined) return text
  const [whole, key, old] = chosen
  return `${text.slice(0, chosen.index)}${key}:${to(old!, key!)}${text.slice(chosen.index + whole.length)}`
}
