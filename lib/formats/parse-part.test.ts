import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../limits'
import type { NormalRecord } from '../model/normal-form'
import { parsePart } from './parse-part'
import { splitBody } from '../bytes/record-spans'
import { noise } from '../text/redaction/secret-samples.fixture'
import type { Adapter } from '../model/adapter'

interface Seen {
  session: string
  count: number
}

/** A small adapter: remembers the session, counts records, and fails on demand. */
const adapter: Adapter<Seen> = {
  channel: 'transcript',
  peek: () => ({ sessionId: null, agentId: null }),
  start: () => ({ session: 'none', count: 0 }),
  read(line, context) {
    const r = (
      typeof line.value === 'object' && line.value !== null && !Array.isArray(line.value) ? line.value : null
    ) as Record<string, unknown> | null
    if (r?.['bug'] !== undefined) throw new Error('bug in the adapter')
    if (typeof r?.['s'] === 'string') context.session = r['s']
    if (r !== null) context.count++
    const { offset, length, keptStart, keptEnd, digest } = line
    return {
      offset,
      length,
      keptStart,
      keptEnd,
      identity: typeof r?.['uuid'] === 'string' ? r['uuid'] : digest,
      executionKey: context.session,
      type: r === null ? '' : 'object',
      kind: r === null ? 'odd' : 'text',
      at: null,
      parentUuid: null,
      summary: typeof r?.['m'] === 'string' ? r['m'] : String(context.count),
      ...(r === null ? { oddReason: 'not_an_object' as const } : {}),
      facts:
        r === null
          ? {}
          : {
              title: JSON.stringify(r).length.toString(),
              said: { tail: String(r['m'] ?? ''), span: { start: 0, end: 1 } },
            },
    }
  },
}

const enc = new TextEncoder()
const bytes = (text: string) => enc.encode(text)
const parse = (b: Uint8Array, more: Partial<Parameters<typeof parsePart<Seen>>[0]> = {}) =>
  parsePart<Seen>({
    adapter,
    bytes: b,
    offset: 0,
    context: { session: 'none', count: 0 },
    redact: true,
    final: true,
    ...more,
  })
const odd = (records: NormalRecord[]) => records.map((r) => r.oddReason ?? '')
const deep = (n: number) => `${'{"a":'.repeat(n)}1${'}'.repeat(n)}`

describe('every line becomes one record', () => {
  test('with its place in the original and in the kept bytes', async () => {
    const text = '\ufeff{"s":"x","m":"one"}\r\n\n{"m":"bob@acme.com and ghp_TOKEN"}\nplain\n'.replace(
      'TOKEN',
      noise(36),
    )
    const part = await parse(bytes(text))
    expect(part.records.map((r) => [r.offset, r.length, r.executionKey, r.oddReason])).toEqual([
      [3, 19, 'x', undefined],
      [25, bytes(text).length - 32, 'x', undefined],
      [bytes(text).length - 6, 5, 'x', 'not_json'],
    ])
    const kept = new TextDecoder('utf-8', { ignoreBOM: true }).decode(part.kept)
    expect(kept).toBe('\ufeff{"s":"x","m":"one"}\r\n\n{"m":"[redacted:mail] and [redacted:github]"}\nplain\n')
    expect(
      part.records.map((r) => new TextDecoder().decode(part.kept.subarray(r.keptStart, r.keptEnd))),
    ).toEqual(['{"s":"x","m":"one"}', '{"m":"[redacted:mail] and [redacted:github]"}', 'plain'])
    expect(
      part.marks.map((m) => [m.rule, new TextDecoder().decode(part.kept.subarray(m.byteStart, m.byteEnd))]),
    ).toEqual([
      ['mail', '[redacted:mail]'],
      ['github', '[redacted:github]'],
    ])
    expect(part.records[1]!.summary).toBe('[redacted:mail] and [redacted:github]')
    expect(part.nextOffset).toBe(bytes(text).length)
  })
  test('marks count bytes, not characters', async () => {
    const { kept, marks } = await parse(bytes('{"m":"😀ä bob@acme.com ü eve@acme.com"}\n'))
    expect(marks.map((m) => new TextDecoder().decode(kept.subarray(m.byteStart, m.byteEnd)))).toEqual([
      '[redacted:mail]',
      '[redacted:mail]',
    ])
  })
  test('redaction can be switched off', async () => {
    const b = bytes('{"m":"bob@acme.com"}\n')
    const part = await parse(b, { redact: false })
    expect([part.kept, part.marks]).toEqual([b, []])
  })
  test('the digest is that of the original line', async () => {
    const line = '{"m":"bob@acme.com"}'
    const want = Buffer.from(await crypto.subtle.digest('SHA-256', bytes(line)))
      .toString('hex')
      .slice(0, 32)
    expect((await parse(bytes(`${line}\n`))).records[0]!.identity).toBe(want)
    const large = JSON.stringify({ m: 'x'.repeat(40_000) })
    const wantLarge = Buffer.from(await crypto.subtle.digest('SHA-256', bytes(large)))
      .toString('hex')
      .slice(0, 32)
    expect((await parse(bytes(large))).records[0]!.identity).toBe(wantLarge)
  })
  test('facts hold nothing that a database cannot keep', async () => {
    const { records } = await parse(bytes('{"m":"a\\u0000b\\ud800"}\n'))
    expect(records[0]).toMatchObject({
      kind: 'text',
      summary: 'a␀b\ufffd',
      facts: { said: { tail: 'a␀b\ufffd' } },
    })
  })
  test('the context that was handed in is not touched', async () => {
    const context = { session: 'none', count: 0 }
    const part = await parse(bytes('{"s":"x"}\n'), { context })
    expect([context, part.context]).toEqual([
      { session: 'none', count: 0 },
      { session: 'x', count: 1 },
    ])
  })
})

