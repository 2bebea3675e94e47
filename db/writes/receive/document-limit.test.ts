import { expect, test } from 'vitest'
import { limits } from '@/lib/limits'
import { DocumentTooLargeError, refuseLargeDocument } from './document-limit'
import type { IngestBody } from './ingest-body'

/** A body a little over the limit: `between` is between its values. */
function large(open: string, between: string, close: string): Uint8Array {
  const value = `{"x":"${'x'.repeat(1024 * 1024)}"}`
  const count = limits.documentBytesMax / 1024 / 1024
  return new TextEncoder().encode(open + Array<string>(count).fill(value).join(between) + close)
}
const many = (open: string, between: string, close: string, count: number, record = '{}'): Uint8Array =>
  new TextEncoder().encode(open + Array<string>(count).fill(record).join(between) + close)
const refuse = (bytes: Uint8Array, more: Partial<IngestBody> = {}) =>
  refuseLargeDocument({ projectId: 'p', source: null, kind: 'claude-transcript', bytes, ...more })

test.each([
  ['a list', large('[\n', ',\n', ']\n')],
  ['a list on one line', large('[', ',', ']')],
  ['a list on the first line of several', large('[', ',', ']\n{}\n')],
  ['a torn list', large('[\n', ',\n', '')],
  ['an object over several lines', large('{\n"list":[', ',\n', ']}\n')],
  ['a list of a million records', many('[\n', ',\n', ']\n', 1_000_000)],
  ['a list of too many on one line', many('[', ',', ']', limits.documentRecordsMax + 1)],
  ['objects over lines, one after the other', many('', '\n', '', 1_000_000, '{\n}')],
])('%s over the limit is refused', (_, bytes) => expect(() => refuse(bytes)).toThrow(DocumentTooLargeError))

test('lines are taken, and so are later pieces, bundles of a run, and a list within the limit', () => {
  refuse(large('', '\n', '\n'))
  const list = large('[\n', ',\n', ']\n')
  refuse(many('', '\n', '\n', 1_000_000))
  refuse(many('[\n', ',\n', ']\n', limits.documentRecordsMax))
  refuse(many('[', ',', ']', limits.documentRecordsMax))
  refuse(list, { offset: 10 })
  refuse(list, { kind: 'async-pipeline' })
  refuse(new TextEncoder().encode('[\n{},\n{}]\n'))
})
