import fc from 'fast-check'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { limits } from '../../limits'
import { createStdoutParser, type ParsedStdout } from './parse-stdout'
import { messageLine, resultLine } from './testing/arbitrary-evidence'
import { parseStdout } from './testing/whole-output'

const line = (record: unknown): string => `${JSON.stringify(record)}\n`
const assistant = (message: unknown): string => line({ type: 'assistant', message })

describe('records', () => {
  test.each<[string, string, Partial<ParsedStdout['session']>]>([
    [
      'the last result wins, even when an earlier one was better',
      resultLine({}) + resultLine({ subtype: 'odd', is_error: null, result: '' }),
      { subtype: 'unknown', isError: null, result: '' },
    ],
    [
      'what is no JSON and no object is passed over',
      `log\n[1]\n"x"\n${resultLine({})}{"type":`,
      { subtype: 'success', result: 'done' },
    ],
    [
      'one that is printed over several lines',
      JSON.stringify({ type: 'result', subtype: 'success', result: 'a' }, null, 2),
      { subtype: 'success', result: 'a', tokenUsage: null },
    ],
    [
      'without one, the whole output stands for it',
      'words\nmore\n',
      { subtype: 'unparseable', isError: true, result: 'words\nmore\n' },
    ],
    [
      'a key of JavaScript is no type',
      '{"__proto__":{"type":"result","subtype":"success"}}',
      { subtype: 'unparseable' },
    ],
    ['nothing but white space', ' \u3000\n', { subtype: 'empty_output', isError: true, result: '' }],
    [
      'a flat one tells that the context is exhausted',
      line({ type: 'assistant', output_tokens: 0, content: [{ type: 'text', text: 'PROMPT is too long' }] }),
      { exhaustedFlag: true, subtype: 'context_exhaustion' },
    ],
    [
      'but not without a count',
      line({
        type: 'assistant',
        output_tokens: null,
        content: [{ type: 'text', text: 'prompt is too long' }],
      }),
      { exhaustedFlag: false },
    ],
    [
      'nor beside a message',
      line({
        type: 'assistant',
        message: 'x',
        output_tokens: 0,
        content: [{ type: 'text', text: 'prompt is too long' }],
      }),
      { exhaustedFlag: false, assistantMessages: [] },
    ],
    [
      'false is a zero',
      line({
        type: 'assistant',
        output_tokens: false,
        content: [{ type: 'text', text: 'prompt is too long' }],
      }),
      { exhaustedFlag: true },
    ],
  ])('%s', (_, stdout, expected) => expect(parseStdout(stdout).session).toMatchObject(expected))

  test.each<[string, string, string[]]>([
    [
      'texts of any block, joined',
      assistant({
        content: [{ type: 'text', text: 'a' }, { type: 'thinking' }, 7, { type: 'x', text: 'b ' }],
      }),
      ['a\n\nb'],
    ],
    ['a text by itself', assistant({ content: ' a ' }), ['a']],
    ['the word for nothing', assistant({ content: null }), ['None']],
    [
      'a value as it is shown',
      '{"type":"assistant","message":{"content":{"a":1.50,"b":[true]}}}',
      ["{'a': 1.5, 'b': [True]}"],
    ],
    ['no content', assistant({}), []],
    ['blank ones are none', messageLine(' \n'), []],
  ])('what the agent said: %s', (_, stdout, messages) =>
    expect(parseStdout(stdout).session.assistantMessages).toEqual(messages),
  )

  test.each<[string, unknown, string]>([
    ['a list', ['a', { text: 'b' }, {}, 1.5, null], 'a\nb\n\n1.5\nNone'],
    ['an object', { a: 'b' }, "{'a': 'b'}"],
    ['a number', 12, '12'],
    ['zero is none', 0, ''],
    ['true', true, 'True'],
  ])('a result that is %s', (_, result, text) =>
    expect(parseStdout(resultLine({ result })).session.result).toBe(text),
  )

  test('calls, with the file of those that write', () => {
    const use = (name: unknown, input?: unknown): object => ({ type: 'tool_use', id: 'i', name, input })
    const { session, paths } = parseStdout(
      assistant({
        content: [
          use('Write', { file_path: '/a' }),
          use('MultiEdit', { file_path: '/b' }),
          use('Edit', { file_path: 'c' }),
          use(null),
          use('Bash', { command: "cat '/etc/x' a/b=/tmp/y" }),
        ],
      }),
    )
    expect(session.toolUses).toEqual([
      { name: 'Write', id: 'i', filePath: '/a' },
      { name: 'MultiEdit', id: 'i' },
      { name: 'Edit', id: 'i', filePath: 'c' },
      { name: null, id: 'i' },
      { name: 'Bash', id: 'i' },
    ])
    expect(paths).toEqual([
      { tool: 'Write', path: '/a' },
      { tool: 'Bash', path: '/etc/x' },
      { tool: 'Bash', path: '/tmp/y' },
    ])
  })
})

