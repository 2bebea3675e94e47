import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CauseText } from './cause-text'

const paragraphs = (headline: string, text: string): string[] =>
  [
    ...renderToStaticMarkup(<CauseText headline={headline} text={text} />).matchAll(/<p[^>]*>(.*?)<\/p>/g),
  ].map(([, inner]) => inner!)

test('the whole line stands below a headline that is cut, and what failed before below that', () => {
  expect(paragraphs('It broke beca…', 'It broke because of this\nEarlier: 1 of 2 calls failed.')).toEqual([
    'It broke beca…',
    'It broke because of this',
    'Earlier: 1 of 2 calls failed.',
  ])
})

test('the whole line is below a headline that is cut in the middle, but not below one that quotes such a mark', () => {
  expect(paragraphs('It broke…: no rule', 'It broke in the middle of the run: “no rule”')).toHaveLength(2)
  expect(paragraphs('cat <<EOF … failed: no', 'Bash “cat <<EOF …” failed: “no”')).toHaveLength(1)
})

test('a headline that is whole is not said twice', () => {
  expect(paragraphs('It broke', 'It broke')).toEqual(['It broke'])
  expect(paragraphs('make failed: no rule', 'Bash “make” failed: “no rule”\nEarlier: x.')).toEqual([
    'make failed: no rule',
    'Earlier: x.',
  ])
})
