import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAnalysis } from './analyse'
import { mergeRecorded, type HeldRecorded } from './merge-recorded'
import { storyOf } from './story.support'
import type { AnalysedEvent, ExecutionSummary } from '../model/summary'
import type { RecordedDecisionFact } from '../model/run-facts'

const DIR = 'session-1'
const span = { start: 0, end: 9 }
let serial = 0
const held = (fact: Omit<RecordedDecisionFact, 'span'>): HeldRecorded => {
  const id = `stream-${serial++}`
  const stream = {
    id,
    channel: 'log' as const,
    identities: new Map(),
    records: 1,
    startAt: null,
    startOffset: 0,
    lastAt: null,
    chain: null,
  }
  return {
    place: { stream, offset: 0, identity: id, at: null, received: 'f'.repeat(64), keptStart: 0, keptEnd: 99 },
    fact: { dirName: DIR, ...fact, span },
  }
}
const summary = (more: Partial<RecordedDecisionFact> = {}) =>
  held({
    source: 'summary',
    success: false,
    subtype: 'stale',
    exitCode: -1,
    startedAt: '2026-04-06T06:00:00.000Z',
    endedAt: '2026-04-06T06:01:00.000Z',
    ...more,
  })
const index = (more: Partial<RecordedDecisionFact> = {}) =>
  held({
    source: 'index',
    success: false,
    subtype: 'stale',
    exitCode: -1,
    startedAt: '2026-04-06T06:00:00.000Z',
    kitchenId: 'k',
    orderId: 'o',
    stepName: 'plan',
    ...more,
  })

test('nothing recorded is nothing', () => expect(mergeRecorded([])).toBeNull())

test('the files of a run are one, each saying what the others do not', () => {
  const tokens = held({ source: 'token_usage', inputTokens: 5, outputTokens: 6 })
  const audit = held({ source: 'audit_log', subtype: 'stale', needsRetry: true, retryReason: 'stale' })
  expect(mergeRecorded([tokens, index(), audit, summary()])).toMatchObject({
    fact: {
      dirName: DIR,
      success: false,
      subtype: 'stale',
      kitchenId: 'k',
      stepName: 'plan',
      inputTokens: 5,
      needsRetry: true,
      retryReason: 'stale',
    },
    decided: { fact: { source: 'summary' } },
    startedAt: '2026-04-06T06:00:00.000Z',
    endedAt: '2026-04-06T06:01:00.000Z',
    disagreements: [],
  })
})

describe('what two files say differently', () => {
  test('is told, and the summary is believed', () => {
    const { fact, disagreements } = mergeRecorded([index({ success: true, subtype: 'success' }), summary()])!
    expect(fact).toMatchObject({ success: false, subtype: 'stale' })
    expect(disagreements).toEqual([
      {
        rule: 'recorded_fact',
        params: { fact: 'success', run: null },
        values: [
          { channel: 'log', said: 'summary.json: false' },
          { channel: 'log', said: 'sessions.jsonl: true' },
        ],
        used: 'false',
      },
      {
        rule: 'recorded_fact',
        params: { fact: 'subtype', run: null },
        values: [
          { channel: 'log', said: 'summary.json: stale' },
          { channel: 'log', said: 'sessions.jsonl: success' },
        ],
        used: 'stale',
      },
    ])
  })

  test('of several runs each by its own folder', () => {
    const later = { dirName: 'session-1_later', startedAt: '2026-04-07T06:00:00.000Z' }
    expect(
      mergeRecorded([
        index({ ...later, exitCode: 1 }),
        summary({ ...later, exitCode: 2 }),
        index({ exitCode: 3 }),
        summary({ exitCode: 4 }),
      ])!.disagreements.map(({ params }) => params),
    ).toEqual([
      { fact: 'exitCode', run: expect.not.stringContaining('later') as string },
      { fact: 'exitCode', run: 'session-1_later' },
    ])
  })

  test('two lines of the index among themselves as well', () => {
    expect(mergeRecorded([index(), index({ exitCode: 0 })])!.disagreements).toHaveLength(1)
  })

  test('a command that was cut to what the file keeps is the same command', () => {
    const command = `/x:plan ${'a'.repeat(120)}`
    expect(
      mergeRecorded([index({ skillCommand: command.slice(0, 100) }), summary({ skillCommand: command })]),
    ).toMatchObject({
      fact: { skillCommand: command },
      disagreements: [],
    })
    expect(
      mergeRecorded([index({ skillCommand: '/x' }), summary({ skillCommand: '/x:plan' })])!.disagreements,
    ).toHaveLength(1)
  })

  test('the history is of an earlier moment, and contradicts nothing', () => {
    const audit = held({
      source: 'audit_log',
      subtype: 'adjudicated_failure',
      exitCode: 0,
      needsRetry: true,
      retryReason: 'contract_recovery',
    })
    const stopped = {
      ...audit,
      place: { ...audit.place, offset: 100 },
      fact: { ...audit.fact, needsRetry: false, retryReason: 'budget_exhausted' },
    }
    expect(mergeRecorded([stopped, audit, summary()])).toMatchObject({
      fact: { subtype: 'stale', exitCode: -1, needsRetry: false, retryReason: 'budget_exhausted' },
      disagreements: [],
    })
  })
})

