import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { JsonTree } from './json-tree'

const render = (text: string, focus: string | null = null): string =>
  renderToStaticMarkup(<JsonTree text={text} focus={focus} fallback="no tree" />)
/** Each place in the tree and the text of its value, as the parity of what is rendered reads them. */
const valuesOf = (html: string): [string, string | undefined][] =>
  html
    .split('data-json-pointer="')
    .slice(1)
    .map((row) => [
      row.slice(0, row.indexOf('"')),
      /data-json-value="[^"]*"[^>]*>(.*?)<\/span>/s.exec(row)?.[1],
    ])

test('every place carries its pointer, and a single value its exact text in one element', () => {
  const html = render(
    '{"result":{"id":620356925057663015,"a/b~c":"one\\ntwo","n":1.50,"no":null,"list":[true,""]}}',
  )
  expect(valuesOf(html)).toEqual([
    ['', undefined],
    ['/result', undefined],
    ['/result/id', '620356925057663015'],
    ['/result/a~1b~0c', 'one\ntwo'],
    ['/result/n', '1.50'],
    ['/result/no', 'null'],
    ['/result/list', undefined],
    ['/result/list/0', 'true'],
    ['/result/list/1', ''],
  ])
})

test('it is a tree grid, with its rows numbered and the one that is meant selected', () => {
  const html = render('{"a":{"b":{"c":1}}}', '/a/b')
  expect(html).toMatch(/role="treegrid"[^>]*aria-rowcount="4"/)
  expect(html).toMatch(
    /data-json-pointer="\/a\/b" role="row" aria-rowindex="3" aria-level="3" aria-expanded="true" aria-selected="true"/,
  )
  expect([...html.matchAll(/aria-selected="true"/g)]).toHaveLength(1)
})

test('a long text is cut with a mark that says how much follows, and marked as cut', () => {
  const html = render(JSON.stringify({ long: 'x'.repeat(4_100) }))
  expect(html).toMatch(/data-json-cut="true"/)
  expect(html).toContain('… 100 more characters')
  expect(render('{"short":"x"}')).not.toContain('data-json-cut')
})

test('hostile text is text, and what is no JSON has no tree', () => {
  const html = render('{"<b>":"<img src=x>\\u001b[0m\\u202e"}')
  expect(html).not.toMatch(/<img|<b>|[\u001b\u202e]/)
  expect(render('{"a":')).toBe('no tree')
})
