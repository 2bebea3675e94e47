import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readBody, readJson } from './body'
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
    expect(await refused(readBody(post(new Uint8Array(11)), 10))).toBe('too-large')
    expect(
      await refused(readBody(post(gzipSync(new Uint8Array(5000)), { 'content-encoding': 'gzip' }), 1000)),
    ).toBe('too-large')
    expect((await readBody(post(new Uint8Array(10)), 10)).length).toBe(10)
  })

  test('that announces more than the limit is refused unread', async () => {
    let pulled = 0
    const stream = new ReadableStream({ pull: () => void (pulled += 1) }, { highWaterMark: 0 })
    expect(await refused(readBody(post(stream, { 'content-length': '999' }), 10))).toBe('too-large')
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
