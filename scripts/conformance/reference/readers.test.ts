import fc from 'fast-check'
import { test } from 'vitest'
import { arbitraryMembers } from '@/lib/judge/diagnosis/testing/arbitrary-members'
import { terminalResultOfChild } from './child-result'
import { judgeEndToEnd } from './end-to-end'
import { parseLocalReply, parseRemoteReply } from './model-reply'
import { readStatusDocument } from './status-document'

test('nothing that comes along stops the reading', () => {
  const readers = [
    judgeEndToEnd,
    parseLocalReply,
    (value: unknown) => parseRemoteReply('openai', value),
    (value: unknown) => parseRemoteReply('claude', value),
    readStatusDocument,
    (value: unknown) => terminalResultOfChild([value as never]),
  ]
  fc.assert(
    fc.property(arbitraryMembers, fc.constantFrom(...readers), (value, reader) => {
      reader(value)
    }),
    { numRuns: 3000 },
  )
})
