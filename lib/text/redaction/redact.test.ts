import { lintSource } from '@secretlint/core'
import { creator, rules } from '@secretlint/secretlint-rule-preset-recommend'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redactLine } from './redact'
import { mayHoldCredential, mayHoldSecret } from './prefilter'
import { windowsOf } from './readings'
import { noise, secretSamples } from './secret-samples.fixture'

const samples = secretSamples()
const record = (content: string) => ({ type: 'user', sessionId: 's', message: { role: 'user', content } })

/** How the same text can be in a line: in a string, in JSON in a string, in that of another, in an escaped form. */
const wrappings: [string, (text: string) => string][] = [
  ['in a string', (t) => JSON.stringify(record(t))],
  ['behind an escape', (t) => JSON.stringify(record(`first\n${t}\nlast`))],
  ['in JSON in a string', (t) => JSON.stringify(record(JSON.stringify({ output: `a\n${t}\nb` })))],
  [
    'in JSON in JSON in a string',
    (t) => JSON.stringify(record(JSON.stringify([JSON.stringify([`a\n${t}\nb`])]))),
  ],
  [
    'with letters as escapes',
    (t) =>
      JSON.stringify(record(t)).replace(
        /(?<=content":".*)[g-z_]/g,
        (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
  ],
  ['with escaped slashes', (t) => JSON.stringify(record(t)).replaceAll('/', '\\/')],
  ['in a torn line', (t) => JSON.stringify(record(`a\n${t}\nb`)).slice(0, -3)],
]

describe('every rule of the preset', () => {
  test('has a sample', () => {
    const names = rules
      .map((rule) => rule.meta.id.replace('@secretlint/secretlint-rule-', ''))
      .filter((name) => name !== 'filter-comments')
    expect(new Set(samples.map((s) => s.rule))).toEqual(new Set(names))
  })

  for (const [how, wrap] of wrappings) {
    test.each(samples)(`takes out $rule ${how}`, async ({ secret, text }) => {
      const line = wrap(text)
      const redacted = await redactLine(line)
      expect(redacted.text).not.toContain(secret)
      expect(unescaped(redacted.text)).not.toContain(secret)
      for (let n = 8; n <= secret.length; n += 8)
        expect(unescaped(redacted.text)).not.toContain(secret.slice(-n))
      expect(redacted.marks.length).toBeGreaterThan(0)
      for (const m of redacted.marks) expect(redacted.text.slice(m.start, m.end)).toBe(`[redacted:${m.rule}]`)
    })
  }

  test('works although the text says it should not', async () => {
    const { text } = await redactLine(JSON.stringify(record(`// secretlint-disable\nghp_${noise(36)}`)))
    expect(JSON.parse(text).message.content).toBe('// secretlint-disable\n[redacted:github]')
  })
})

/** All `\u` and short escapes undone until none is left. */
function unescaped(text: string): string {
  let now = text
  for (let n = 0; n < 5; n++)
    now = now
      .replace(/\\u([0-9a-f]{4})/gi, (_, h: string) => String.fromCharCode(parseInt(h, 16)))
      .replace(/\\(.)/g, (_, c: string) => (c === 'n' ? '\n' : c))
  return now
}

describe('what the prefilter passes over', () => {
  const lint = async (content: string) => {
    const names = [
      ['a.txt', '.txt'],
      ['.npmrc', ''],
      ['package.json', '.json'],
    ] as const
    const found = await Promise.all(
      names.map(([filePath, ext]) =>
        lintSource({
          source: { filePath, content, contentType: 'text', ext },
          options: { config: { rules: [{ id: creator.meta.id, rule: creator }] }, noPhysicFilePath: true },
        }),
      ),
    )
    return found.flatMap((f) => f.messages)
  }
  const piece = fc.oneof(
    fc.constantFrom(...samples.map((s) => s.text)),
    fc.constantFrom(...samples.map((s) => s.text)).chain((t) => fc.nat(t.length).map((n) => t.slice(n))),
    fc.constantFrom(...samples.map((s) => s.text)).chain((t) => fc.nat(t.length).map((n) => t.slice(0, n))),
    fc.constantFrom(...samples.map((s) => s.text)).map((t) => t.toUpperCase()),
    fc.constantFrom('\n', ' ', '"', '\\n', ':', '@', '=', 'é', '://', '-----BEGIN', 'KEY'),
    fc.string(),
  )
  test('holds nothing that secretlint would find', async () => {
    let clean = 0
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 5 }), async (pieces) => {
        const text = pieces.join('')
        if (mayHoldCredential(text)) return
        clean++
        expect(await lint(text)).toEqual([])
      }),
      { numRuns: 600 },
    )
    expect(clean).toBeGreaterThan(50)
  })
  test.each(samples)(
    '$rule: secretlint finds the sample, and the prefilter stops it',
    async ({ rule, text }) => {
      expect(mayHoldSecret(text)).toBe(true)
      // The preset knows one kind of Anthropic key; login tokens are ours.
      if (!text.startsWith('sk-ant-oat'))
        expect((await lint(text)).map((m) => m.ruleId)).toContain(`@secretlint/secretlint-rule-${rule}`)
    },
  )
})

