import { describe, expect, test } from 'vitest'
import { peekWith } from './peek-part'
import { streamIdentity } from './stream-identity'
import { noise } from '../text/redaction/secret-samples.fixture'

const bytes = (text: string) => new TextEncoder().encode(text)
const adapter = {
  peek(value: unknown) {
    const r = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
    return {
      sessionId: typeof r['sessionId'] === 'string' ? r['sessionId'] : null,
      agentId: typeof r['agentId'] === 'string' ? r['agentId'] : null,
    }
  },
}
const peek = (text: string, fileName?: string) => peekWith(adapter, false, bytes(text), fileName)
const identity = async (text: string, fileName?: string) =>
  streamIdentity({ kind: 'claude-transcript', ...(await peek(text, fileName)) })

const uuid = '11111111-2222-3333-4444-555555555555'
const head = '{"type":"summary","summary":"x"}\n'

describe('what a body says about itself', () => {
  test('the first session that any record names', async () => {
    expect(
      await peek(`${head}not json\n{"sessionId":"s1","agentId":"a1"}\n{"sessionId":"s2"}\n`),
    ).toMatchObject({
      sessionId: 's1',
      agentId: 'a1',
    })
  })
  test.each([
    [`projects/p/${uuid}.jsonl`, uuid, null],
    [`p/${uuid}/subagents/agent-abc.jsonl`, uuid, 'abc'],
    ['p/agent-abc.jsonl', null, 'abc'],
    ['p/notes.jsonl', null, null],
  ])('else the name %s', async (name, sessionId, agentId) =>
    expect(await peek(head, name)).toMatchObject({ sessionId, agentId }),
  )
  test('a file name gives the agent that its records do not name', async () => {
    expect(await peek('{"sessionId":"s1"}\n', 'p/agent-abc.jsonl')).toMatchObject({
      sessionId: 's1',
      agentId: 'abc',
    })
  })
  test('an adapter that throws, and bytes of any kind, say nothing', async () => {
    const bad = {
      peek: () => {
        throw new Error('bug')
      },
    }
    expect(await peekWith(bad, false, bytes('{"sessionId":"s"}\n'))).toMatchObject({ sessionId: null })
    expect(await peekWith(adapter, false, new Uint8Array([0xff, 0, 10, 0x7b]))).toMatchObject({
      sessionId: null,
      agentId: null,
    })
    expect(await peek('')).toEqual({ sessionId: null, agentId: null, firstLineDigest: '' })
  })
})

describe('a stream is named by what it says', () => {
  const one = '{"sessionId":"s1","uuid":"u1"}\n'
  test('the same file under another path, and grown, is the same stream', async () => {
    const name = await identity(one, `a/${uuid}.jsonl`)
    expect(name).toMatch(/^[0-9a-f]{32}$/)
    expect(await identity(`${one}{"sessionId":"s1","uuid":"u2"}\n`, 'elsewhere/copy.jsonl')).toBe(name)
  })
  test('files of other sessions, agents, kinds or beginnings are other streams', async () => {
    const origin = { kind: 'claude-transcript', sessionId: 's', agentId: null, firstLineDigest: 'd' } as const
    const names = [
      origin,
      { ...origin, sessionId: 't' },
      { ...origin, agentId: 'a' },
      { ...origin, kind: 'claude-stream' as const },
      { ...origin, firstLineDigest: 'e' },
      { ...origin, sessionId: null },
      { ...origin, sessionId: 's","a' },
    ].map(streamIdentity)
    expect(new Set(names).size).toBe(names.length)
    expect(await identity(head.replace('x', 'y') + one)).not.toBe(await identity(head + one))
  })
  test('two documents of one session are two streams, although both begin with a brace', async () => {
    expect(await identity('{\n"sessionId":"s","n":1\n}\n')).not.toBe(
      await identity('{\n"sessionId":"s","n":2\n}\n'),
    )
  })
  test('a hook frame is its own stream, the same whether it comes as it was or redacted from a spool', async () => {
    const frame = (token: string) =>
      bytes(JSON.stringify({ session_id: 's', hook_event_name: 'Stop', last: token }))
    const name = async (b: Uint8Array) =>
      streamIdentity({ kind: 'claude-hook', ...(await peekWith(adapter, true, b)) })
    const sent = await name(frame(`ghp_${noise(36)}`))
    expect(sent).toMatch(/^hook-[0-9a-f]{32}$/)
    expect(await name(frame('[redacted:github]'))).toBe(sent)
    expect(await name(frame('other'))).not.toBe(sent)
  })
})
