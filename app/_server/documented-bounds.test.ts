import { DIFFERENCE_KINDS } from '@/lib/model/parity'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as fixesOf from '@/app/api/v1/executions/[id]/fixes/route'
import * as ingest from '@/app/api/v1/ingest/[kind]/route'
import { openApi } from '@/lib/api/operations/openapi'
import { OPERATIONS } from '@/lib/api/operations/all'
import { links } from '@/lib/links'
import { type ReadRequest, seedReadRequests } from './testing/read-requests'
import { ask, openWorld, type World } from './test-support'

let world: World
let requests: ReadRequest[]
let key: string
beforeAll(async () => {
  world = await openWorld()
  requests = await seedReadRequests(world)
  key = await world.key(['ingest', 'read'])
})
afterAll(() => world.close())

interface Schema {
  type?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  enum?: string[]
  pattern?: string
  format?: string
}
interface Parameter {
  name: string
  in: string
  required: boolean
  schema: Schema
}

const document = openApi('0', 'http://127.0.0.1').paths as Record<
  string,
  Record<string, { parameters: Parameter[] }>
>
const parametersOf = (method: string, path: string, place: string): Parameter[] =>
  document[path]![method]!.parameters.filter((one) => one.in === place)

/** A value that a pattern allows, and one that it does not. */
const OF_PATTERN: Record<string, [good: string, bad: string]> = {
  kind: [DIFFERENCE_KINDS.slice(0, 2).join(','), `${DIFFERENCE_KINDS[0]},nonsense`],
  severity: ['critical', 'nonsense'],
  around: [`${'0'.repeat(64)}:0-1`, '0:0-1'],
  cell: ['policies.retriable.failed', 'policies.retriable'],
  'Idempotency-Key': ['a-key', 'a key'],
  sha256: ['0'.repeat(64), '0'.repeat(63)],
}
/** Wide characters are encoded with nine, the most that a UTF-16 unit takes. */
const text = (length: number, { in: place }: Parameter): string =>
  place === 'header' && length % 9 === 0 ? '%E2%82%AC'.repeat(length / 9) : 'x'.repeat(length)

/** Values at the bounds of a parameter, and just beyond them. */
function valuesOf(parameter: Parameter): { good: string[]; bad: string[] } {
  const { name, schema } = parameter
  const good: string[] = []
  const bad: string[] = []
  if (schema.type === 'integer') {
    good.push(String(schema.minimum), String(schema.maximum))
    bad.push(String(schema.minimum! - 1), String(schema.maximum! + 1), '1.5', 'x')
  }
  if (schema.enum) {
    good.push(...schema.enum)
    bad.push('no-such-value')
  }
  if (schema.pattern !== undefined && schema.format === undefined) {
    good.push(OF_PATTERN[name]![0])
    bad.push(OF_PATTERN[name]![1])
  }
  if (schema.format === 'uuid') {
    good.push('0199a000-0000-7000-8000-000000000000')
    bad.push('0199a000')
  }
  if (schema.maxLength !== undefined) {
    good.push(text(schema.maxLength, parameter))
    bad.push('x'.repeat(schema.maxLength + 1))
  }
  if (schema.minLength !== undefined && parameter.in === 'query') {
    good.push('x'.repeat(schema.minLength))
    bad.push('x'.repeat(schema.minLength - 1))
  }
  return { good, bad }
}

/** Cursors are what an answer gave; which project or record a text names is for 404 to say. */
const isFree = ({ name, schema }: Parameter): boolean =>
  name !== 'cursor' &&
  schema.type === 'string' &&
  Object.keys(schema).every((word) => word === 'type' || word === 'description')

/** What else has to be asked for with a parameter. */
const TOGETHER: Record<string, Record<string, string>> = {
  '/api/v1/parity/executions': { path: '/a', from: 'source', to: 'persisted' },
}
/** The first byte is not behind the last. */
const RANGES = new Set(['start', 'end'])

/** Whether an answer refuses what was asked; a fault is neither. */
async function verdictOf(response: Response): Promise<'refused' | 'taken' | number> {
  await response.body?.cancel()
  return response.status === 400 ? 'refused' : response.status < 500 ? 'taken' : response.status
}
const short = (value: string): string => value.slice(0, 40)

/** Sends every value, and expects that those beyond the bounds alone are refused. */
async function checkBounds(parameter: Parameter, send: (value: string) => Promise<Response>): Promise<void> {
  const { good, bad } = valuesOf(parameter)
  const free = isFree(parameter) ? ['x'.repeat(10_000), '%'] : []
  const told: [string, string | number][] = []
  for (const value of [...bad, ...good, ...free])
    told.push([short(value), await verdictOf(await send(value))])
  expect(told).toEqual([
    ...bad.map((value) => [short(value), 'refused']),
    ...[...good, ...free].map((value) => [short(value), 'taken']),
  ])
}

const reads = OPERATIONS.filter(({ method }) => method === 'get').flatMap(({ path }) =>
  ['query', 'header'].flatMap((place) =>
    parametersOf('get', path, place).map((parameter) => ({ path, name: parameter.name, parameter })),
  ),
)
const requestOf = (path: string): ReadRequest => requests.find(({ operation }) => operation.path === path)!

test.each(reads)('GET $path refuses $name just where the document says', ({ path, parameter }) =>
  checkBounds(parameter, (value) => {
    const { name, in: place } = parameter
    const range: Record<string, string> = RANGES.has(name) ? { start: '0', end: '999999999999999' } : {}
    return requestOf(path).send(
      place === 'header'
        ? { headers: { [name]: value } }
        : { query: { ...TOGETHER[path], ...range, [name]: value } },
    )
  }),
)

test.each(reads.filter(({ parameter }) => parameter.in === 'query'))(
  'GET $path needs $name just where the document says',
  async ({ path, parameter: { name, required } }) => {
    const request = requestOf(path)
    const others = Object.fromEntries(Object.entries(request.query).filter(([key]) => key !== name))
    expect(await verdictOf(await request.send({ only: others }))).toBe(required ? 'refused' : 'taken')
  },
)

const sends = [
  ['/api/v1/ingest/{kind}', 'header'],
  ['/api/v1/executions/{id}/fixes', 'query'],
] as const
test.each(
  sends.flatMap(([path, place]) =>
    parametersOf('post', path, place)
      .filter(({ name }) => name !== 'Content-Encoding')
      .map((parameter) => ({ path, name: parameter.name, parameter })),
  ),
)('POST $path refuses $name just where the document says', ({ path, parameter: { name, ...rest } }) => {
  const { id } = requestOf('/api/v1/executions/{id}').params as { id: string }
  return checkBounds({ name, ...rest }, (value) =>
    path.startsWith('/api/v1/ingest')
      ? ask(ingest.POST, links.api.ingest('claude-transcript'), {
          method: 'POST',
          key,
          params: { kind: 'claude-transcript' },
          // An offset is one in a stream.
          headers: { ...(name === 'Inquest-Offset' && { 'Inquest-Stream': 'one' }), [name]: value },
          body: '{}\n',
        })
      : ask(fixesOf.POST, links.api.executionFixes(id, { [name]: value }), {
          method: 'POST',
          key,
          params: { id },
          body: '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-old\n+new\n',
        }),
  )
})