describe('documents', () => {
  test.each([['  '], [undefined]])('the elements of a list are records (spaced %j)', async (space) => {
    const list = [{ s: 'x', m: 'one' }, { m: 'bob@acme.com' }, 7]
    const text = JSON.stringify(list, null, space)
    const part = await parse(bytes(text))
    expect(odd(part.records)).toEqual(['', '', 'not_an_object'])
    expect(part.records.map((r) => JSON.parse(text.slice(r.offset, r.offset + r.length)))).toEqual(list)
    expect(JSON.parse(new TextDecoder().decode(part.kept))).toEqual([list[0], { m: '[redacted:mail]' }, 7])
    expect(
      part.records.map((r) =>
        JSON.parse(new TextDecoder().decode(part.kept.subarray(r.keptStart, r.keptEnd))),
      ),
    ).toEqual([list[0], { m: '[redacted:mail]' }, 7])
  })
  test('one object over lines is one record', async () => {
    const { records, nextOffset } = await parse(bytes('{\n  "s": "x"\n}\n'))
    expect(records.map((r) => [r.offset, r.length, r.executionKey])).toEqual([[0, 14, 'x']])
    expect(nextOffset).toBe(15)
  })
  test('a torn list gives what is whole when final, and is read again from its beginning', async () => {
    const b = bytes('[\n{"s":"x"},\n{"m":')
    const final = await parse(b)
    expect(odd(final.records)).toEqual(['', 'torn_line'])
    expect([final.nextOffset, final.kept]).toEqual([0, b])
    const waiting = await parse(b, { final: false })
    expect([waiting.records, waiting.nextOffset, waiting.kept.length, waiting.context]).toEqual([
      [],
      0,
      0,
      { session: 'none', count: 0 },
    ])
    expect(odd((await parse(bytes('[\n{"s":"x"}'))).records)).toEqual([''])
  })
})

