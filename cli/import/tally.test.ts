import { expect, test } from 'vitest'
import type { IngestAnswer } from '@/lib/api/ingest-schemas'
import { summaryLines } from './import-words'
import { Tally } from './tally'

type Execution = Partial<IngestAnswer['executions'][number]>
const answer = (executions: Execution[], oddTotal = 0): IngestAnswer => ({
  accepted: 3,
  duplicates: 0,
  odd: [],
  oddTotal,
  executions: executions.map((one) => ({
    id: 'a',
    externalId: 'a',
    outcome: 'succeeded',
    url: '/x/a',
    ...one,
  })),
  streamId: null,
  nextOffset: null,
  originalSha256: '',
})
const linesOf = (...answers: IngestAnswer[]): string[] => {
  const tally = new Tally()
  tally.addFile({ path: '/a', name: 'a', status: 'sent', bytes: 10, records: 3, odd: 0 })
  for (const one of answers) tally.addAnswer(one)
  return summaryLines(tally.summary('/failed', '/all', '/odd'), false)
}

test('an import closes with calls, failed calls, failed executions and what was kept without being understood', () => {
  expect(
    linesOf(
      answer([{ calls: 3, failedCalls: 1 }], 1),
      // Of an execution its last known counts hold.
      answer(
        [
          { calls: 186, failedCalls: 7 },
          { id: 'b', outcome: 'failed', url: '/x/b', calls: 1, failedCalls: 1 },
        ],
        2,
      ),
    ),
  ).toEqual([
    '1 file sent (10 B): 6 new records, 3 records kept without being understood.',
    '187 calls, 8 failed.',
    '2 executions, 1 failed: /x/b',
  ])
})

test('a server that does not count calls is not taken for one that saw none', () => {
  expect(linesOf(answer([{}]))).toEqual(['1 file sent (10 B): 3 new records.', '1 execution, 0 failed: /all'])
})
