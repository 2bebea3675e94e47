import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scanFailureSignal, trimSpace } from './failure-signal'
import { FAILURE_TAG } from './failure-tag'

const reasonOf = (text: string): string | null | undefined => scanFailureSignal(text)?.reason

describe('the matcher', () => {
  test.each<[string, string, string | null | undefined]>([
    ['a pair', 'a <octopus-task-failed>why</octopus-task-failed> b', 'why'],
    ['letters of any case, each tag its own', '<OCTOPUS-task-FAILED>why</octopus-TASK-failed>', 'why'],
    ['self-closing', '<octopus-task-failed \n/>', null],
    ['white space before the bracket', '<octopus-task-failed\u0085>why</octopus-task-failed>', 'why'],
    [
      'only what .NET calls white space: U+FEFF is none',
      '<octopus-task-failed\ufeff>why</octopus-task-failed>',
      undefined,
    ],
    ['an unclosed tag, then a self-closing one', '<octopus-task-failed>cut <octopus-task-failed/>', null],
    [
      'an unclosed tag, then a pair: one match from the first',
      '<octopus-task-failed>cut <octopus-task-failed>why</octopus-task-failed>',
      'cut <octopus-task-failed>why',
    ],
    [
      'a tag with an attribute does not stop the search',
      '<octopus-task-failed x="1">no</octopus-task-failed> <octopus-task-failed>yes</octopus-task-failed>',
      'yes',
    ],
    [
      'a closing tag in front of the opening one',
      '</octopus-task-failed><octopus-task-failed>why',
      undefined,
    ],
    ['the Kelvin sign is no k', '<octopus-tas\u212a-failed/>', undefined],
    [
      'blanks at both ends of the reason go, inner line ends stay',
      '<octopus-task-failed>\u3000\r\na\r\nb\u00a0</octopus-task-failed>',
      'a\r\nb',
    ],
    ['nothing but blanks is no reason', '<octopus-task-failed>\u2028 </octopus-task-failed>', null],
    [
      'a letter that grows in lower case does not shift the reason',
      '\u0130\u0130<octopus-task-failed>why</octopus-task-failed>',
      'why',
    ],
  ])('%s', (_, text, reason) => expect(reasonOf(text)).toBe(reason))

  test('the tag name is a setting', () => {
    expect(scanFailureSignal('<x.y>why</x.y>', 'x.y')?.reason).toBe('why')
    expect(scanFailureSignal('<xzy>why</xzy>', 'x.y')).toBeNull()
  })

  test('the range is that of the block', () => {
    const text = 'so <octopus-task-failed>why</octopus-task-failed>.'
    const found = scanFailureSignal(text)!
    expect(text.slice(found.start, found.end)).toBe('<octopus-task-failed>why</octopus-task-failed>')
  })

  test('a text of nothing but opening tags is read in linear time', () => {
    const text = `<${FAILURE_TAG}>`.repeat(200_000)
    expect(scanFailureSignal(text)).toBeNull()
    expect(scanFailureSignal(`${text}</${FAILURE_TAG}>`)?.start).toBe(0)
  })

  test('agrees with the pattern it stands for', () => {
    const space =
      '[\\u0009-\\u000d\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]*'
    const pattern = new RegExp(`<octopus-task-failed${space}(?:/>|>([^]*?)</octopus-task-failed>)`, 'i')
    const piece = fc.constantFrom(
      '<octopus-task-failed',
      '<OCTOPUS-TASK-FAILED',
      '</octopus-task-failed>',
      '/>',
      '>',
      ' ',
      '\u0085',
      '\ufeff',
      'x',
      '<',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        const match = pattern.exec(text)
        const want = match === null ? undefined : match[1] === undefined ? null : trimSpace(match[1]) || null
        expect(reasonOf(text)).toBe(want)
      }),
      { numRuns: 2_000 },
    )
  })
})
