import { expect, test } from 'vitest'
import { httpAddress } from './http-address'

test.each([
  ['https://ci.example/a b?c#d', 'https://ci.example/a%20b?c#d'],
  ['http://name:secret@ci.example/', 'http://ci.example/'],
  ['javascript:alert(1)', null],
  ['JaVaScRiPt://ci.example/%0aalert(1)', null],
  [' data:text/html,x', null],
  ['//ci.example/', null],
  ['', null],
  [null, null],
])('%s leads to %s', (text, want) => expect(httpAddress(text)).toBe(want))
