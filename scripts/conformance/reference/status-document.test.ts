import { expect, test } from 'vitest'
import { readStatusDocument } from './status-document'

test.each<[Record<string, boolean>, boolean, string | null, boolean]>([
  [{ completed: true, failed: false }, true, 'ok', true],
  [{ failed: true }, true, 'error', false],
  [{ failed: true, completed: true }, true, 'error', false],
  [{ failed: true, completion_inferred: true }, true, 'error', true],
  [{ failed: true, completion_inferred: true, timeout: true }, true, 'error', false],
  [{}, false, null, false],
])('the status document %j', (document, terminal, agentStatus, mayFetchDiagnosis) =>
  expect(readStatusDocument(document)).toEqual({ terminal, agentStatus, mayFetchDiagnosis }),
)
