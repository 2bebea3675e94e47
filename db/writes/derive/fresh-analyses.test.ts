import { expect, test } from 'vitest'
import type { FreshEvent } from '../append/fresh-events'
import { FreshAnalyses } from './fresh-analyses'

const event = (offset: number, facts: FreshEvent['event']['facts'] = {}): FreshEvent => ({
  redactions: 1,
  event: {
    streamId: 's',
    channel: 'transcript',
    received: 'r',
    offset,
    identity: String(offset),
    kind: 'meta',
    at: null,
    keptStart: offset,
    keptEnd: offset + 1,
    facts,
  },
})

test('takes in the events of executions that are new, and hands each reading out once', () => {
  const fresh = new FreshAnalyses()
  fresh.make({ id: 'a', externalId: 'session' })
  for (const offset of [0, 1]) fresh.add('a', event(offset))
  fresh.add('was there before', event(0))
  expect(fresh.take('a')).toMatchObject({ records: 2, redactions: 2, odd: 0 })
  expect(fresh.take('a')).toBeNull()
  expect(fresh.take('was there before')).toBeNull()
})

test('an event that breaks the analysis breaks it where the execution is analysed', () => {
  const fresh = new FreshAnalyses()
  for (const id of ['a', 'b']) fresh.make({ id, externalId: id })
  const calls = {
    [Symbol.iterator]: () => ({
      next: () => {
        throw new Error('broke')
      },
    }),
  }
  fresh.add('a', event(0, { calls: calls as never }))
  fresh.add('a', event(1))
  fresh.add('b', event(0))
  expect(() => fresh.take('a')).toThrow('broke')
  expect(fresh.take('b')).toMatchObject({ records: 1 })
})

test('one execution is read however long it is; of several, all are read back beyond a number of events', () => {
  const fresh = new FreshAnalyses()
  for (const id of ['a', 'b']) fresh.make({ id, externalId: id })
  for (let offset = 0; offset < 12_000; offset++) fresh.add('a', event(offset))
  const alone = new FreshAnalyses()
  alone.make({ id: 'a', externalId: 'a' })
  for (let offset = 0; offset < 12_000; offset++) alone.add('a', event(offset))
  fresh.add('b', event(0))
  expect([fresh.take('a'), fresh.take('b')]).toEqual([null, null])
  expect(alone.take('a')).toMatchObject({ records: 12_000 })
})
