import { expect, test } from 'vitest'
import { selectDiagnosis } from './select-diagnosis'

const good = { category: 'auth', confidence: 0.5, root_cause: 'x', suggested_action: 'y', source: 'ollama' }

test('the reply of a remote model counts when it says ok, the first of them', () => {
  const remote = (source: string | null): object => ({
    status: 'ok',
    category: 'infra',
    confidence: 0.2,
    ...(source !== null && { source }),
  })
  expect(selectDiagnosis({ local: good, openai: remote('openai'), claude: remote('claude') })).toMatchObject({
    source: 'openai',
    category: 'infra',
    escalated: true,
  })
  expect(selectDiagnosis({ local: good, openai: { status: 'error' }, claude: remote(null) })).toMatchObject({
    source: 'remote',
    escalated: false,
  })
  expect(selectDiagnosis({ local: good, openai: null, claude: null })).toEqual({
    category: 'auth',
    confidence: 0.5,
    rootCause: 'x',
    suggestedAction: 'y',
    source: 'ollama',
    escalated: false,
  })
  expect(selectDiagnosis({ local: null, openai: null, claude: null })).toMatchObject({
    category: 'unknown',
    confidence: 0,
    rootCause: '',
  })
})
