import { expect, test } from 'vitest'
import { wellEncoded } from './well-encoded'

test.each([
  ['/x/100%', '/x/100%25'],
  ['/ci/a/%E0%A4%A/7?x=100%', '/ci/a/%25E0%25A4%25A/7?x=100%'],
  ['/ci/github/acme%2Fshop/7%zz', '/ci/github/acme%2Fshop/7%25zz'],
])('%s is asked for as %s', (asked, want) => {
  expect(wellEncoded(asked)).toBe(want)
  expect(wellEncoded(want)).toBe(want)
})

test.each(['/', '*', '', '/ci/github/acme%2Fshop/7?a=b%2Fc?d', '/x/a%20b', '/x/%00'])(
  '%s stays as it is',
  (asked) => expect(wellEncoded(asked)).toBe(asked),
)
