import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { limits } from '@/lib/limits'
import { bodyBudget, releaseShare } from './admission'
import { checked, HEAD_BYTES, readBody, readJson } from './body'
import { Refusal } from './respond'

const post = (body: BodyInit | null, headers: Record<string, string> = {}): Request =>
  new Request('http://127.0.0.1/x', {
    method: 'POST',
    body,
    headers,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  })

const refused = async (promise: Promise<unknown>): Promise<string> => {
  const outcome = await promise.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(outcome instanceof Refusal)) throw new Error(`not refused: ${String(outcome)}`)
  return outcome.slug
}

const encoders = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }

describe('the body', () => {
  test('arrives byte for byte, whatever the coding and however it is cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 5000 }),
        fc.constantFrom('identity', 'gzip', 'deflate', 'br', 'gzip, br'),
        fc.integer({ min: 1, max: 700 }),
        fc.boolean(),
        async (bytes, coding, step, announced) => {
          const sent = coding
            .split(', ')
            .reduce<Uint8Array>(
              (value, one) => (one === 'identity' ? value : encoders[one as 'gzip'](value)),
              bytes,
            )
          const stream = new ReadableStream({
            start(controller) {
              for (let at = 0; at < sent.length; at += step) controller.enqueue(sent.slice(at, at + step))
              controller.close()
            },
          })
          const headers = {
            'content-encoding': coding,
            ...(announced ? { 'content-length': String(sent.length) } : {}),
          }
          expect(Buffer.from(await readBody(post(stream, headers))).equals(Buffer.from(bytes))).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })

  test('that is over the limit is refused, before and after decoding', async () => {
    expect(await refused(readBody(post(new Uint8Array(11)), { max: 10 }))).toBe('too-large')
    expect(
      await refused(
        readBody(post(gzipSync(new Uint8Array(5000)), { 'content-encoding': 'gzip' }), { max: 1000 }),
      ),
    ).toBe('too-large')
    expect((await readBody(post(new Uint8Array(10)), { max: 10 })).length).toBe(10)
  })

  test('that announces more than the limit is refused unread', async () => {
    let pulled = 0
    const stream = new ReadableStream({ pull: () => void (pulled += 1) }, { highWaterMark: 0 })
    expect(await refused(readBody(post(stream, { 'content-length': '999' }), { max: 10 }))).toBe('too-large')
    expect(pulled).toBe(0)
  })

  test('that is shorter or longer than announced is refused', async () => {
    const streamOf = (bytes: number) =>
      new ReadableStream({
        start(c) {
          c.enqueue(new Uint8Array(bytes))
          c.close()
        },
      })
    expect(await refused(readBody(post(streamOf(9), { 'content-length': '10' })))).toBe('bad-request')
    expect(await refused(readBody(post(streamOf(11), { 'content-length': '10' })))).toBe('bad-request')
  })

  test('that unfolds like a bomb is refused', async () => {
    const bomb = gzipSync(new Uint8Array(64 * 1024 * 1024))
    expect(await refused(readBody(post(bomb, { 'content-encoding': 'gzip' })))).toBe('ratio-exceeded')
  })

  test('that cannot be of use is refused after its first part, and the rest is not read', async () => {
    let pulled = 0
    const stream = new ReadableStream<Uint8Array>(
      { pull: (c) => void ((pulled += 1), c.enqueue(new Uint8Array(64 * 1024).fill(120))) },
      { highWaterMark: 0 },
    )
    const shown: number[] = []
    const onHead = (head: Uint8Array): void => {
      shown.push(head.length)
      throw new Refusal('unknown-format')
    }
    expect(await refused(readBody(post(stream), { onHead }))).toBe('unknown-format')
    expect(shown).toEqual([HEAD_BYTES])
    expect(pulled).toBeLessThanOrEqual(HEAD_BYTES / (64 * 1024) + 1)
  })

  test('shows its head once also when it is short, empty, or encoded', async () => {
    for (const [body, headers] of [
      ['{"a":1}', {}],
      ['', {}],
      [gzipSync('{"a":1}'), { 'content-encoding': 'gzip' }],
    ] as const) {
      const shown: string[] = []
      const onHead = (head: Uint8Array): void => void shown.push(Buffer.from(head).toString())
      const bytes = await readBody(post(body as BodyInit, headers), { onHead })
      expect(shown).toEqual([Buffer.from(bytes).toString()])
    }
  })

  test('that is damaged, cut short or in an unknown coding is refused', async () => {
    const whole = gzipSync('{"a":1}'.repeat(1000))
    expect(
      await refused(readBody(post(whole.subarray(0, whole.length - 9), { 'content-encoding': 'gzip' }))),
    ).toBe('bad-encoding')
    expect(await refused(readBody(post('plain', { 'content-encoding': 'gzip' })))).toBe('bad-encoding')
    expect(await refused(readBody(post('plain', { 'content-encoding': 'zstd' })))).toBe('bad-encoding')
  })

  test('as JSON is checked, and the refusal names the field', async () => {
    const schema = z.object({ name: z.string() })
    expect(await readJson(post('{"name":"a"}'), schema)).toEqual({ name: 'a' })
    expect(await refused(readJson(post('{"name":'), schema))).toBe('bad-request')
    await expect(readJson(post('{"name":7}'), schema)).rejects.toThrow(/^name: /)
  })
})

