import { expect, test } from 'vitest'
import { isBelow, readBaseUrl } from './address'

test.each([
  ['https://noetl.example', 'https://noetl.example/'],
  [' http://127.0.0.1:8082/api/executions ', 'http://127.0.0.1:8082/'],
  ['https://h.example/flows/api/', 'https://h.example/flows/'],
  ['https://h.example/flows//', 'https://h.example/flows/'],
  ['http://2130706433', 'http://127.0.0.1/'],
])('%s is read as %s', (text, url) => expect(readBaseUrl(text)).toEqual({ url }))

test.each([
  'noetl',
  'file:///etc/passwd',
  'ftp://h.example',
  'https://me:secret@h.example',
  'https://h.example/?x=1',
  'https://h.example/#x',
  '',
])('%s is refused', (text) => expect(readBaseUrl(text)).toHaveProperty('trouble'))

test('what lies below an address is of the same origin, and below its path', () => {
  const base = new URL('https://h.example/flows/')
  const below = (text: string) => isBelow(new URL(text, base), base)
  expect(['api/executions', '/flows/x', 'https://h.example:443/flows/x'].map(below)).toEqual([
    true,
    true,
    true,
  ])
  expect(
    [
      '/flow',
      '../x',
      '%2e%2e/x',
      '//other.example/flows/x',
      'http://h.example/flows/x',
      'https://h.example:444/flows/x',
      'https://h.example.evil/flows/',
    ].map(below),
  ).toEqual(Array(7).fill(false))
})