test('a session with several runs is told by its last, and its runs do not contradict each other', () => {
  const later = {
    dirName: 'session-1_later',
    startedAt: '2026-04-07T06:00:00.000Z',
    endedAt: '2026-04-07T06:02:00.000Z',
    success: true,
    subtype: 'success',
  }
  expect(
    mergeRecorded([summary(later), index(), summary(), index({ ...later, endedAt: undefined })]),
  ).toMatchObject({
    fact: { dirName: 'session-1_later', success: true },
    startedAt: '2026-04-06T06:00:00.000Z',
    endedAt: '2026-04-07T06:02:00.000Z',
    disagreements: [],
  })
})

test('the order in which files come changes nothing', () => {
  const all = [
    summary(),
    index({ success: true }),
    index({ exitCode: 4 }),
    held({ source: 'crash', crash: 'boom' }),
    held({ source: 'step_timing', stepName: 'other' }),
  ]
  const wanted = mergeRecorded(all)
  fc.assert(
    fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
      expect(mergeRecorded(shuffled)).toEqual(wanted)
    }),
  )
})

describe('an execution', () => {
  const analyse = (events: AnalysedEvent[]): ExecutionSummary => {
    const analysis = createAnalysis('session-1')
    for (const event of events) analysis.add(event)
    return analysis.finish()
  }
  const log = (id: string, at: string, fact: RecordedDecisionFact): AnalysedEvent[] =>
    storyOf(id, 'log')
      .add('run_result', { recorded: fact, cwd: '/srv/logged' })
      .events.map((event) => ({ ...event, at }))
  const summaryFact = summary({ skillCommand: '/x:plan shop', inputTokens: 5, outputTokens: 6 }).fact

  test('of which only the log is there has title, times, labels and tokens', () => {
    const events = [
      ...log('a', '2026-04-06T06:00:00.000Z', index().fact),
      ...log('b', '2026-04-06T06:01:09.000Z', summaryFact),
    ]
    expect(analyse(events)).toMatchObject({
      title: '/x:plan shop',
      startedAt: '2026-04-06T06:00:00.000Z',
      endedAt: '2026-04-06T06:01:00.000Z',
      labels: { cwd: '/srv/logged', kitchen: 'k', order: 'o', step: 'plan' },
      usage: { inputTokens: 5, outputTokens: 6, messages: 0 },
      counts: { records: 2 },
    })
  })

  test('of which only a line of the index is there has no end', () => {
    expect(analyse(log('a', '2026-04-06T06:00:00.000Z', index().fact))).toMatchObject({
      startedAt: '2026-04-06T06:00:00.000Z',
      endedAt: null,
    })
  })

  test('of which only small files are there is dated by them', () => {
    const fact: RecordedDecisionFact = { source: 'audit_log', needsRetry: true, span }
    expect(
      analyse([...log('a', '2026-04-06T06:00:00.000Z', fact), ...log('b', '2026-04-06T06:00:09.000Z', fact)]),
    ).toMatchObject({
      startedAt: '2026-04-06T06:00:00.000Z',
      endedAt: '2026-04-06T06:00:09.000Z',
    })
  })

  test('keeps what its transcript says where that says it too', () => {
    const told = storyOf('t')
      .add('prompt', { prompt: 'Do the following skill …', cwd: '/srv/shop' })
      .add('text', {
        said: { tail: 'done', span },
        usage: {
          messageId: 'm',
          inputTokens: 100,
          outputTokens: 20,
          cacheReadInputTokens: 0,
          cacheCreationInputTokens: 0,
        },
      })
    const both = analyse([...told.events, ...log('b', '2026-04-06T06:01:09.000Z', summaryFact)])
    expect(both).toMatchObject({
      title: '/x:plan shop',
      labels: { cwd: '/srv/shop' },
      usage: { inputTokens: 100, messages: 1 },
      outcome: 'succeeded',
    })
    const titled = analyse([
      ...told.add('meta', { title: 'Shop plan' }).events,
      ...log('b', '2026-04-06T06:01:09.000Z', summaryFact),
    ])
    expect(titled.title).toBe('Shop plan')
  })
})
