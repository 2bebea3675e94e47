import { describe, expect, test } from 'vitest'
import { parseLocalReply, parseRemoteReply } from './model-reply'

const good = { category: 'auth', confidence: 0.5, root_cause: 'x', suggested_action: 'y', source: 'ollama' }

describe('the reply of a model', () => {
  const text = JSON.stringify({ ...good, user_message: 'z' })
  test.each<[string, unknown]>([
    ['as text', text],
    ['in its first block', { content: [{ text }] }],
    ['as its text', { content: [], text }],
    ['as its message', { message: text }],
    ['in a fence', `\`\`\`json\n${text}\n\`\`\``],
    ['among prose', `Sure: ${text} Hope this helps.`],
    ['in a fence among prose with braces', `See {x}: \`\`\`json\n${text}\n\`\`\` {y}`],
    ['in a list', `[${text}]`],
  ])('is read %s', (_, reply) =>
    expect(parseLocalReply(reply)).toEqual({
      confidence: 0.5,
      category: 'auth',
      rootCause: 'x',
      suggestedAction: 'y',
      userMessage: 'z',
      parseError: false,
    }),
  )

  test.each([null, '', 'no json', '{"a":', '{"a":NaN}', `${text}\n${text}`, { content: [] }])(
    'that is none: %j',
    (reply) =>
      expect(parseLocalReply(reply)).toEqual({
        confidence: 0,
        category: 'unknown',
        rootCause: '',
        suggestedAction: '',
        userMessage: '',
        parseError: true,
      }),
  )

  test.each<[string, number]>([
    ['85', 1],
    ['-1', 0],
    ['1e400', 1],
    ['"0.5"', 0.5],
    ['" .5 "', 0.5],
    ['"5%"', 0],
    ['true', 0],
    ['null', 0],
    ['[1]', 0],
    ['"nan"', 0],
    ['"0x1"', 0],
    ['""', 0],
  ])('with confidence %s: %f', (confidence, value) =>
    expect(parseLocalReply(`{"confidence":${confidence}}`)).toMatchObject({
      confidence: value,
      parseError: false,
    }),
  )

  test('a long row of digits is no work', () =>
    expect(parseLocalReply(JSON.stringify({ confidence: `${'1'.repeat(500_000)}x` })).confidence).toBe(0))

  test('of a remote model is read as its source does', () => {
    const openai = (content: string): unknown => ({ choices: [{ message: { content } }] })
    expect(parseRemoteReply('openai', openai('{"confidence":83,"first_pass_correct":true}'))).toMatchObject({
      result: { confidence: 83, firstPassCorrect: true, category: 'unknown' },
    })
    expect(parseRemoteReply('openai', JSON.stringify(openai(text)))).toMatchObject({
      result: { confidence: 0.5 },
    })
    expect(parseRemoteReply('openai', openai(`\`\`\`json\n${text}\n\`\`\``))).toMatchObject({
      result: { confidence: 0, rootCause: '' },
    })
    expect(
      parseRemoteReply('claude', {
        content: [{ type: 'tool_use' }, { type: 'text', text: `\`\`\`json\n${text}\n\`\`\`` }],
      }),
    ).toMatchObject({ result: { source: 'claude', confidence: 0.5 } })
    expect(parseRemoteReply('openai', openai('{"confidence":"high"}'))).toEqual({ raises: 'ValueError' })
    expect(parseRemoteReply('openai', openai('{"confidence":[1]}'))).toEqual({ raises: 'TypeError' })
    expect(parseRemoteReply('claude', null)).toMatchObject({ result: { source: 'claude', confidence: 0 } })
  })
})
