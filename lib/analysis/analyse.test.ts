import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { InputChannel } from '../model/normal-form'
import { createAnalysis } from './analyse'
import { storyOf } from './story.support'
import type { AnalysedEvent } from '../model/summary'
import type { ResultFact } from '../model/event-facts'

const analyse = (events: readonly AnalysedEvent[], key?: string, mayRepeat?: boolean) => {
  const analysis = createAnalysis(key, mayRepeat)
  for (const e of events) analysis.add(e)
  return analysis.finish()
}

const TOOLS = ['Bash', 'Edit', 'Task']
const TARGETS = ['a', 'b', null]
const CLASSES = ['exit_code', 'user_rejected', 'sibling_cancelled', 'other'] as const

const step = fc.oneof(
  fc.record({
    tag: fc.constant('call' as const),
    id: fc.nat(12),
    tool: fc.constantFrom(...TOOLS),
    target: fc.constantFrom(...TARGETS),
    message: fc.nat(5),
  }),
  fc.record({
    tag: fc.constant('result' as const),
    id: fc.nat(12),
    failed: fc.boolean(),
    failureClass: fc.constantFrom(...CLASSES),
  }),
  fc.record({
    tag: fc.constantFrom(
      'say' as const,
      'prompt' as const,
      'interrupt' as const,
      'api' as const,
      'usage' as const,
    ),
    id: fc.nat(3),
  }),
)

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** A made-up stream; with `shared` its identities are the same in every stream, as when one file is imported under two names. */
const streamOf = (id: string, channel: InputChannel, steps: Step[], shared = false): AnalysedEvent[] => {
  const story = storyOf(id, channel)
  for (const s of steps) {
    if (s.tag === 'call')
      story.call(`c${s.id}`, s.tool, s.target, { messageId: `m${s.message}`, inputDigest: `d${s.id % 3}` })
    else if (s.tag === 'result')
      s.failed
        ? story.fail(`c${s.id}`, 'Exit code 1\nerror: no', { failureClass: s.failureClass })
        : story.ok(`c${s.id}`)
    else if (s.tag === 'say') story.say('hello')
    else if (s.tag === 'prompt') story.prompt('do')
    else if (s.tag === 'interrupt') story.interrupt()
    else if (s.tag === 'api') story.apiError('API Error: 500 {}')
    else
      story.add('text', {
        usage: {
          messageId: `u${s.id % 2}`,
          inputTokens: 5,
          outputTokens: s.id,
          cacheReadInputTokens: 1,
          cacheCreationInputTokens: 0,
        },
      })
  }
  return shared ? story.events.map((e) => ({ ...e, identity: `same-${e.offset}` })) : story.events
}

const streams = fc
  .array(
    fc.tuple(
      fc.constantFrom<InputChannel>('transcript', 'stream', 'hook'),
      fc.array(step, { maxLength: 25 }),
    ),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((list) => list.flatMap(([channel, steps], i) => streamOf(`s${i}`, channel, steps)))

describe('the analysis is a pure function of the events', () => {
  test('whatever order they are added in', () => {
    const shuffled = streams.chain((events) =>
      fc.tuple(
        fc.constant(events),
        fc.shuffledSubarray(events, { minLength: events.length, maxLength: events.length }),
      ),
    )
    fc.assert(
      fc.property(shuffled, ([events, other]) => void expect(analyse(other)).toEqual(analyse(events))),
      { numRuns: 200 },
    )
  })

  test('adding a record twice adds nothing', () => {
    fc.assert(
      fc.property(streams, (events) => void expect(analyse([...events, ...events])).toEqual(analyse(events))),
    )
  })

  test('one stream whose records come once is the same when nothing is held to tell repeats', () =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const events = streamOf('a', 'transcript', steps)
        expect(analyse(events, 'key', false)).toEqual(analyse(events, 'key'))
      }),
    ))

  test('the same file under another name changes neither counts nor outcome nor usage', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.nat(30), (steps, shorter) => {
        const once = analyse(streamOf('a', 'transcript', steps, true))
        const twice = analyse([
          ...streamOf('b', 'transcript', steps.slice(0, shorter), true),
          ...streamOf('a', 'transcript', steps, true),
        ])
        const { counts, outcome, outcomeRule, usage, chains } = twice
        expect({ counts, outcome, outcomeRule, usage, chains }).toEqual({
          counts: once.counts,
          outcome: once.outcome,
          outcomeRule: once.outcomeRule,
          usage: once.usage,
          chains: once.chains,
        })
      }),
    )
  })

  test('a cause is never longer than 240 characters, and its pointer lies in a record', () => {
    fc.assert(
      fc.property(streams, (events) => {
        const { cause, advice } = analyse(events)
        expect(cause === null).toBe(advice === null)
        if (!cause) return
        expect(cause.text.length).toBeLessThanOrEqual(240)
        expect(
          events.some((e) => e.keptStart <= cause.pointer!.byteStart && cause.pointer!.byteEnd <= e.keptEnd),
        ).toBe(true)
      }),
    )
  })
})