describe('what the source would have raised', () => {
  test.each<[string, string]>([
    ['a block whose text is none', assistant({ content: [{ text: null }] })],
    [
      'a flat one whose text is a number',
      line({ type: 'assistant', output_tokens: 0, content: [{ type: 'text', text: 1 }] }),
    ],
    ['the name of a tool that is a list', assistant({ content: [{ type: 'tool_use', name: [] }] })],
    ['a counter that is none', assistant({ usage: { input_tokens: null } })],
    ['a counter that is a text', assistant({ usage: { input_tokens: '1' } })],
    ['JSON that is too deep', `{"type":"x","a":${'['.repeat(600)}${']'.repeat(600)}}\n`],
  ])('%s: what could be read stands all the same', (_, record) => {
    const { session, raises } = parseStdout(messageLine('said') + record + resultLine({ session_id: 's' }))
    expect(raises).toEqual(expect.any(String))
    expect(session).toMatchObject({ sessionId: 's', assistantMessages: ['said'] })
  })

  test.each<[string, string]>([
    ['an item whose text is none', resultLine({ session_id: 's', result: [{ text: null }] })],
    ['an integer that is too long', `{"type":"result","session_id":"s","result":${'1'.repeat(5_000)}}`],
  ])('in the result that counts: %s', (_, record) => {
    expect(parseStdout(resultLine({}) + record)).toMatchObject({
      raises: expect.any(String),
      session: { sessionId: 's', result: '' },
    })
    expect(parseStdout(`${record}\n${resultLine({})}`).raises).toBeNull()
  })

  test('not in what is no JSON, however many brackets it has', () =>
    expect(parseStdout('\x1b[0m['.repeat(1_000)).raises).toBeNull())
})

describe('output that comes in pieces', () => {
  const cut = (text: string, cuts: readonly number[]): ParsedStdout => {
    const parser = createStdoutParser()
    const at = [0, ...cuts.filter((one) => one < text.length).sort((a, b) => a - b), text.length]
    for (const [i, end] of at.slice(1).entries()) parser.push(text.slice(at[i], end))
    return parser.finish()
  }
  const said = fc.constantFrom('a', '😀', '\ud83d', ' ', '\u2028', 'prompt is too long', '\\')
  const record = fc.oneof(
    fc.array(said).map((words) => messageLine(words.join(''))),
    fc.array(said).map((words) => resultLine({ result: words.join('') })),
    fc.constantFrom('{"a":', 'words', '\u2028', '\x85', '😀'),
  )
  const stdout = fc
    .array(fc.tuple(record, fc.constantFrom('\r\n', '\n', '\r', '\u2028', '')), { maxLength: 5 })
    .map((parts) => parts.flat().join(''))

  test('is read as it is in one', () => {
    fc.assert(
      fc.property(stdout, fc.array(fc.nat({ max: 300 }), { maxLength: 8 }), (text, cuts) => {
        expect(cut(text, cuts)).toEqual(parseStdout(text))
      }),
      { numRuns: 400 },
    )
  })

  test.each([
    ['a CRLF', `${messageLine('a').trim()}\r\n${resultLine({})}`],
    ['a pair', messageLine('a😀b') + resultLine({ result: '😀' })],
  ])('each place of a cut inside %s', (_, text) => {
    for (let at = 0; at < text.length; at++) expect(cut(text, [at])).toEqual(parseStdout(text))
  })

  test('a record that a line separator cuts in two is told', () => {
    expect(parseStdout(messageLine('said') + resultLine({ result: 'a\u2028b' }))).toMatchObject({
      warnings: ['record_split_by_line_separator'],
      session: { subtype: 'unparseable' },
    })
    expect(parseStdout('1\u2028{"type":').warnings).toEqual(['record_split_by_line_separator'])
    expect(parseStdout(`a\n${resultLine({ result: 'a\n' })}`).warnings).toEqual([])
  })
})

describe('long output', () => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  const heldMB = (): number => {
    gc()
    return process.memoryUsage().heapUsed / 2 ** 20
  }
  const MB = 2 ** 20
  /** Pushes so many pieces of 1 MB, and tells how much more is held than before, in MB. */
  function pushLong(
    count: number,
    first: string,
    piece: (i: number) => string,
  ): { held: number; parsed: ParsedStdout } {
    const before = heldMB()
    const parser = createStdoutParser()
    parser.push(first)
    for (let i = 0; i < count; i++) parser.push(piece(i))
    const held = heldMB() - before
    return { held, parsed: parser.finish() }
  }
  const filling = 'x'.repeat(MB)

  test('of which nothing is needed is not held', () => {
    const { held, parsed } = pushLong(
      200,
      resultLine({}),
      (i) => `{"type":"user","i":${i},"text":"${filling}"}\n`,
    )
    expect(held).toBeLessThan(8)
    expect(parsed).toMatchObject({ tooLong: false, session: { result: 'done' } })
  })

  test('is held until the result was seen, and no longer', () => {
    const unread = (i: number): string => `log ${i}${filling}\n`
    expect(pushLong(50, '', unread).held).toBeGreaterThan(48)
    expect(pushLong(50, resultLine({}), unread).held).toBeLessThan(8)
  })

  test('of the agent is held up to the limit, and not judged', () => {
    const { held, parsed } = pushLong(
      200,
      resultLine({}),
      (i) => `{"type":"assistant","message":{"content":"${i}${filling}"}}\n`,
    )
    expect(held).toBeLessThan(limits.stdoutHeldMax / MB + 8)
    expect(parsed.tooLong).toBe(true)
  })

  test('without a result is held up to the limit, and not judged', () => {
    const { held, parsed } = pushLong(100, '', (i) => `log ${i}${filling}\n`)
    expect(held).toBeLessThan(8)
    expect(parsed.tooLong).toBe(true)
  })

  test('in one line is not held, and not judged', () => {
    const { held, parsed } = pushLong(100, '', (i) => `${i}${filling}`)
    expect(held).toBeLessThan(8)
    expect(parsed.tooLong).toBe(true)
  })

  test('of calls is held up to the limit, and not judged', () => {
    const command = `cat ${'/tmp/some/file '.repeat(70_000)}`
    const { held, parsed } = pushLong(
      70,
      resultLine({}),
      (i) =>
        `{"type":"assistant","message":{"content":[{"type":"tool_use","id":${i},"name":"Bash","input":{"command":"${command}"}}]}}\n`,
    )
    expect(held).toBeLessThan(200)
    expect(parsed.tooLong).toBe(true)
  })
})