describe('what cannot be understood is odd, and kept', () => {
  test.each<[string, Uint8Array, string[]]>([
    ['no JSON', bytes('oops\n{"s":"x"}\n'), ['not_json', '']],
    ['no object', bytes('12\n"a"\nnull\n[1]\n'), Array(4).fill('not_an_object')],
    [
      'nested too deeply',
      bytes(`${deep(limits.jsonDepthMax)}\n${deep(limits.jsonDepthMax + 1)}\n`),
      ['', 'too_deep'],
    ],
    ['nested absurdly deep', bytes(`${'['.repeat(200_000)}\n`), ['too_deep']],
    [
      'invalid UTF-8',
      new Uint8Array([...bytes('{"m":"'), 0xff, ...bytes('"}\n{"s":"x"}\n')]),
      ['invalid_utf8', ''],
    ],
    ['NUL bytes in a line', bytes('{"s":"x"}\n\0\0\0\0\n'), ['', 'binary']],
    ['binary data', new Uint8Array(5000), ['binary']],
    ['an adapter that fails', bytes('{"bug":1}\n{"s":"x"}\n'), ['wrong_type', '']],
    ['a byte order mark inside', bytes('{"s":"x"}\n\ufeff{"m":"y"}\n'), ['', '']],
    ['nothing at all', new Uint8Array(), []],
    ['only blanks', bytes('\n \r\n'), []],
  ])('%s', async (_, b, want) => {
    const part = await parse(b)
    expect(odd(part.records)).toEqual(want)
    expect(part.kept).toEqual(b)
    expect(part.nextOffset).toBe(b.length)
    for (const r of part.records.filter((one) => one.kind === 'odd' && one.oddReason !== 'not_an_object'))
      expect(r.oddDetail).toBeDefined()
  })
  test('odd records belong to the execution around them', async () => {
    const { records } = await parse(bytes('{"s":"x"}\noops\n'))
    expect(records.map((r) => r.executionKey)).toEqual(['x', 'x'])
  })
  test('an adapter that always fails still gives every record a home', async () => {
    const { records } = await parse(bytes('{"a":1}\n'), {
      adapter: {
        read: () => {
          throw new Error('bug')
        },
      },
    })
    expect(records[0]).toMatchObject({
      kind: 'odd',
      oddReason: 'wrong_type',
      executionKey: expect.stringMatching(/^no-session-/),
    })
  })
  test('a secret in a line that is no JSON, or no UTF-8, is taken out, and no message quotes it', async () => {
    const token = `ghp_${noise(36)}`
    const b = new Uint8Array([...bytes(`oops ${token} \n{"m":"${token} `), 0xc3, 0x28, ...bytes('"}\n')])
    const part = await parse(b)
    expect(odd(part.records)).toEqual(['not_json', 'invalid_utf8'])
    expect(JSON.stringify(part.records)).not.toContain(token.slice(0, 12))
    expect(Buffer.from(part.kept)).toEqual(
      Buffer.from([
        ...bytes('oops [redacted:github] \n{"m":"[redacted:github] '),
        0xc3,
        0x28,
        ...bytes('"}\n'),
      ]),
    )
  })
})

describe('a torn last line', () => {
  test.each(['{"s":"x","m":"bob@acme.com"}', '{"m":"bob@acme.com and', 'bob@acme.com {'])(
    'tells nothing that was taken out: %s',
    async (text) => {
      const part = await parse(bytes(text))
      expect(part.records).toHaveLength(1)
      expect(JSON.stringify(part.records) + new TextDecoder().decode(part.kept)).not.toContain('acme')
    },
  )

  const torn = '{"s":"x"}\n{"m":"to'
  test('is odd when no more is coming, and its start is where the next part begins', async () => {
    const part = await parse(bytes(torn))
    expect([odd(part.records), part.nextOffset, part.kept]).toEqual([['', 'torn_line'], 10, bytes(torn)])
  })
  test('is left for later when more is coming', async () => {
    const part = await parse(bytes(torn), { final: false })
    expect([odd(part.records), part.nextOffset, part.kept]).toEqual([[''], 10, bytes('{"s":"x"}\n')])
  })
  test('is read whole when the stream has grown', async () => {
    const first = await parse(bytes(torn), { final: false })
    const next = await parse(bytes('{"m":"torn"}\n'), { offset: first.nextOffset, context: first.context })
    expect(next.records.map((r) => [r.offset, r.summary, r.executionKey])).toEqual([[10, 'torn', 'x']])
  })
  test.each([['12'], ['"a"'], ['nul'], ['{"a":1']])('%s may go on', async (tail) =>
    expect((await parse(bytes(`{"s":"x"}\n${tail}`))).nextOffset).toBe(10),
  )
  test('torn inside of a character is torn, not odd for good', async () => {
    const part = await parse(bytes('{"m":"ä').subarray(0, 7))
    expect([odd(part.records), part.nextOffset]).toEqual([['torn_line'], 0])
  })
  test.each(['{"s":"x"}', '[{"s":"x"}]', deep(limits.jsonDepthMax + 1)])(
    '%.20s is whole without a line end',
    async (text) => expect((await parse(bytes(text))).nextOffset).toBe(text.length),
  )
})