describe('what is left alone', () => {
  test.each([
    'git clone git@github.com:acme/x.git',
    'ssh://git@gitlab.com/acme/x',
    '![logo](img/logo@2x.png)',
    'npm i foo@1.2.3 @types/node@20.1.0',
    'bar@1.2.3-beta.rc',
    '@app.route("/x")\ndef x(): pass',
    'class A:\n\t@pytest.mark.skip\n\tdef f(self): pass',
    'scp a.txt deploy@host.acme.net:/srv/',
    'this@Main.finish()',
    'x = a @ b.T; y = a@b.dot(c)',
    'actions/checkout@v4.1.0',
    'https://unpkg.com/vue@latest.min.js',
    'postgres://user:pass@localhost/x',
    'postgres://app:${DB_PASSWORD}@db.acme.net/x',
    '_authToken=${NPM_TOKEN}',
    'const KEY = "-----BEGIN PRIVATE KEY-----"',
    'export AWS_SECRET_ACCESS_KEY=',
    'see https://host.acme.net/@user.name',
    '"apiKeySource":"none"',
    'ssh root@10.0.0.1',
  ])('%s', async (content) => {
    for (const line of [
      JSON.stringify(record(content)),
      JSON.stringify(record(JSON.stringify({ content: `a\n${content}\nb` }))),
      content,
    ])
      expect(await redactLine(line)).toEqual({ text: line, marks: [] })
  })
})

describe('mail addresses', () => {
  test.each([
    ['say\nuser@x.com', 'say\n[redacted:mail]'],
    ['Author: A B <a.b+c@mail.acme.co.uk>', 'Author: A B <[redacted:mail]>'],
    ['mailto:bob@acme.com?subject=x', 'mailto:[redacted:mail]?subject=x'],
    ['\tjörg.müller@bücher.de,', '\t[redacted:mail],'],
    ['(bob@acme.com).', '([redacted:mail]).'],
    ['https://acme.com/?to=bob@acme.com', 'https://acme.com/?to=[redacted:mail]'],
  ])('%j', async (content, want) => {
    const direct = await redactLine(JSON.stringify(record(content)))
    expect(JSON.parse(direct.text).message.content).toBe(want)
    const nested = await redactLine(JSON.stringify(record(JSON.stringify({ content }))))
    expect(JSON.parse(JSON.parse(nested.text).message.content).content).toBe(want)
    const ascii = JSON.stringify(record(content)).replace(
      /[\u0080-\uffff]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    expect(JSON.parse((await redactLine(ascii)).text).message.content).toBe(want)
  })
})

describe('account fields', () => {
  test('response headers of a failed model request go, their names and the rest stay', async () => {
    const line = JSON.stringify({
      type: 'system',
      subtype: 'api_error',
      sessionId: 's',
      error: {
        status: 529,
        headers: { 'anthropic-organization-id': 'o-1', 'cf-ray': 'r', 'content-length': 12, via: ['a', 'b'] },
        requestID: 'req_1',
        error: { type: 'overloaded_error' },
      },
    })
    const { text } = await redactLine(line)
    const gone = '[redacted:account]'
    expect(JSON.parse(text)).toEqual({
      type: 'system',
      subtype: 'api_error',
      sessionId: 's',
      error: {
        status: 529,
        headers: {
          'anthropic-organization-id': gone,
          'cf-ray': gone,
          'content-length': gone,
          via: [gone, gone],
        },
        requestID: 'req_1',
        error: { type: 'overloaded_error' },
      },
    })
  })
  test('ids of account and organisation go where the producer speaks, not where a tool does', async () => {
    const value = {
      organizationUuid: 'o',
      attrs: { 'user.email': 'nobody', 'user.account_uuid': 'u', 'session.id': 's' },
      apiKeySource: 'ANTHROPIC_API_KEY',
      tool_input: { account_id: '12' },
    }
    const gone = '[redacted:account]'
    expect(JSON.parse((await redactLine(JSON.stringify(value))).text)).toEqual({
      organizationUuid: gone,
      attrs: { 'user.email': gone, 'user.account_uuid': gone, 'session.id': 's' },
      apiKeySource: 'ANTHROPIC_API_KEY',
      tool_input: { account_id: '12' },
    })
  })
  test('an organisation id inside a text goes, and the text stays JSON', async () => {
    const id = '12345678-1234-1234-1234-123456789012'
    const { text } = await redactLine(JSON.stringify(record(`< anthropic-organization-id: ${id}\n< x: y`)))
    expect(JSON.parse(text).message.content).toBe('< anthropic-organization-id: [redacted:account]\n< x: y')
  })
  test('a secret that stands under its own key goes', async () => {
    expect(
      JSON.parse(
        (await redactLine(JSON.stringify({ tool_input: { AWS_SECRET_ACCESS_KEY: noise(40) } }))).text,
      ),
    ).toEqual({
      tool_input: { AWS_SECRET_ACCESS_KEY: '[redacted:aws]' },
    })
  })
  test('a private key that a tool printed with line numbers goes', async () => {
    const key = [
      '-----BEGIN OPENSSH PRIVATE' + ' KEY-----',
      ...Array.from({ length: 6 }, (_, i) => noise(70, i)),
      '-----END OPENSSH PRIVATE' + ' KEY-----',
    ]
    const { text } = await redactLine(
      JSON.stringify(record(`head\n${key.map((l, i) => `     ${i + 1}→${l}`).join('\n')}\ntail`)),
    )
    expect(JSON.parse(text).message.content).toBe('head\n     1→[redacted:privatekey]\ntail')
  })
})

describe('lines of many megabytes', () => {
  const secret = `ghp_${noise(36)}`
  const filler = (n: number) => 'ab\\c "d"\n\u0001'.repeat(n)
  test.each([0, 1, 2, 3, 5, 8, 13, 21])(
    'a secret is taken out wherever it stands (shifted by %i)',
    async (shift) => {
      // Distances below one stretch, so that some are across the places where stretches end.
      const content = Array.from(
        { length: 60 },
        (_, i) => `${filler(900 + i * 7 + shift)}${'é'.repeat(shift)} ${secret} bob@acme.com`,
      ).join('\n')
      const { text, marks } = await redactLine(JSON.stringify(record(content)))
      expect(JSON.parse(text).message.content).toBe(
        content.replaceAll(secret, '[redacted:github]').replaceAll('bob@acme.com', '[redacted:mail]'),
      )
      expect(marks).toHaveLength(120)
      expect((await redactLine(text)).marks).toEqual([])
    },
  )
  test('in a torn line, and in JSON in a string', async () => {
    const content = `${filler(60_000)}${secret} ${filler(60_000)}${secret}`
    const nested = JSON.stringify(record(JSON.stringify({ content })))
    const want = content.replaceAll(secret, '[redacted:github]')
    expect(JSON.parse(JSON.parse((await redactLine(nested)).text).message.content).content).toBe(want)
    expect((await redactLine(nested.slice(0, -2))).marks.map((m) => m.rule)).toEqual(['github', 'github'])
  })
  test('cuts no escape, however the backslashes stand', () => {
    const unit = fc.constantFrom('\\\\', '\\"', '\\n', '\\u00e9', '\\ud83d\\ude00', 'a')
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 9 }), (units) => {
        const one = units.join('')
        const raw = one.repeat(Math.ceil(900_000 / one.length))
        const all = JSON.parse(`"${raw}"`) as string
        let end = 0
        for (const window of windowsOf(raw)) {
          expect(window.start).toBeLessThanOrEqual(end)
          expect(all.includes(JSON.parse(`"${window.text}"`) as string)).toBe(true)
          end = window.start + window.text.length
        }
        expect(end).toBe(raw.length)
      }),
      { numRuns: 15 },
    )
  })
})

