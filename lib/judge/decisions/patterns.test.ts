import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '@/lib/limits'
import { allFound, findPatterns, normaliseMarkdown } from './patterns'

describe('asterisks around a name that is given a value are taken off', () => {
  test.each([
    ['**plan_path** = /a', 'plan_path = /a'],
    ['*plan_path* = /a', 'plan_path = /a'],
    ['**plan_path*= /a', 'plan_path= /a'],
    ['*plan-path**\n\t=', 'plan-path\n\t='],
    ['x **a** = 1\n**b**=2', 'x a = 1\nb=2'],
    ['***name** =', '*name ='],
    ['**é_1** =', 'é_1 ='],
    ['*中*\u3000=', '中\u3000='],
    ['*a*\u001c\u0085=', 'a\u001c\u0085='],
    ['*a*b*=', '*ab='],
    ['*𐐀* =', '𐐀 ='],
  ])('%j becomes %j', (text, plain) => expect(normaliseMarkdown(text)).toBe(plain))

  test.each([
    '',
    '***name*** =',
    '**name** : /a',
    '**name = /a**',
    '`**name**` =',
    '`name` =',
    '*-name* =',
    '**na me** =',
    'name* =',
    '**name =',
    '** =',
    '*\u0301a* =',
    '*a*\ufeff=',
    '*a*\u200b=',
    '*a\ud800* =',
  ])('%j stays', (text) => expect(normaliseMarkdown(text)).toBe(text))

  // The rule in one expression, for letters on which Python and JavaScript agree.
  test('it is the rule, wherever the asterisks stand', () => {
    const text = fc.string({
      unit: fc.constantFrom('*', '**', '*a', 'a', '-', '_', ' ', '\n', '=', ' =', '`'),
      maxLength: 14,
    })
    fc.assert(
      fc.property(text, (given) => {
        expect(normaliseMarkdown(given)).toBe(given.replace(/\*{1,2}(\w[\w-]*)\*{1,2}(\s*=)/g, '$1$2'))
      }),
      { numRuns: 3_000 },
    )
  })

  test('a name of ten million letters is no reason to fail', () => {
    const name = '中'.repeat(10_000_000)
    expect(normaliseMarkdown(`*${name}* =`).length).toBe(name.length + 2)
  })
})

describe('findPatterns', () => {
  test('every pattern is answered on its own, with the reason when there is no answer', () => {
    expect(
      findPatterns(['a', 'b', '(', 'a(?=b)', 'a{1000}'], 'a'.repeat(limits.patternWorkMax / 1_000)),
    ).toEqual([
      { pattern: 'a', state: 'found' },
      { pattern: 'b', state: 'missing' },
      { pattern: '(', state: 'invalid', why: 'a group that is not closed, at character 1' },
      { pattern: 'a(?=b)', state: 'differs', why: 'RE2 has no look-around' },
      { pattern: 'a{1000}', state: 'differs', why: 'the text is too long for a pattern of this size' },
    ])
  })

  test('Markdown is taken off before the search, unless the text is to be searched as written', () => {
    const [pattern, text] = ['plan_path\\s*=\\s*/.+', '**plan_path** = /a']
    expect(findPatterns([pattern], text)).toEqual([{ pattern, state: 'found' }])
    expect(findPatterns([pattern], text, { written: true })).toEqual([{ pattern, state: 'missing' }])
  })

  test('all are found only when each is; none asked for is all found', () => {
    expect(allFound(findPatterns([], ''))).toBe(true)
    expect(allFound(findPatterns(['a', 'b'], 'ab'))).toBe(true)
    expect(allFound(findPatterns(['a', 'c'], 'ab'))).toBe(false)
    expect(allFound(findPatterns(['a', '('], 'ab'))).toBe(false)
    expect(allFound(findPatterns(['a', '(?=a)'], 'ab'))).toBe(false)
  })
})
