import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codeBlock, codeSpan, githubError, inGithubLog, plainText, proseSpan } from './escapes'

/** What the runner of GitHub makes of one line of a log, written after its source: a command with what it holds, or nothing. */
function runnerReads(line: string): { command: string; title: string | null; text: string } | null {
  const undo = (value: string): string =>
    value
      .replaceAll('%0D', '\r')
      .replaceAll('%0A', '\n')
      .replaceAll('%3A', ':')
      .replaceAll('%2C', ',')
      .replaceAll('%25', '%')
  const v2 = /^\s*::([^\s:]+)(?: ([\s\S]*?))?::([\s\S]*)$/.exec(line)
  if (v2) {
    const title = (v2[2] ?? '').split(',').find((pair) => pair.startsWith('title='))
    const text = v2[3]!.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%')
    return { command: v2[1]!, title: title === undefined ? null : undo(title.slice('title='.length)), text }
  }
  const v1 = /##\[([^\]]*)\](.*)/s.exec(line)
  return v1 ? { command: v1[1]!.split(' ')[0]!, title: null, text: v1[2]! } : null
}

const HOSTILE = [
  '::add-mask::a',
  '##[add-mask]a',
  '%0A::error::x',
  'a\n::set-output name=x::y',
  'a\r\nb',
  'x,file=/etc/passwd',
  '100%',
  '::',
  ' ::stop-commands::x',
  'ä‮b\u001b[31m',
  '%25',
]
const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string(),
  fc.array(fc.constantFrom(...HOSTILE)).map((parts) => parts.join(' ')),
)

describe('a line for GitHub', () => {
  test.each(HOSTILE)('is one annotation that says just what it should, also with %j', (text) => {
    const line = githubError(plainText(text), plainText(text))
    expect(line).not.toMatch(/[\r\n]/)
    expect(runnerReads(line)).toEqual({ command: 'error', title: plainText(text), text: plainText(text) })
  })

  test('is one annotation, whatever stands in it', () => {
    fc.assert(
      fc.property(hostile, hostile, (title, text) => {
        const line = githubError(`a ${plainText(title)}`, `${plainText(text)}\nhttps://inquest.example/x`)
        expect(line.split(/[\r\n]/)).toHaveLength(1)
        expect(runnerReads(line)).toEqual({
          command: 'error',
          title: `a ${plainText(title)}`,
          text: `${plainText(text)}\nhttps://inquest.example/x`,
        })
      }),
    )
  })

  test('is no command when it is meant for people', () => {
    fc.assert(
      fc.property(hostile, (text) => void expect(runnerReads(inGithubLog(plainText(text)))).toBeNull()),
    )
    expect(runnerReads('x ##[add-mask]a')).not.toBeNull()
    expect(inGithubLog('  https://inquest.example/ci/github/a%2Fb/7')).toBe(
      '  https://inquest.example/ci/github/a%2Fb/7',
    )
  })
})

describe('text from data in Markdown', () => {
  /** Reads code spans as CommonMark does: a run of backticks ends at the next run of the same length. */
  function spanOf(markdown: string): { code: string; rest: string } | null {
    const fence = /^`+/.exec(markdown)?.[0]
    if (!fence) return null
    for (const run of markdown.slice(fence.length).matchAll(/`+/g)) {
      if (run[0].length !== fence.length) continue
      const inside = markdown.slice(fence.length, fence.length + run.index)
      const code = /^ .*[^ ].* $/s.test(inside) ? inside.slice(1, -1) : inside
      return { code, rest: markdown.slice(fence.length + run.index + fence.length) }
    }
    return null
  }

  test.each([
    'a',
    '`',
    '``',
    '`a`',
    'a ``` b',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '@everyone #1',
    '| a | b |',
    '\\',
    '```\n# x\n```',
  ])('%j is code and nothing but code', (text) => {
    expect(spanOf(codeSpan(text))).toEqual({ code: plainText(text), rest: '' })
  })

  test('is code and nothing but code, whatever it is', () => {
    const marked = fc
      .array(fc.constantFrom('`', '``', '```', '\n', ' ', '<b>', '](', '*', 'a'))
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(marked, (text) => {
        const words = plainText(text)
        if (words === '') expect(codeSpan(text)).toBe('(empty)')
        else expect(spanOf(codeSpan(text))).toEqual({ code: words, rest: '' })
        const [opening, ...lines] = codeBlock(text).split('\n')
        const fence = opening!.slice(0, -'text'.length)
        expect(lines.findIndex((line) => line.trim().startsWith(fence))).toBe(lines.length - 1)
      }),
    )
  })

  test('is cut with a mark', () => {
    expect(codeSpan('word '.repeat(400)).length).toBeLessThan(620)
    expect(codeSpan('word '.repeat(400))).toContain('…')
  })
})

describe('a sentence in Markdown', () => {
  test.each([
    ['Retrying won’t help.', 'Retrying won’t help.'],
    ['Rerun Bash “npm test” (call 7).', 'Rerun Bash `npm test` (call 7).'],
    ['Rerun “a `b` c”', 'Rerun ``a `b` c``'],
    ['See <b> now', '`See <b> now`'],
    ['See www.evil.example now', '`See www.evil.example now`'],
    ['An open quote “ here', '`An open quote “ here`'],
  ])('%j', (text, markdown) => expect(proseSpan(text)).toBe(markdown))
})