describe('for any JSON', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      ...samples.map((s) => s.text),
      'bob@acme.com',
      '\nuser@x.com',
      '[redacted:mail]',
      'a"b\\c',
      '😀',
      '\ud800',
    ),
  )
  const content = fc.array(texts, { maxLength: 4 }).map((t) => t.join(''))
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      content,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      content.map((c) => JSON.stringify([c])),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc.dictionary(
      fc.oneof(
        fc.string(),
        fc.constantFrom('headers', 'error', 'account_id', 'message', 'secret_access_key'),
      ),
      tie('value'),
      { maxKeys: 4 },
    ),
  })).object
  const spaced = fc
    .tuple(json, fc.constantFrom(undefined, 2))
    .map(([v, space]) => JSON.stringify(v, null, space))

  test('the line stays JSON of the same shape and keys', async () => {
    await fc.assert(
      fc.asyncProperty(spaced, async (line) => {
        expect(shape(JSON.parse((await redactLine(line)).text))).toEqual(shape(JSON.parse(line)))
      }),
      { numRuns: 400 },
    )
  })
  test('redacting twice changes nothing, and the marks stand where they say', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(spaced, content), async (line) => {
        const once = await redactLine(line)
        for (const m of once.marks)
          expect(once.text.slice(m.start, m.end).replaceAll('"', '')).toBe(`[redacted:${m.rule}]`)
        expect(await redactLine(once.text)).toEqual({ text: once.text, marks: [] })
      }),
      { numRuns: 400 },
    )
  })
})

/** Keys and kinds; strings and numbers count as one kind, since a number among headers becomes a mark. */
const shape = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(shape)
    : typeof value === 'object' && value !== null
      ? Object.entries(value).map(([k, v]) => [k, shape(v)])
      : typeof value === 'number'
        ? 'string'
        : value === null
          ? null
          : typeof value
