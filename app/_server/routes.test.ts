import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATIONS } from '@/lib/api/operations/all'
import { type Action, ACTIONS, can, keyCan, type Scope } from '@/lib/auth/permissions'
import { ROLES } from '@/lib/auth/roles'
import { defineRoute, isRoute, type Requirement } from './define-route'
import { ask, openWorld, type World } from './test-support'

const app = path.resolve(import.meta.dirname, '..')
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const walk = (name: string): string[] =>
  readdirSync(app, { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === name)
    .sort()

interface Found {
  file: string
  method: string
  requirement: Requirement
  handler: unknown
}

/** Every handler of a route module; one that was not made by `defineRoute` is named as a fault. */
function handlersOf(file: string, module: Record<string, unknown>): { found: Found[]; faults: string[] } {
  const found: Found[] = []
  const faults: string[] = []
  for (const method of METHODS.filter((one) => one in module)) {
    const handler = module[method]
    if (isRoute(handler)) found.push({ file, method, requirement: handler.requirement, handler })
    else faults.push(`${file} ${method} declares no requirement`)
  }
  if (found.length + faults.length === 0) faults.push(`${file} has no handler`)
  return { found, faults }
}

const paramsOf = (file: string): Record<string, string | string[]> =>
  Object.fromEntries(
    [...file.matchAll(/\[(\.\.\.)?(\w+)\]/g)].map(([, rest, name]) => {
      const value =
        name === 'sha256'
          ? '0'.repeat(64)
          : name === 'kind'
            ? 'claude-transcript'
            : '0199a000-0000-7000-8000-000000000000'
      return [name!, rest ? [value] : value]
    }),
  )

const files = walk('route.ts')
const modules = await Promise.all(
  files.map(async (file) => [file, (await import(path.join(app, file))) as Record<string, unknown>] as const),
)
const all = modules.map(([file, module]) => handlersOf(file, module))
const handlers = all.flatMap((one) => one.found)
const guarded = handlers.flatMap((one) =>
  'action' in one.requirement
    ? [{ ...one, action: one.requirement.action, label: `${one.method} ${one.file}` }]
    : [],
)

let world: World
beforeAll(async () => void (world = await openWorld()))
afterAll(() => world.close())

const statusOf = async (
  one: Found,
  how: { cookie?: string; key?: string },
): Promise<{ status: number; type: string }> => {
  const response = await ask(one.handler, `/${path.dirname(one.file)}`, {
    method: one.method,
    params: paramsOf(one.file),
    ...how,
  })
  await response.body?.cancel()
  return { status: response.status, type: response.headers.get('content-type') ?? '' }
}

describe('every route', () => {
  test('declares what it requires', () => {
    expect(files.length).toBeGreaterThan(20)
    expect(all.flatMap((one) => one.faults)).toEqual([])
  })

  test('that declares nothing would be found', () => {
    const planted = {
      GET: async () => new Response('secret'),
      POST: Object.assign(async () => new Response(), { requirement: { action: 'read' } }),
    }
    expect(handlersOf('planted/route.ts', planted).faults).toEqual([
      'planted/route.ts GET declares no requirement',
      'planted/route.ts POST declares no requirement',
    ])
    expect(handlersOf('empty/route.ts', { dynamic: 'force-dynamic' }).faults).toEqual([
      'empty/route.ts has no handler',
    ])
    expect(
      isRoute(defineRoute('/x', { action: 'no-such-action' as Action }, async () => new Response())),
    ).toBe(false)
    expect(isRoute(defineRoute('/x', { public: '' }, async () => new Response()))).toBe(false)
    expect(isRoute(defineRoute('/x', { own: '' }, async () => new Response()))).toBe(false)
  })

  test('has the place of its file as the label that metrics use', () => {
    const place = (file: string): string =>
      `/${path.dirname(file)}`.replaceAll(/\[(?:\.\.\.)?(\w+)\]/g, '{$1}')
    expect(handlers.map((one) => `${one.method} ${(one.handler as { label: string }).label}`)).toEqual(
      handlers.map((one) => `${one.method} ${place(one.file)}`),
    )
  })

  test('that checks by itself who asks is on this list', () => {
    expect(
      handlers
        .filter((one) => 'own' in one.requirement)
        .map((one) => `${one.method} ${path.dirname(one.file)}`),
    ).toEqual(['GET metrics'])
  })

  test('that needs no one is on this list', () => {
    expect(
      handlers
        .filter((one) => 'public' in one.requirement)
        .map((one) => `${one.method} ${path.dirname(one.file)}`)
        .sort(),
    ).toEqual([
      'DELETE api/[...path]',
      'GET api/[...path]',
      'GET api/auth/[...all]',
      'GET api/v1/one-time-links/[token]',
      'GET api/v1/openapi.json',
      'GET api/v1/shared-patches/[token]',
      'GET healthz',
      'GET readyz',
      'PATCH api/[...path]',
      'POST api/[...path]',
      'POST api/auth/[...all]',
      'POST api/v1/one-time-links/[token]',
      'PUT api/[...path]',
    ])
  })

  test.each(guarded)('$label turns away who is not known', async (one) => {
    expect(await statusOf(one, {})).toEqual({ status: 401, type: 'application/problem+json; charset=utf-8' })
    expect((await statusOf(one, { key: 'inq_made-up' })).status).toBe(401)
    expect((await statusOf(one, { cookie: 'inquest.session_token=made.up' })).status).toBe(401)
  })

  test.each(guarded)(
    '$label refuses every role that is too weak, and someone without a role',
    async (one) => {
      const weak = ROLES.filter((role) => !can(role, one.action))
      for (const role of [null, ...weak]) {
        expect(await statusOf(one, { cookie: await world.cookie(role) }), String(role)).toEqual({
          status: 403,
          type: 'application/problem+json; charset=utf-8',
        })
      }
      expect(weak).toEqual(ROLES.slice(0, ROLES.indexOf(ACTIONS[one.action])))
    },
  )

  test.each(guarded)('$label refuses every key without its scope', async (one) => {
    const wrong = (['ingest', 'read', 'write'] as Scope[]).filter((scope) => !keyCan([scope], one.action))
    for (const scope of wrong)
      expect((await statusOf(one, { key: await world.key([scope]) })).status, scope).toBe(403)
    expect(wrong.length).toBeGreaterThan(0)
  })

  test.each(guarded)('$label lets the right role in', async (one) => {
    expect([401, 403]).not.toContain(
      (await statusOf(one, { cookie: await world.cookie(ACTIONS[one.action], { globalAdmin: true }) }))
        .status,
    )
    expect([401, 403]).not.toContain(
      (await statusOf(one, { cookie: await world.cookie(null, { globalAdmin: true }) })).status,
    )
  })
})

test('the OpenAPI document names every route and what it needs, and no route that is not there', () => {
  const hidden = /^api\/(\[\.\.\.path\]|auth\/\[\.\.\.all\])$/
  const needs = (requirement: Requirement): string =>
    'action' in requirement ? requirement.action : 'own' in requirement ? 'own' : 'public'
  const routes = handlers
    .filter((one) => !hidden.test(path.dirname(one.file)))
    .map((one) => {
      const address = `/${path.dirname(one.file)}`.replaceAll('[', '{').replaceAll(']', '}')
      return `${one.method} ${address} ${needs(one.requirement)}`
    })
  expect(
    OPERATIONS.map(
      (one) =>
        `${one.method.toUpperCase()} ${one.path} ${one.action ?? (one.needs === undefined ? 'public' : 'own')}`,
    ).sort(),
  ).toEqual(routes.sort())
})

describe('every page', () => {
  const OPEN = /^(sign-in|problems\/\[slug\])\/page\.tsx$/
  const asks = (source: string): boolean => /\bawait (look\(\(\) => )?pageAccess\(/.test(source)

  test('asks who reads it, but for signing in and the pages of problems', () => {
    const pages = walk('page.tsx')
    const without = pages.filter(
      (file) => !OPEN.test(file) && !asks(readFileSync(path.join(app, file), 'utf8')),
    )
    expect(without).toEqual([])
  })

  test('that does not ask would be found', () => {
    expect(asks('export default async function Page() { return <List /> }')).toBe(false)
    expect(asks("const { projects } = await pageAccess('admin')")).toBe(true)
  })

  test('runs no server functions, which would be routes without a requirement', () => {
    const sources = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter(
      (file) => /[.]tsx?$/.test(file) && !file.includes('.test.'),
    )
    expect(
      sources.filter((file) => /^\s*['"]use server['"]/m.test(readFileSync(path.join(app, file), 'utf8'))),
    ).toEqual([])
  })
})