describe('for any input', () => {
  const word = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('bob@acme.com', `ghp_${noise(36)}`, '\ud800', '\u0000', 'ä😀'),
  )
  const object = fc.record(
    {
      s: fc.constantFrom('x', 'y'),
      m: fc.array(word, { maxLength: 3 }).map((w) => w.join('')),
      bug: fc.constant(1),
    },
    { requiredKeys: [] },
  )
  const line = fc.oneof(
    { weight: 6, arbitrary: object.map((o) => JSON.stringify(o)) },
    fc.constantFrom('', ' ', 'oops', '12', '{"torn', '[1,{"s":"z"}]', '\0\0', deep(limits.jsonDepthMax + 1)),
    fc.string({ maxLength: 8 }).map((s) => s.replace(/[\r\n]/g, '')),
  )
  // A stream of lines begins with one: what begins with a list or an open bracket may be a document.
  const ndjson = fc
    .tuple(object, fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'))
    .map(([first, rest, eol]) => bytes([JSON.stringify(first), ...rest].map((l) => l + eol).join('')))

  test('any split at line ends yields the same records, kept bytes and context as the whole', async () => {
    await fc.assert(
      fc.asyncProperty(ndjson, fc.integer({ min: 1, max: 80 }), async (b, target) => {
        const whole = await parse(b)
        let context: Seen = { session: 'none', count: 0 }
        const records: NormalRecord[] = []
        const kept: number[] = []
        for (const { start, end } of splitBody(b, target)) {
          const part = await parse(b.subarray(start, end), {
            offset: start,
            context,
            final: end === b.length,
          })
          expect(part.nextOffset).toBe(end)
          records.push(
            ...part.records.map((r) => ({
              ...r,
              keptStart: r.keptStart + kept.length,
              keptEnd: r.keptEnd + kept.length,
            })),
          )
          kept.push(...part.kept)
          context = part.context
        }
        expect(records).toEqual(whole.records)
        expect(kept).toEqual([...whole.kept])
        expect(context).toEqual(whole.context)
      }),
      { numRuns: 200 },
    )
  })

  test('no bytes make it throw, and every byte that is not redacted is kept', async () => {
    const near = fc
      .array(
        fc.oneof(
          fc.constantFrom(...'{}[]",:\\ \n\r1a@.').map((c) => [...bytes(c)]),
          word.map((w) => [...bytes(w)]),
          fc.uint8Array({ maxLength: 3 }).map((a) => [...a]),
        ),
        { maxLength: 30 },
      )
      .map((a) => new Uint8Array(a.flat()))
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(near, fc.uint8Array({ maxLength: 300 })),
        fc.boolean(),
        fc.constantFrom(0, 10),
        async (b, final, offset) => {
          const part = await parse(b, { final, offset })
          const taken = final ? b : b.subarray(0, part.nextOffset - offset)
          let at = 0
          let original = 0
          for (const m of part.marks) {
            const same = part.kept.subarray(at, m.byteStart)
            expect(Buffer.from(taken.subarray(original, original + same.length)).equals(same)).toBe(true)
            original += same.length
            // What follows the mark stands somewhere further on in the original.
            const rest = part.kept.subarray(
              m.byteEnd,
              part.marks[part.marks.indexOf(m) + 1]?.byteStart ?? part.kept.length,
            )
            const found = Buffer.from(taken).indexOf(Buffer.from(rest), original)
            expect(found).toBeGreaterThan(-1)
            original = found
            at = m.byteEnd
          }
          if (part.marks.length === 0) expect(Buffer.from(part.kept).equals(taken)).toBe(true)
          for (const r of part.records) {
            expect(r.keptEnd).toBeLessThanOrEqual(part.kept.length)
            expect(JSON.stringify(r)).not.toMatch(/\\u0000|\\ud[89a-f]/)
          }
        },
      ),
      { numRuns: 600 },
    )
  })
})

test('a line above the limit is kept and odd; one below it is read', async () => {
  const long = new Uint8Array(limits.lineBytesMax + 20).fill(0x61)
  long.set(bytes('{"m":"'))
  long.set(bytes('"}\n'), long.length - 3)
  const part = await parse(long)
  expect([odd(part.records), part.kept.length]).toEqual([['line_too_long'], long.length])
  const fits = bytes(JSON.stringify({ m: 'x'.repeat(60_000_000) }))
  expect(odd((await parse(fits)).records)).toEqual([''])
}, 60_000)

describe('what a record remembers from elsewhere can be stored, though its own line holds nothing odd', () => {
  const read = async (text: string, session: string) =>
    (await parse(bytes(text), { context: { session, count: 0 } })).records.map((r) => r.executionKey)

  test('when it was in the context already', async () => {
    expect(await read('{"m":"plain"}\n', 'agent-\u0000')).toEqual(['agent-\u2400'])
  })

  test('when an earlier line brought it', async () => {
    expect(await read('{"s":"a\\u0000\\ud800"}\n{"m":"plain"}\n', 'none')).toEqual([
      'a\u2400\ufffd',
      'a\u2400\ufffd',
    ])
  })
})
