import { unstable_doesMiddlewareMatch as matches } from 'next/experimental/testing/server.js'
import { NextRequest } from 'next/server'
import { describe, expect, test } from 'vitest'
import nextConfig from '../../next.config.mjs'
import { config, proxy } from '../../proxy'

const matched = (url: string): boolean => matches({ config, nextConfig, url: `http://127.0.0.1${url}` })

describe('the page policy', () => {
  test.each([
    '/',
    '/executions',
    '/executions/0199',
    '/x/toolu_1',
    '/settings/keys',
    '/sign-in?link=a',
    '/problems/store-down',
    '/apiary',
    '/fixes/0199',
  ])('covers the page %s', (url) => expect(matched(url)).toBe(true))

  test.each([
    '/api/v1/ingest/claude-transcript',
    '/api/hooks/claude-code',
    '/mcp',
    '/receipts',
    '/healthz',
    '/readyz',
    '/metrics',
    '/_next/static/a.js',
    '/fixes/0199.patch',
  ])('leaves out %s, where a body or a file must pass whole', (url) => expect(matched(url)).toBe(false))

  test('lets only scripts with the nonce of this very answer run', async () => {
    const ask = async (): Promise<string> =>
      (await proxy(new NextRequest('http://127.0.0.1/'))).headers.get('content-security-policy') ?? ''
    const [one, two] = [await ask(), await ask()]
    expect(one).toMatch(/script-src 'self' 'nonce-[A-Za-z0-9+/]{24}' 'strict-dynamic';/)
    expect(one).not.toBe(two)
    expect(one).not.toMatch(/unsafe-eval|https?:/)
    expect(one.match(/unsafe-inline/g)).toHaveLength(1)
    for (const rule of [
      "default-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
      "style-src-attr 'unsafe-inline'",
    ]) {
      expect(one.split('; ')).toContain(rule)
    }
  })
})
