import { DIFFERENCE_KINDS } from './model/parity'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CAUSE_CATEGORIES } from './model/cause-categories'
import { limits } from './limits'
import { FLAGS, type FlagCode } from './model/flags'
import { FLAG_WORDS } from './words/flags'
import { PROBLEMS, type ProblemSlug } from './problem'
import { PROBLEM_TITLES } from './words/problem-titles'

const docs = (path: string): URL => new URL(`../docs/${path}`, import.meta.url)

describe('documents keep up with the code', () => {
  test('every problem has its page, and no page is left over', () => {
    const pages = readdirSync(docs('problems/')).map((name) => name.replace(/\.md$/, ''))
    expect(pages.sort()).toEqual(Object.keys(PROBLEMS).sort())
  })

  test.each(Object.entries(PROBLEMS))(
    'the page of %s has its title, status, cause and remedy',
    (slug, { status }) => {
      const text = readFileSync(docs(`problems/${slug}.md`), 'utf8')
      expect(text.split('\n')[0]).toBe(`# ${PROBLEM_TITLES[slug as ProblemSlug]}`)
      expect(text).toContain(`\`${slug}\` · HTTP ${status}`)
      expect(text).toMatch(/## Likely cause\n\n\S[\s\S]+## What to do\n\n\S/)
    },
  )

  test('every category of causes has a row in its page', () => {
    const cause = readFileSync(docs('sources/cause.md'), 'utf8').split('\n## ')[0]!
    const rows = cause
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split('|')[1]!)
    expect(new Set(rows.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map((match) => match[1])))).toEqual(
      new Set(CAUSE_CATEGORIES),
    )
  })

  test('every kind of difference is in the page of parity', () => {
    const kinds = readFileSync(docs('parity.md'), 'utf8')
      .split('\n## ')
      .find((section) => section.startsWith('Kinds\n'))!
    expect([...kinds.matchAll(/^\| `(\w+)` \|/gm)].map((row) => row[1])).toEqual(DIFFERENCE_KINDS)
  })

  test('every flag of patches is in their page with its weight and its sentence', () => {
    const page = readFileSync(docs('patches.md'), 'utf8')
    const rows = [...page.matchAll(/^\| `([\w-]+)` \| (\w+) \| (.+) \|$/gm)].map((row) => [
      row[1],
      row[2],
      row[3],
    ])
    expect(rows.sort()).toEqual(
      Object.entries(FLAGS)
        .map(([code, { weight }]) => [code, weight, FLAG_WORDS[code as FlagCode]])
        .sort(),
    )
  })

  test('every limit is in the page of limits with its value', () => {
    const rows = [...readFileSync(docs('limits.md'), 'utf8').matchAll(/^\| `(\w+)` \| ([\d,]+)/gm)]
    expect(Object.fromEntries(rows.map((row) => [row[1], Number(row[2]!.replaceAll(',', ''))]))).toEqual(
      limits,
    )
  })
})
