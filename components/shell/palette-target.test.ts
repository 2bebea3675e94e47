import { expect, test } from 'vitest'
import { splitFound, targetOf } from './palette-target'

const here = 'http://127.0.0.1:4790'

test.each([
  ['', null],
  ['   ', null],
  ['http://127.0.0.1:4790/executions/0199?view=raw#/a', '/executions/0199?view=raw#/a'],
  ['http://elsewhere.example/executions/0199', null],
  ['javascript:alert(1)', null],
  ['//elsewhere.example/x1', '/x///elsewhere.example/x1'],
  ['/executions?q=go', '/executions?q=go'],
  ['/ci/github/acme%2Fshop/77', '/ci/github/acme%2Fshop/77'],
  ['/policies?to=pr-415', '/policies?to=pr-415'],
  ['bc3bf53b-19fe-4209-b30a-a1acffaf6703', '/x/bc3bf53b-19fe-4209-b30a-a1acffaf6703'],
  [' toolu_01VdjoYVqbHgHYWbs5YdvNg5 ', '/x/toolu_01VdjoYVqbHgHYWbs5YdvNg5'],
  ['bc3bf53b/agent-a2898e3', '/x/bc3bf53b/agent-a2898e3'],
  ['2026-06-15/agent/abc', '/x/2026-06-15/agent/abc'],
  ['/chains/2026-06-15/agent/abc', '/chains/2026-06-15/agent/abc'],
  ['urn:receipt:0199', '/x/urn%3Areceipt%3A0199'],
  [`sha256:${'0a'.repeat(32)}`, `/x/sha256%3A${'0a'.repeat(32)}`],
  ['attempts:4', null],
  ['timeout', null],
  ['read first', null],
  ['outcome:failed', null],
])('%s leads to %s', (text, want) => expect(targetOf(text, here)).toBe(want))

test('nothing that is pasted leads off this site', () => {
  for (const text of [
    '//elsewhere.example/x1',
    '/\\elsewhere.example1',
    'http://elsewhere.example/1',
    '///x1',
  ]) {
    const target = targetOf(text, here)
    if (target !== null) expect(new URL(target, here).origin).toBe(here)
  }
})

test('what has the very id that was typed is told apart from what only resembles it', () => {
  const found = [
    { id: '1', externalId: 'nightly-build-two' },
    { id: '2', externalId: 'nightly-build' },
    { id: 'nightly-build', externalId: 'x' },
  ]
  expect(splitFound(found, 'nightly-build')).toEqual({ named: [found[1], found[2]], alike: [found[0]] })
})
