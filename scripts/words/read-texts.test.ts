import { expect, test } from 'vitest'
import { drawTexts } from './draw-texts'
import { readTexts } from './read-texts'

const read = (path: string, content: string) =>
  readTexts(path, content).map(({ line, text }) => `${line} ${text}`)

test('what a module shows is read: text and labels of elements, sentences with their values', () => {
  const source = `'use client'
import x from 'two words'
export const Row = ({ n }: { n: number }) => (
  <p className="flex gap-2" aria-label="Close" data-kind="close">
    Retry <b>{n === 1 ? \`\${n} failed call\` : 'all calls'}</b>
  </p>
)
const rows = sql\`select id from executions\`
const key = 'one-word'`
  expect(read('components/row.tsx', source)).toEqual(['4 Close', '5 Retry', '5 … failed call', '5 all calls'])
})

test('a page is read by heading, cell and sentence, across wrapped lines and without code', () => {
  const page = `# Two words

Wrapped in the
middle. A second sentence.

\`\`\`
npm run words
\`\`\`

| a column | x |
|---|---|
- a list item`
  expect(read('docs/page.md', page)).toEqual([
    '1 Two words',
    '3 Wrapped in the middle.',
    '3 A second sentence.',
    '10 a column',
    '12 a list item',
  ])
})

test('a seed gives the same draw each time, another seed another one, nothing twice', () => {
  const items = Array.from({ length: 200 }, (_, n) => n)
  const draw = drawTexts(items, 20261124, 60)
  expect(drawTexts(items, 20261124, 60)).toEqual(draw)
  expect(drawTexts(items, 20261125, 60)).not.toEqual(draw)
  expect(new Set(draw).size).toBe(60)
  expect(drawTexts(items, 1, 500)).toHaveLength(200)
})
