import fc from 'fast-check'

/** Texts that programs trip over; each fits anywhere a text does. */
const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udc00b',
  '\ufeff',
  '\u202e',
  '%',
  '%00',
  "' or 1=1 --",
  '../../../../etc/passwd',
  '..%2f..%2f',
  '-1',
  '0',
  '1e309',
  'NaN',
  '9007199254740993',
  '99999999999999999999999999',
  '2147483648',
  '1.5',
  'null',
  'true',
  '[]',
  '{}',
  '<script>1</script>',
  '\u001b[31m',
  'i\u0307',
  '𝒳😀',
  'a:b:c',
  'outcome:',
  'branch:"',
  'attempts:>99999999999999999999',
  'since:99999999999999d',
  '(((((((((',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '00000000-0000-0000-0000-000000000000',
  '0000-13-45T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
] as const

const LONG = 6_000

/** Any text: an odd one, a long one, or whatever fast-check thinks of, lone surrogates among it. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<string>(...ODD_TEXTS) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('a', '\0', 'é', '((', '%', '"'), fc.integer({ min: 1, max: LONG }))
      .map(([unit, times]) => unit.repeat(times).slice(0, LONG)),
  },
)

/** Numbers at the edges of what integers, floats and columns hold. */
export const oddNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    -1,
    1,
    2 ** 31 - 1,
    2 ** 31,
    -(2 ** 31) - 1,
    Number.MAX_SAFE_INTEGER,
    2 ** 63,
    1e21,
    Number.MAX_VALUE,
    Number.MIN_VALUE,
    0.1,
  ),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

/** Any JSON value. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  oddNumber,
  fc.constantFrom(null, true, false),
  fc.constantFrom<unknown>([], {}, [[[[[]]]]], [null, null], { constructor: 2, length: 3 }),
  fc.array(oddText, { maxLength: 4 }),
)

/**
 * A text in a path or query. Mostly percent-encoded as a client does it; else as clients must not: broken
 * escapes, bytes that are not UTF-8, an encoded lone surrogate, or encoded twice.
 */
export const inAddress = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(text, fc.integer({ min: 0, max: 19 }))
    .map(([value, how]) =>
      how === 0
        ? '%'
        : how === 1
          ? '%zz'
          : how === 2
            ? '%ff%fe'
            : how === 3
              ? '%ed%a0%80'
              : how === 4
                ? encodeURIComponent(encode(value))
                : encode(value),
    )

/** Percent-encoded UTF-8; a lone surrogate becomes the three bytes that it would be. */
export const encode = (text: string): string =>
  [...text]
    .map((character) => {
      const code = character.codePointAt(0)!
      if (code < 0xd800 || code > 0xdfff) return encodeURIComponent(character)
      return `%ed%${(0x80 | ((code >> 6) & 0x3f)).toString(16)}%${(0x80 | (code & 0x3f)).toString(16)}`
    })
    .join('')
