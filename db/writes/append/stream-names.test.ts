import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { Transcript } from '../../seed/transcript'
import { forgetEverything, storedContent } from '../../testing/content'
import { testDb, type TestDb } from '../../testing/test-db'
import { ingestBody } from '../ingest'
import { MissingStreamError } from '../receive/name-stream'
import { ensureProject } from '../../projects'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb({ max: 8 })
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterEach(() => forgetEverything(db))
afterAll(() => db.close())

const lines = new Transcript({ sessionId: '0a0a0a0a-0000-4000-8000-000000000001' })
  .user('go')
  .call('Bash', { command: 'false' }, { fails: 'Exit code 1' })
  .says('done').lines
const LINE = Buffer.from(`${lines[0]}\n`)

const take = (bytes: Uint8Array, more: { streamId?: string; offset?: number; more?: boolean } = {}) =>
  ingestBody(db, {
    projectId,
    source: null,
    kind: 'claude-transcript',
    bytes: Uint8Array.from(bytes),
    ...more,
  })

/** Numbers that look random and are the same in each run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Lines of one length, each with a record of its own. */
const record = (n: number): string =>
  `${JSON.stringify({ type: 'user', sessionId: '0a0a0a0a-0000-4000-8000-000000000002', uuid: `u-${n}`, message: { role: 'user', content: 'go' } })}\n`
const records = (...numbers: number[]): Buffer => Buffer.from(numbers.map(record).join(''))

test('a body that contradicts its stream and the variant of its own name is one more variant, and is found again', async () => {
  await take(records(1, 2, 3, 4), { streamId: 'a' })
  const other = records(5, 6)
  const variant = await take(other, { streamId: 'a' })
  expect(variant.streamId).toMatch(/^a~/)
  const offset = records(1).length
  const shifted = await take(other, { streamId: 'a', offset })
  expect(shifted.streamId).toBe(`${variant.streamId}-2`)
  const again = await take(other, { streamId: 'a', offset })
  expect(again.streamId, 'the same body finds it again').toBe(shifted.streamId)
  expect(await take(other, { streamId: 'a' })).toMatchObject({ streamId: variant.streamId, accepted: 0 })
})

test('a variant whose name somebody gave to another stream gets another name', async () => {
  await take(records(1, 2, 3), { streamId: 'a' })
  const other = records(5, 6)
  const { streamId: name } = await take(other, { streamId: 'a' })
  await forgetEverything(db)
  await take(records(7, 8, 9), { streamId: name! })
  await take(records(1, 2, 3), { streamId: 'a' })
  expect(await take(other, { streamId: 'a' })).toMatchObject({ accepted: 2, streamId: `${name}-2` })
})

test.each([1, 2, 3, 4])(
  'no combination of stream, offset and "more follows" is refused, in turn or at once (seed %i)',
  async (seed) => {
    const random = randomFrom(seed)
    const names = ['a', 'b']
    const bodies = [LINE, ...lines.slice(1).map((line) => Buffer.from(`${line}\n`))]
    bodies.push(
      Buffer.concat(bodies),
      Buffer.concat(bodies).subarray(0, -20),
      Buffer.from('{"torn'),
      LINE.subarray(0, 40),
    )
    const offsets = [0, 0, 1, 40, LINE.length, LINE.length + bodies[1]!.length, 5_000]
    const one = async (): Promise<void> => {
      const named = random(4) > 0
      const more = {
        ...(named && { streamId: names[random(names.length)]! }),
        ...(random(2) > 0 && { offset: offsets[random(offsets.length)]! }),
        more: random(3) === 0,
      }
      const answer = await take(bodies[random(bodies.length)]!, more).catch((error: unknown) => {
        // Said so in words: the only combination that has no meaning.
        if (error instanceof MissingStreamError && more.streamId === undefined && more.offset) return null
        throw error
      })
      if (answer?.streamId != null && names.length < 12 && !names.includes(answer.streamId))
        names.push(answer.streamId)
    }
    for (let n = 0; n < 60; n++) await one()
    for (let n = 0; n < 10; n++) await Promise.all(Array.from({ length: 6 }, one))
    expect((await storedContent(db)).events.length).toBeGreaterThan(0)
  },
)
