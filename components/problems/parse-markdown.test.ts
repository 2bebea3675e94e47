import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Block, type Inline, parseInline, parseMarkdown } from './parse-markdown'

const inlineText = (parts: Inline[]): string => parts.map((part) => part.text).join('')

test('headings, paragraphs, lists and code are told apart', () => {
  expect(
    parseMarkdown('# A `b`\n\none\ntwo\n\n- x\n  more\n- y\n\n```\n# no heading\n```\n').map(
      (block) => block.kind,
    ),
  ).toEqual(['heading', 'paragraph', 'list', 'code'])
})

test('plain text comes through whole, whatever it is', () => {
  fc.assert(
    fc.property(
      fc.string().filter((text) => !/[`*[\]]/.test(text)),
      (text) => {
        expect(inlineText(parseInline(text))).toBe(text)
      },
    ),
  )
})

test('only addresses of ours, of https and of this page become links', () => {
  const kinds = [
    '[a](/problems/x)',
    '[a](https://example.org)',
    '[a](#b)',
    '[a](javascript:alert(1))',
    '[a](http://x)',
    '[a](data:text/html,x)',
  ].map((text) => parseInline(text)[0]!.kind)
  expect(kinds).toEqual(['link', 'link', 'link', 'text', 'text', 'text'])
})

test('a document beside the pages of problems is named by its path', () => {
  expect(
    inlineText(parseInline('see [the limits page](../limits.md), and [large files](../api.md#large-files).')),
  ).toBe('see the limits page (docs/limits.md), and large files (docs/api.md).')
})

test('no page of a problem shows the marks of a link', () => {
  const folder = new URL('../../docs/problems/', import.meta.url)
  for (const name of readdirSync(folder))
    expect(inlineText(parseInline(readFileSync(new URL(name, folder), 'utf8'))), name).not.toContain('](')
})

test('every page of a problem starts with its title and says what to do', () => {
  const folder = new URL('../../docs/problems/', import.meta.url)
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md'))
  expect(pages.length).toBeGreaterThan(5)
  for (const name of pages) {
    const blocks: Block[] = parseMarkdown(readFileSync(new URL(name, folder), 'utf8'))
    expect(blocks[0], name).toMatchObject({ kind: 'heading', level: 1 })
    expect(
      blocks.filter((block) => block.kind === 'heading' && block.level === 2).length,
      name,
    ).toBeGreaterThanOrEqual(2)
  }
})
