import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { thrownProblems } from '@/scripts/api/thrown-problems'
import { PROBLEMS, type ProblemSlug } from '../problem'
import { OPERATIONS } from './operations/all'
import { openApi } from './operations/openapi'
import { ownProblems, problemsOf } from './problem-answers'

const root = path.resolve(import.meta.dirname, '../..')
const files = readdirSync(path.join(root, 'app'), { recursive: true, encoding: 'utf8' })
  .filter((file) => path.basename(file) === 'route.ts')
  .map((file) => path.posix.join('app', file))
const thrown = thrownProblems(root, files)

/** What `defineRoute` answers for every handler, so that no handler throws it for itself. */
const OF_THE_WRAPPER = new Set<string>([
  'bad-request',
  'bad-cursor',
  'not-signed-in',
  'not-allowed',
  'wrong-origin',
  'cannot-store',
  'too-slow',
  'busy',
  'store-down',
  'internal',
])

const named = OPERATIONS.map((one) => [`${one.method} ${one.path}`, one] as const)

test.each(named)('%s declares the problems that its handler throws, and no others', (_name, operation) => {
  const file = `app${operation.path.replaceAll('{', '[').replaceAll('}', ']')}/route.ts`
  const throws = thrown.get(`${operation.method.toUpperCase()} ${file}`)
  expect(throws, `${file} was read`).toBeDefined()
  const declared = problemsOf(operation)
  expect(declared).toEqual(expect.arrayContaining([...throws!]))
  const own = (slugs: Iterable<string>): string[] =>
    [...slugs].filter((one) => !OF_THE_WRAPPER.has(one)).sort()
  expect(own(declared)).toEqual(own(throws!))
})

test('no declaration outlives its operation', () => {
  expect(ownProblems().filter((one) => !named.some(([name]) => name === one))).toEqual([])
})

test('what a handler throws through other modules is found', () => {
  expect(thrown.size).toBeGreaterThan(70)
  expect(thrown.get('POST app/api/v1/ingest/[kind]/route.ts')).toContain('key-reused')
  expect(thrown.get('GET app/healthz/route.ts')).toEqual(new Set())
})

test('the OpenAPI document lists each problem under its status', () => {
  const { paths } = openApi('1.2.3', 'http://127.0.0.1:4790') as {
    paths: Record<string, Record<string, { responses: Record<string, object> }>>
  }
  for (const [, operation] of named) {
    const { responses } = paths[operation.path]![operation.method]!
    for (const slug of problemsOf(operation))
      expect(JSON.stringify(responses[PROBLEMS[slug as ProblemSlug].status])).toContain(`/problems/${slug}"`)
  }
})
