import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as fixes from '@/app/api/v1/executions/[id]/fixes/route'
import * as chainsOf from '@/app/api/v1/executions/[id]/receipt-chains/route'
import * as sample from '@/app/api/v1/sample/route'
import { formatCursor } from '@/db/queries/cursor'
import { OPERATIONS } from '@/lib/api/operations/all'
import { ask, openWorld, type World } from './test-support'

/** Lists by their operation, with the name in their cursors and the kinds of its keys. */
const LISTS: Record<string, [name: string, ...keys: (keyof typeof BAD)[]]> = {
  '/api/v1/cause-corrections': ['cause-corrections', 'uuid'],
  '/api/v1/executions': ['', 'time', 'uuid'],
  '/api/v1/executions/{id}/calls': ['calls', 'int'],
  '/api/v1/executions/{id}/changes': ['changes', 'int'],
  '/api/v1/executions/{id}/events': ['events', 'int'],
  '/api/v1/fixes': ['fixes', 'time', 'uuid'],
  '/api/v1/fixes/{id}/files': ['fix-files', 'int'],
  '/api/v1/fixes/{id}/flags': ['fix-flags', 'int'],
  '/api/v1/parity/executions': ['parity', 'time', 'uuid'],
  '/api/v1/receipt-chains/receipts': ['receipts', 'bigint', 'text', 'uuid'],
}

const UUID = '0199a000-0000-7000-8000-000000000000'
/** Keys that look right or nearly so, and that no row has or could have. */
const BAD = {
  time: [
    '2026-02-30T00:00:00.000Z',
    '2026-13-01T00:00:00.000Z',
    '2026-01-01T24:00:00.000Z',
    '2026-01-01T99:99:99.999Z',
    '0000-01-01T00:00:00.000Z',
    '999999-01-01T00:00:00.000Z',
    '+12026-01-01T00:00:00.000Z',
    '-infinity',
    'now',
    '2026-01-01T00:00:00.000Z\0',
  ],
  uuid: ['', 'x', `${UUID}0`, 'g199a000-0000-7000-8000-000000000000', 7],
  int: [2 ** 31, 2 ** 53, Number.MAX_SAFE_INTEGER, 1e300, -2, -(2 ** 40), 1.5, '1', 'x'],
  bigint: ['9223372036854775808', '99999999999999999999', '-1', '1.5', 'x', ''],
  text: ['a\0b'],
} as const
const GOOD = { time: '2026-01-01T00:00:00.000Z', uuid: UUID, int: 0, bigint: '1', text: 'x' } as const

const raw = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const badCursors = ([name, ...kinds]: (typeof LISTS)[string]): string[] => {
  const spell = (keys: readonly (string | number)[]): string =>
    name === '' ? raw(keys) : formatCursor(name, ...keys)
  const good = kinds.map((kind) => GOOD[kind])
  return [
    'x',
    '!',
    'null',
    '%00',
    'a\0b',
    raw(null),
    raw({}),
    raw([]),
    raw([name, ...good, 1]),
    raw(['another', ...good]),
    Buffer.from([0xff, 0xfe, 0]).toString('base64url'),
    ...kinds.flatMap((kind, i) => BAD[kind].map((bad) => spell(good.with(i, bad as never)))),
    spell([]),
  ]
}

let world: World
let key: string
let params: Record<string, string>
let chain: string
beforeAll(async () => {
  world = await openWorld()
  key = await world.key(['ingest', 'read', 'write'])
  const loaded = await ask(sample.POST, '/api/v1/sample', {
    method: 'POST',
    cookie: await world.cookie('admin'),
  })
  const { executions } = (await loaded.json()) as { executions: { id: string }[] }
  for (const { id } of executions) {
    const answer = await ask(chainsOf.GET, `/api/v1/executions/${id}/receipt-chains`, { key, params: { id } })
    const { items } = (await answer.json()) as { items: { id: string }[] }
    if (items[0]) chain = items[0].id
  }
  const { id } = executions[0]!
  const proposed = await ask(fixes.POST, `/api/v1/executions/${id}/fixes`, {
    method: 'POST',
    key,
    params: { id },
    body: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n',
  })
  const { fix } = (await proposed.json()) as { fix: { id: string } }
  params = { executions: id, fixes: fix.id }
})
afterAll(() => world.close())

const app = path.resolve(import.meta.dirname, '..')
const handlerOf = async (operation: string): Promise<unknown> =>
  (
    (await import(
      path.join(app, operation.replaceAll('{', '[').replaceAll('}', ']').slice(1), 'route.ts')
    )) as Record<string, unknown>
  ).GET

describe('a cursor that is not one', () => {
  test('is tried on every list that has one', () => {
    expect(readdirSync(app)).toContain('api')
    const paged = OPERATIONS.filter(({ query }) => query && 'cursor' in query).map((one) => one.path)
    expect(Object.keys(LISTS).sort()).toEqual(paged.sort())
  })

  test.each(Object.keys(LISTS))('of %s is refused with 400', async (operation) => {
    const handler = await handlerOf(operation)
    const id = params[operation.split('/')[3]!] ?? ''
    const read = async (cursor: string): Promise<number> => {
      const query = new URLSearchParams({ cursor, ...(operation.includes('receipt-') ? { id: chain } : {}) })
      const answer = await ask(handler, `${operation.replace('{id}', id)}?${query}`, { key, params: { id } })
      await answer.body?.cancel()
      return answer.status
    }
    const answers: Record<string, number> = {}
    for (const cursor of badCursors(LISTS[operation]!))
      answers[Buffer.from(cursor, 'base64url').toString()] = await read(cursor)
    expect(Object.entries(answers).filter(([, status]) => status !== 400)).toEqual([])
    // The list itself is there, so it was the cursor that was refused.
    expect(await read('')).toBe(200)
  })
})
