import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallItem, EventItem } from '@/lib/api/schemas'
import { silentCall } from '@/lib/judge/calls/testing/silent-call'
import { buildTurns, stretchOf, timelineRows } from './timeline-model'

const event = (offset: number, kind: string, more: Partial<EventItem> = {}): EventItem => ({
  ordinal: offset,
  streamId: 's',
  offset,
  channel: 'transcript',
  kind,
  type: kind,
  at: null,
  summary: kind,
  oddReason: null,
  oddDetail: null,
  callIds: [],
  resultCallIds: [],
  failed: false,
  failureClass: null,
  rowId: null,
  pointer: { received: 'a'.repeat(64), byteStart: offset, byteEnd: offset + 1 },
  ...more,
})
const call = (callId: string, more: Partial<CallItem> = {}): CallItem => ({
  callId,
  ordinal: 0,
  tool: 'Bash',
  target: null,
  state: 'succeeded',
  failureClass: null,
  ...silentCall,
  link: null,
  childId: null,
  childOutcome: null,
  isMain: false,
  ...more,
})
const none = new Set<string>()

test('each prompt opens a turn, and its calls stand under it', () => {
  const turns = buildTurns(
    [
      event(0, 'meta'),
      event(1, 'prompt'),
      event(2, 'call', { callIds: ['a'] }),
      event(3, 'result', { resultCallIds: ['a'] }),
      event(4, 'prompt'),
      event(5, 'text'),
    ],
    [call('a', { state: 'failed' })],
    false,
  )
  const rows = timelineRows(turns, none, none, new Map())
  expect(rows.map((row) => row.kind)).toEqual(['turn', 'call', 'turn', 'note'])
  expect(rows[0]).toMatchObject({ calls: 1, failed: 1 })
})

test('a call that no record names stands where the row is that it begins with', () => {
  const events = [event(0, 'run_start'), event(1, 'call'), event(2, 'result'), event(3, 'run_result')]
  const rows = timelineRows(
    buildTurns(events, [call('a', { callPointer: events[1]!.pointer })], false),
    none,
    none,
    new Map(),
  )
  expect(rows.map((row) => (row.kind === 'note' ? row.event.kind : row.kind))).toEqual([
    'turn',
    'run_start',
    'call',
    'run_result',
  ])
  expect(rows[0]).toMatchObject({ prompted: false })
})

test('every call is drawn exactly once, whether or not a record mentions it', () => {
  const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 12 })
  fc.assert(
    fc.property(
      ids,
      fc.array(fc.tuple(fc.constantFrom('prompt', 'call', 'result', 'text', 'thinking', 'odd'), fc.nat(14)), {
        maxLength: 40,
      }),
      fc.boolean(),
      (known, script, everything) => {
        const events = script.map(([kind, n], index) =>
          event(index, kind, kind === 'call' && known[n] ? { callIds: [known[n]] } : {}),
        )
        const rows = timelineRows(
          buildTurns(
            events,
            known.map((id) => call(id)),
            everything,
          ),
          none,
          none,
          new Map(),
        )
        expect(rows.flatMap((row) => (row.kind === 'call' ? [row.call.callId] : [])).sort()).toEqual(
          [...known].sort(),
        )
        expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length)
      },
    ),
  )
})

test('every record is drawn, is a call or the result of one, or is counted as quiet', () => {
  const kinds = fc.constantFrom(
    'prompt',
    'call',
    'result',
    'text',
    'thinking',
    'meta',
    'api_error',
    'odd',
    'newer_kind',
  )
  fc.assert(
    fc.property(fc.array(kinds, { maxLength: 40 }), (script) => {
      const turns = buildTurns(
        script.map((kind, index) => event(index, kind)),
        [],
        false,
      )
      const drawn = turns.reduce((n, turn) => n + turn.entries.length + turn.quiet + (turn.event ? 1 : 0), 0)
      expect(drawn).toBe(script.length)
      expect(
        buildTurns(
          script.map((kind, index) => event(index, kind)),
          [],
          true,
        ).every((turn) => turn.quiet === 0),
      ).toBe(true)
    }),
  )
})

test('odd records and results without a call are never left out', () => {
  const rows = timelineRows(
    buildTurns(
      [event(0, 'odd', { oddReason: 'not_json' }), event(1, 'result', { resultCallIds: ['gone'] })],
      [],
      false,
    ),
    none,
    none,
    new Map(),
  )
  expect(rows.map((row) => row.kind)).toEqual(['turn', 'note', 'note'])
})

test('a child opens under its call, and one that names itself does not open for ever', () => {
  const turns = buildTurns([event(0, 'call', { callIds: ['a'] })], [call('a', { childId: 'x' })], false)
  const children = new Map([['x', [call('b'), call('c', { childId: 'x' })]]])
  const rows = timelineRows(turns, none, new Set(['x']), children)
  expect(rows.map((row) => [row.kind, row.level])).toEqual([
    ['turn', 1],
    ['call', 2],
    ['call', 3],
    ['call', 3],
  ])
})

test('a closed turn hides what is in it', () => {
  const turns = buildTurns([event(0, 'prompt'), event(1, 'text')], [], false)
  expect(timelineRows(turns, new Set([turns[0]!.key]), none, new Map())).toHaveLength(1)
})

test('a call without an end reaches as far as its duration, never backwards', () => {
  const startedAt = '2026-01-28T21:46:00.000Z'
  expect(stretchOf({ startedAt, endedAt: null, durationMs: 500 })).toEqual({
    from: Date.parse(startedAt),
    to: Date.parse(startedAt) + 500,
  })
  expect(stretchOf({ startedAt, endedAt: '2026-01-28T21:45:00.000Z', durationMs: null })?.to).toBe(
    Date.parse(startedAt),
  )
  expect(stretchOf({ startedAt: null, endedAt: null, durationMs: 9 })).toBeNull()
})

test('a row that came by two ways is drawn once, in the order of the ids, and as the one that a call begins with', () => {
  const row = (offset: number, rowId: string, kind: string, way: string) =>
    event(offset, kind, {
      channel: 'rows',
      streamId: way,
      rowId,
      pointer: { received: way.repeat(64), byteStart: offset, byteEnd: offset + 1 },
    })
  const begun = call('620356925057663015', {
    callPointer: { received: 'b'.repeat(64), byteStart: 1, byteEnd: 2 },
  })
  const [turn] = buildTurns(
    [
      row(0, '620356925057663001', 'run_start', 'a'),
      row(1, '620356925057663015', 'call', 'a'),
      row(2, '620356925057663099', 'run_result', 'a'),
      row(0, '620356925057663001', 'run_start', 'b'),
      row(1, '620356925057663015', 'call', 'b'),
      row(2, '620356925057663099', 'run_result', 'b'),
    ],
    [begun],
    false,
  )
  expect(turn!.entries.map((entry) => ('call' in entry ? entry.call.callId : entry.note.rowId))).toEqual([
    '620356925057663001',
    '620356925057663015',
    '620356925057663099',
  ])
})
