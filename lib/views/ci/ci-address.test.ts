import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { links } from '../../links'
import { parseCiAddress } from './ci-address'

const read = (address: string) => parseCiAddress(address.slice(links.ciRoot().length + 1))

describe('the address of a CI run', () => {
  test.each([
    ['github', 'acme/shop', '77', 2],
    ['gitlab', 'group/sub group/deep/project', '1234567890123', null],
    ['jenkins', 'nightly', '12', null],
    // Jenkins writes the branch of a multibranch job encoded into its name.
    ['jenkins', 'shop/job/feature%2Fcart', '12', null],
    ['circleci', 'acme/shop', '5034460f-c7c4-4c43-9457-de07e2029e7b', null],
    ['home made', 'a?b#c/d e', 'ä/ü', 1],
  ])('of %s %s is read as it was written', (provider, path, run, attempt) => {
    expect(read(links.ciRun(provider, path, run, attempt))).toEqual({
      provider,
      path,
      run,
      attempt,
      unread: null,
    })
  })

  test('is read as it was written, whatever stands in it', () => {
    const word = fc.string({ minLength: 1 }).filter((text) => text.trim() !== '')
    fc.assert(
      fc.property(word, word, fc.option(fc.integer({ min: 1, max: 999_999_999 })), (path, run, attempt) => {
        expect(read(links.ciRun('jenkins', path, run, attempt))).toEqual({
          provider: 'jenkins',
          path,
          run,
          attempt,
          unread: null,
        })
      }),
    )
  })

  test.each([
    ['github/acme/shop/77', ['github', 'acme/shop', '77', null]],
    ['github/acme/shop/77/2', ['github', 'acme/shop', '77', 2]],
    ['github/acme%252Fshop/77/2', ['github', 'acme/shop', '77', 2]],
    ['gitlab/a/b/c/77', ['gitlab', 'a/b/c', '77', null]],
    ['GitHub/acme%2fshop/77/', ['github', 'acme/shop', '77', null]],
    ['github//acme%2Fshop//77', ['github', 'acme/shop', '77', null]],
    ['github/100%/77', ['github', '100%', '77', null]],
  ])('%s is understood although it is not as we write it', (path, [provider, project, run, attempt]) => {
    expect(parseCiAddress(path)).toEqual({ provider, path: project, run, attempt, unread: null })
  })

  test.each(['latest', '0', '-1', '1.5', '99999999999'])(
    'with the attempt %s names none, and says so',
    (attempt) => {
      expect(parseCiAddress(`github/acme%2Fshop/77/${attempt}`)).toMatchObject({
        attempt: null,
        unread: attempt,
      })
    },
  )

  test.each(['', '/', 'github', 'github/acme%2Fshop', 'github/%20/77', '///'])(
    'that is cut short (%s) names no run',
    (path) => {
      expect(parseCiAddress(path)).toBeNull()
    },
  )

  test('is read without a throw, whatever is asked for', () => {
    fc.assert(fc.property(fc.string(), (path) => void parseCiAddress(path)))
  })
})
