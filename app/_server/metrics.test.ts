import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import * as nothing from '@/app/api/[...path]/route'
import * as betterAuth from '@/app/api/auth/[...all]/route'
import * as execution from '@/app/api/v1/executions/[id]/route'
import * as oneTimeLink from '@/app/api/v1/one-time-links/[token]/route'
import * as sharedPatch from '@/app/api/v1/shared-patches/[token]/route'
import * as metricsRoute from '@/app/metrics/route'
import nextConfig from '../../next.config.mjs'
import { countRequest, metrics } from './metrics'
import { PEER_HEADER } from './config'
import { ask, openWorld, type World } from './test-support'

const TOKEN = 'a-token-for-the-monitoring'

let world: World
beforeAll(async () => void (world = await openWorld()))
afterEach(() => vi.unstubAllEnvs())
afterAll(() => world.close())

const read = async (how: { cookie?: string; key?: string } = {}): Promise<number> =>
  (await ask(metricsRoute.GET, '/metrics', how)).status

describe('reading metrics', () => {
  test('needs the token of the setting, or an instance admin', async () => {
    vi.stubEnv('INQUEST_METRICS_TOKEN', TOKEN)
    expect(await read({ key: TOKEN })).toBe(200)
    expect(await read({ cookie: await world.cookie(null, { globalAdmin: true }) })).toBe(200)
    expect(await read()).toBe(401)
    expect(await read({ key: `${TOKEN}x` })).toBe(401)
    expect(await read({ key: await world.key(['read', 'write', 'ingest']) })).toBe(403)
    for (const role of ['viewer', 'operator', 'reviewer', 'admin'] as const)
      expect(await read({ cookie: await world.cookie(role) }), role).toBe(403)
  })

  test('is off for all but instance admins without the setting', async () => {
    for (const token of [undefined, '']) {
      vi.stubEnv('INQUEST_METRICS_TOKEN', token)
      expect(await read({ key: TOKEN })).toBe(401)
      expect(await read({ key: '' })).toBe(401)
      expect(await read()).toBe(401)
      expect(await read({ cookie: await world.cookie(null, { globalAdmin: true }) })).toBe(200)
    }
  })

  test('by the token asks the database nothing', async () => {
    vi.stubEnv('INQUEST_METRICS_TOKEN', TOKEN)
    vi.stubEnv('DATABASE_URL', '') // asking for the database would throw
    expect(await read({ key: TOKEN })).toBe(200)
    expect(await read({ key: `${TOKEN}x` })).toBe(500)
  })
})

describe('labels', () => {
  const SECRET = '0199cafe-7e57-7000-8000-5ec2e7000001'

  /** The route file that an address of a rewrite leads to. */
  const moduleOf = async (destination: string): Promise<Record<string, unknown>> => {
    const file = destination.replaceAll(/:(\w+)/g, '[$1]')
    return (await import(path.join(import.meta.dirname, '..', file, 'route.ts'))) as Record<string, unknown>
  }

  test('of addresses that are rewritten are the routes they lead to', async () => {
    const rewrites = (await nextConfig.rewrites!()) as {
      beforeFiles: { source: string; destination: string }[]
    }
    expect(rewrites.beforeFiles.length).toBeGreaterThan(5)
    for (const { source, destination } of rewrites.beforeFiles) {
      const address = source.replaceAll(/:\w+\([^)]+\)/g, SECRET)
      expect(address).not.toContain(':')
      const name = /:(\w+)/.exec(destination)![1]!
      const route = await moduleOf(destination)
      await (await ask(route.GET, address, { params: { [name]: SECRET } })).body?.cancel()
      const text = await metrics().registry.metrics()
      expect(text).toContain(`route="${destination.replaceAll(/:(\w+)/g, '{$1}')}"`)
      expect(text, source).not.toContain(SECRET)
    }
  })

  test('do not grow with what is asked for', async () => {
    const asked = async (n: number): Promise<void> => {
      const name = `made-up-${n}-${'x'.repeat(50)}`
      await ask(nothing.GET, `/api/${name}`, { params: { path: [name] } })
      await ask(nothing.POST, `/api/${name}/${name}`, { method: 'POST', params: { path: [name, name] } })
      await ask(betterAuth.GET, `/api/auth/${name}`, { params: { all: [name] } })
      await ask(execution.GET, `/api/v1/executions/${name}`, { params: { id: name } })
      await ask(execution.GET, `/api/v1/executions/${name}`, { params: { id: name }, key: `inq_${name}` })
      // From addresses of their own: one that tries too many links is answered 429 from then on.
      const from = (network: string) => ({ [PEER_HEADER]: `${network}.${n}` })
      await ask(sharedPatch.GET, `/shared/${name}.patch`, {
        params: { token: name },
        headers: from('192.0.2'),
      })
      await ask(oneTimeLink.GET, `/api/v1/one-time-links/${name}`, {
        params: { token: name },
        headers: from('198.51.100'),
      })
      countRequest('/healthz', `M${n}`, 200, 0)
      countRequest('/healthz', 'GET', 560 + (n % 40), 0)
      await ask(metricsRoute.GET, '/metrics', { key: name })
    }
    const lines = async (): Promise<number> => (await metrics().registry.metrics()).split('\n').length
    await asked(0)
    const before = await lines()
    for (let n = 1; n <= 100; n += 1) await asked(n)
    expect(await lines()).toBe(before)
    expect(await metrics().registry.metrics()).not.toContain('made-up')
  })
})