describe('calls through several channels', () => {
  const fail = (more: Partial<ResultFact> = {}) => ({ failed: true as const, ...more })
  test('the transcript is believed before the stream, the stream before a hook, and the difference is listed', () => {
    const transcript = storyOf('t').call('a', 'Bash', 'x').ok('a').say('done')
    const hook = storyOf('h', 'hook').call('a', 'Bash', 'x').fail('a', 'boom', fail())
    const got = analyse([...hook.events, ...transcript.events])
    expect(got.calls).toHaveLength(1)
    expect(got.calls[0]).toMatchObject({
      state: 'succeeded',
      disagreements: [{ channel: 'hook', fact: 'state', said: 'failed', used: 'succeeded' }],
    })
    expect(got.disagreements).toContainEqual({
      fact: 'call a state',
      rule: 'call_fact',
      params: { callId: 'a', fact: 'state' },
      values: [{ channel: 'hook', said: 'failed' }],
      used: 'succeeded',
    })
  })

  test('a result that only a hook saw belongs to the call of the transcript', () => {
    const got = analyse([
      ...storyOf('t').call('a', 'Bash', 'x').events,
      ...storyOf('h', 'hook').fail('a', 'Exit code 3\nboom', { exitCode: 3, failureClass: 'exit_code' })
        .events,
    ])
    expect(got.calls[0]).toMatchObject({ state: 'failed', exitCode: 3, failureClass: 'exit_code' })
  })

  test('a result without a call is no call', () =>
    expect(analyse(storyOf('t').ok('ghost').events).counts).toMatchObject({ calls: 0, records: 1 }))

  test('a retracted message counts neither its calls nor its usage', () => {
    const usage = {
      messageId: 'm',
      inputTokens: 5,
      outputTokens: 5,
      cacheReadInputTokens: 0,
      cacheCreationInputTokens: 0,
    }
    const story = storyOf('t')
      .add(
        'call',
        {
          calls: [{ callId: 'a', tool: 'Bash', target: 'x', inputDigest: 'i', span: { start: 0, end: 1 } }],
          usage,
        },
        'uuid-1',
      )
      .add('meta', { retracts: ['uuid-1'] })
    const got = analyse(story.events)
    expect(got.counts).toMatchObject({ records: 2, calls: 0 })
    expect(got.usage).toMatchObject({ messages: 0, inputTokens: 0 })
  })
})

describe('usage', () => {
  const usage = (messageId: string, outputTokens: number) => ({
    usage: { messageId, inputTokens: 10, outputTokens, cacheReadInputTokens: 3, cacheCreationInputTokens: 2 },
  })
  test('each message counts once, with the largest numbers its records told', () => {
    const got = analyse(
      storyOf('t')
        .add('text', usage('m', 1))
        .add('text', usage('m', 40))
        .add('text', usage('m', 7))
        .add('text', usage('n', 2)).events,
    ).usage
    expect(got).toEqual({
      inputTokens: 20,
      outputTokens: 42,
      cacheReadInputTokens: 6,
      cacheCreationInputTokens: 4,
      messages: 2,
      costUsd: null,
    })
  })

  test('the cost is the last of each run, and runs add up', () => {
    const one = storyOf('r1', 'stream').result({ costUsd: 0.1 }).result({ costUsd: 0.3 })
    const two = storyOf('r2', 'stream').result({ costUsd: 0.5 })
    expect(analyse([...one.events, ...two.events]).usage.costUsd).toBeCloseTo(0.8)
  })
})

describe('facts about the run', () => {
  test('folder of the beginning, branch of the end, the first question as title, the parent and the child', () => {
    const story = storyOf('t')
      .add('prompt', {
        prompt: '/clear',
        cwd: '/one',
        branch: 'main',
        childOf: { parentKey: 'p', callId: 'pc' },
      })
      .add('prompt', { prompt: 'mend\u001b[31m the\n build', cwd: '/two', branch: 'topic', model: 'm1' })
      .add('text', { model: '<synthetic>' })
      .call('a', 'Task', 'Explore')
      .add('result', {
        results: [{ callId: 'a', failed: false, childAgentId: 'kid', span: { start: 0, end: 1 } }],
      })
    const got = analyse(story.events, 'session-1')
    expect(got.labels).toEqual({ cwd: '/one', branch: 'topic', model: 'm1' })
    expect(got.title).toBe('mend␛[31m the build')
    expect(got.parent).toEqual({ key: 'p', callId: 'pc' })
    expect(got.calls[0]!.childKey).toBe('session-1/agent-kid')
    expect(got.startedAt).toBe('2026-01-01T00:00:00.000Z')
    expect(got.endedAt).toBe('2026-01-01T00:00:04.000Z')
  })
})
