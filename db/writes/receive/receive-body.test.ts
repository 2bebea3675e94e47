import { expect, test } from 'vitest'
import { adapterOf } from '@/lib/formats/adapters'
import { peekPart } from '@/lib/formats/peek-part'
import { documentSpans } from '@/lib/bytes/json-spans'
import { parseArriving } from './parse'
import { receiveBody } from './receive-body'

const records = [1, 2].map((n) => ({
  type: 'user',
  uuid: `u${n}`,
  sessionId: 'one-document',
  message: { role: 'user', content: 'go' },
}))
const bytes = Buffer.from(JSON.stringify(records, null, 2))
const kind = 'claude-transcript'

test('the records of a document are found when it is received, and those of lines are not', async () => {
  const receive = (body: Buffer) => receiveBody({ projectId: 'p', source: null, kind, bytes: body })
  expect(await receive(bytes)).toMatchObject({
    name: { sessionId: 'one-document' },
    document: documentSpans(bytes),
  })
  const lines = records.map((record) => JSON.stringify(record)).join('\n')
  expect(await receive(Buffer.from(lines))).toMatchObject({
    name: { sessionId: 'one-document' },
    document: null,
  })
})

test('what is known of the records is not looked for again, neither for the name nor for the records', async () => {
  const second = documentSpans(bytes)!.spans[1]!
  const document = { spans: [second], tornAt: null }
  expect(await peekPart(kind, bytes, null, { spans: [], tornAt: null })).toMatchObject({ sessionId: null })
  const part = { bytes, offset: 0, redact: false, final: true, document }
  const { records: read } = await parseArriving(kind, { ...part, context: adapterOf(kind).start({}) })
  expect(read.map(({ offset, oddReason }) => [offset, oddReason])).toEqual([[second.start, undefined]])
})
