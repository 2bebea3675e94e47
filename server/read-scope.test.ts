import { afterEach, beforeEach, expect, test } from 'vitest'
import { look } from '@/app/_pages/look'
import { heedingReader } from './read-scope'
import { listen, type Listener } from './serve'

let listener: Listener
let url: string
beforeEach(async () => {
  listener = await listen('127.0.0.1', 0)
  url = `http://127.0.0.1:${listener.port}/executions`
})
afterEach(() => listener.close())

/** Serves a page that fails the way the read does, and answers as Next does then. */
const servePage = (error: Error): void =>
  listener.open((request, response) =>
    heedingReader(request, response, async () => {
      await look(() => Promise.reject(error)).catch(() => (response.statusCode = 500))
      response.setHeader('content-type', 'text/html')
      response.end('the error page')
    }),
  )
const failing = (code: string): Error => Object.assign(new Error('no'), { code })

test.each([
  ['does not answer', 'STORE_AWAY', '5'],
  ['has no connection left for it', 'POOL_BUSY', '2'],
  ['takes too long', '57014', '10'],
  ['has no room', '53100', '30'],
])(
  'a page that fails because the database %s is a 503 with its error page',
  async (_what, code, retryAfter) => {
    servePage(failing(code))
    const answer = await fetch(url)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, retryAfter])
    expect(await answer.text()).toBe('the error page')
  },
)

test('a page that fails for another reason is a 500', async () => {
  servePage(failing('22P02'))
  const answer = await fetch(url)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([500, null])
})
