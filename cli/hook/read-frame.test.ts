import { createReadStream, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readStdin, toFrame } from './read-frame'

const now = new Date('2026-01-02T03:04:05.678Z')
const framed = (text: string | Buffer): string => toFrame(Buffer.from(text), now).toString('latin1')

describe('a frame', () => {
  test.each([
    ['gets the time it came', '{"a":1}', '{"a":1,"timestamp":"2026-01-02T03:04:05.678Z"}'],
    ['keeps a time of its own', '{"timestamp":"x","a":1}', '{"timestamp":"x","a":1}'],
    ['may be empty', '{ }', '{ "timestamp":"2026-01-02T03:04:05.678Z"}'],
    [
      'becomes one line',
      ' {\r\n "a": "b\\n",\n "c": 12345678901234567890\n}\n',
      '{   "a": "b\\n",  "c": 12345678901234567890 ,"timestamp":"2026-01-02T03:04:05.678Z"}',
    ],
    ['that is torn stays as it is', '{"a":\n1', '{"a":\n1'],
    ['that is a list stays as it is', '[1,\n2]', '[1,\n2]'],
    ['that is text stays as it is', 'warning: x\n', 'warning: x'],
    ['of blanks is none', ' \n\t', ''],
  ])('%s', (_, text, want) => expect(framed(text)).toBe(want))

  test('with bytes that are not UTF-8 stays as it is when it is not JSON', () => {
    const bytes = Buffer.from([0x7b, 0xff, 0x00, 0xfe])
    expect(toFrame(bytes, now).equals(bytes)).toBe(true)
  })

  test('of any JSON object is one line that reads the same, but for the time', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 2), (document, indent) => {
        const text = framed(JSON.stringify(document, null, indent))
        expect(text).not.toContain('\n')
        const { timestamp, ...rest } = JSON.parse(
          toFrame(Buffer.from(JSON.stringify(document, null, indent)), now).toString('utf8'),
        )
        const want = JSON.parse(JSON.stringify(document))
        if (!Object.hasOwn(want, 'timestamp')) {
          expect(timestamp).toBe(now.toISOString())
          expect(Object.assign(Object.create(null), rest)).toEqual(Object.assign(Object.create(null), want))
        }
      }),
    )
  })
})

test('standard input is read to its end, in as many pieces as it takes', async () => {
  const path = join(tmpdir(), `inquest-stdin-${process.pid}`)
  writeFileSync(path, 'x'.repeat(300_000))
  expect((await readStdin(5_000, createReadStream(path))).length).toBe(300_000)
  rmSync(path)
})

test('standard input that stays open is waited for only so long, and what came is kept', async () => {
  const stdin = new PassThrough()
  stdin.write('abc')
  expect((await readStdin(50, stdin)).toString()).toBe('abc')
})
