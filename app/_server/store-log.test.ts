import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { logOfAuth } from './auth-log'
import { defineRoute } from './define-route'
import { log } from './log'

const isAway = vi.fn(() => false)
/** Where `db.ts` keeps its pool. */
const KEY = Symbol.for('inquest.db')
const holder = globalThis as { [KEY]?: unknown }

const down = (): Error => Object.assign(new Error('The database is not responding'), { code: 'STORE_AWAY' })
const route = defineRoute('/x', { public: 'a test' }, () => Promise.reject(down()))
const ask = (): Promise<Response> =>
  route(new Request('http://inquest.test/x'), { params: Promise.resolve({}) })

let before: unknown
beforeEach(() => {
  before = holder[KEY]
  process.env.DATABASE_URL = 'postgres://inquest.test/x'
  holder[KEY] = { db: { isAway }, url: process.env.DATABASE_URL }
  vi.spyOn(log, 'warn').mockReturnValue(undefined)
  vi.spyOn(log, 'info').mockReturnValue(undefined)
  vi.spyOn(log, 'error').mockReturnValue(undefined)
  vi.useFakeTimers({ toFake: ['performance'], now: 0 })
})
afterEach(() => {
  holder[KEY] = before
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('many requests that meet a database that does not answer are one warning, without a stack', async () => {
  // Later than any failure that another test of this process has logged.
  vi.advanceTimersByTime(1e9)
  for (let n = 0; n < 20; n++) expect((await ask()).status).toBe(503)
  expect(vi.mocked(log.warn).mock.calls).toEqual([
    [{ requestId: expect.any(String), code: 'STORE_AWAY' }, 'the database did not answer'],
  ])
  vi.advanceTimersByTime(60_000)
  await ask()
  expect(log.warn).toHaveBeenCalledTimes(2)
})

test('while it is known to be away a refused request is no warning, and its ID is found', async () => {
  vi.advanceTimersByTime(200_000)
  isAway.mockReturnValue(true)
  await ask()
  expect(log.warn).not.toHaveBeenCalled()
  expect(vi.mocked(log.info).mock.calls).toEqual([
    [{ requestId: expect.any(String), code: 'STORE_AWAY' }, 'the database did not answer'],
  ])
})

test('nor is a session that could not be looked up meanwhile', () => {
  logOfAuth('error', 'INTERNAL_SERVER_ERROR', new Error('Failed query', { cause: down() }))
  expect(log.error).not.toHaveBeenCalled()
  logOfAuth('error', 'INTERNAL_SERVER_ERROR', new Error('another'))
  expect(log.error).toHaveBeenCalledTimes(1)
})