describe('the budget of bodies', () => {
  const MIB = 1024 * 1024
  const filler = new Uint8Array(16 * MIB)
  /** A body that brings so many pieces of 16 MiB and then stops without an end. */
  const unended = (pieces: number): Request =>
    post(
      new ReadableStream<Uint8Array>(
        { pull: (c) => (pieces-- > 0 ? c.enqueue(filler) : new Promise<void>(() => {})) },
        { highWaterMark: 0 },
      ),
    )
  const held = (): number => bodyBudget().held()
  const outcomeOf = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error)

  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  test('is held until the request is answered, decoded bytes included', async () => {
    const before = held()
    const request = post(gzipSync(Buffer.alloc(3 * MIB, 'ab\n'), { level: 1 }), {
      'content-encoding': 'gzip',
    })
    await readBody(request)
    expect(held() - before).toBeGreaterThanOrEqual(3 * MIB)
    releaseShare(request)
    expect(held()).toBe(before)
  })

  test('refuses what does not fit with 503, lets small bodies through, and has everything back afterwards', async () => {
    const before = held()
    const first = unended(15)
    const reading = outcomeOf(readBody(first))
    await vi.waitFor(() => expect(held() - before).toBe(240 * MIB))
    const second = await outcomeOf(readBody(unended(15)))
    expect([(second as Refusal).slug, (second as Refusal).more.headers]).toEqual([
      'busy',
      { 'retry-after': '2' },
    ])
    expect(held() - before).toBe(240 * MIB)
    const small = post('{"frame":1}')
    expect((await readBody(small)).length).toBe(11)
    releaseShare(small)
    await vi.advanceTimersByTimeAsync(limits.bodyProgressSeconds * 2000)
    expect(((await reading) as Refusal).slug).toBe('request-timeout')
    expect(held()).toBe(before)
  })
})

describe('a slow body', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] }))
  afterEach(() => void vi.useRealTimers())

  /** Sends one byte each second, for ever. */
  const trickle = (bytes = 1): Request => {
    let isOpen = true
    return post(
      new ReadableStream<Uint8Array>({
        start: (c) => void setInterval(() => isOpen && c.enqueue(new Uint8Array(bytes)), 1000),
        cancel: () => void (isOpen = false),
      }),
    )
  }

  test('of a small request has a time for the whole', async () => {
    const reading = refused(readBody(trickle(), { max: 64 * 1024 }))
    await vi.advanceTimersByTimeAsync(limits.smallBodySeconds * 1000 + 1000)
    expect(await reading).toBe('request-timeout')
  })

  test('of a large one has to make progress, and may take as long as it does', async () => {
    const stuck = refused(readBody(trickle()))
    await vi.advanceTimersByTimeAsync(limits.bodyProgressSeconds * 1000 + 1000)
    expect(await stuck).toBe('request-timeout')
    let ended = ''
    const steady = refused(readBody(trickle(4096), { max: 2 * 1024 * 1024 })).then((slug) => (ended = slug))
    await vi.advanceTimersByTimeAsync(300_000)
    expect(ended).toBe('')
    await vi.advanceTimersByTimeAsync(300_000)
    expect(await steady).toBe('too-large')
  })
})

test.each<[z.ZodType, unknown, string]>([
  [z.object({ hours: z.int().min(1).max(168) }), { hours: 2160 }, 'hours: at most 168'],
  [z.object({ hours: z.int().min(1).max(168) }), { hours: 0 }, 'hours: at least 1'],
  [z.object({ hours: z.int().min(1).max(168) }), { hours: 0.5 }, 'hours: a whole number'],
  [z.object({ start: z.int().positive() }), { start: 0 }, 'start: more than 0'],
  [z.object({ name: z.string().max(3) }), { name: 'four' }, 'name: at most 3 characters'],
  [z.object({ name: z.string().min(5) }), { name: 'four' }, 'name: at least 5 characters'],
  [z.array(z.string()).max(1), ['a', 'b'], 'body: at most 1 item'],
])('a value out of its bounds is refused with them: %#', (schema, value, detail) =>
  expect(() => checked(schema, value)).toThrow(new Refusal('bad-request', detail)),
)
