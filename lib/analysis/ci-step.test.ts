import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { claudeStream } from '../formats/claude/claude-stream'
import { foldAll } from '../formats/claude/testing/fold'
import { recordDocument } from '../formats/record/adapter'
import { createAnalysis } from './analyse'
import { asEvent } from './samples.support'

const SESSION = '5b0c1f7e-0000-4000-8000-000000000009'
const CI = { provider: 'github', path: 'acme/shop', run: '77', attempt: 1, job: 'agent' }
const init = { type: 'system', subtype: 'init', session_id: SESSION, tools: ['Bash'] }
const says = (...content: object[]) => ({
  type: 'assistant',
  session_id: SESSION,
  message: { id: `m-${JSON.stringify(content)}`, role: 'assistant', content },
})
const done = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  num_turns: 12,
  result: 'Done.',
  session_id: SESSION,
}
const refused = {
  type: 'result',
  subtype: 'error_max_turns',
  is_error: true,
  num_turns: 12,
  errors: ['over'],
  session_id: SESSION,
}
const open = says({ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'npm test' } })

const failed = [
  says({ type: 'tool_use', id: 'toolu_0', name: 'Bash', input: { command: 'npm test' } }),
  {
    type: 'user',
    session_id: SESSION,
    message: {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_0',
          is_error: true,
          content: 'Exit code 1\n2 tests failed',
        },
      ],
    },
  },
]

function judged(records: object[], ...conclusions: (string | null)[]) {
  const analysis = createAnalysis(SESSION)
  for (const record of foldAll(claudeStream, records)) analysis.add(asEvent(record, 'stream', 'stream'))
  conclusions.forEach((conclusion, n) => {
    const line = {
      type: 'record.ci',
      version: 1,
      executionKey: SESSION,
      ci: { ...CI, attempt: n + 1 },
      conclusion,
    }
    for (const record of foldAll(recordDocument, [line])) analysis.add(asEvent(record, `ci-${n}`, 'record'))
  })
  const { outcome, outcomeBasis, outcomeRule, failedAt, cause, advice, attention, evidence } =
    analysis.finish()
  return {
    ...{ outcome, rule: outcomeRule, cause: cause?.message.id, params: cause?.message.params },
    ...{
      basis: outcomeBasis,
      failedAt,
      category: cause?.category,
      because: advice?.because.id,
      next: advice?.next.id,
    },
    ...{ attention: attention.needed, pointer: cause?.pointer, steps: evidence.ciSteps?.length ?? 0 },
  }
}

test('a failed step turns a run red whose records end in success, and says so', () => {
  expect(judged([init, says({ type: 'text', text: 'Done.' }), done], 'failure')).toMatchObject({
    ...{ outcome: 'failed', basis: 'recorded', rule: 'ci_step_failed', failedAt: 'cli' },
    ...{ cause: 'ci_step_failed', params: { inside: 'success' }, category: 'process' },
    ...{ because: 'ci_step_failed', next: 'read_step_log', attention: true },
  })
})

test('records without a result, and no records at all, are told apart', () => {
  expect(judged([init, says({ type: 'text', text: 'I will begin.' })], 'failure').params).toEqual({
    inside: 'no_result',
  })
  expect(judged([init], 'failure')).toMatchObject({ outcome: 'failed', params: { inside: 'nothing' } })
  expect(judged([], 'failure')).toMatchObject({
    outcome: 'failed',
    params: { inside: 'nothing' },
    pointer: { byteStart: 0 },
  })
})

test('a call that the step broke off at is still the cause', () => {
  expect(judged([init, open], 'failure')).toMatchObject({
    ...{ outcome: 'failed', rule: 'ci_step_failed', cause: 'call_unanswered', because: 'call_open' },
  })
})

test('a call that failed before the step broke off is not why it did', () => {
  const failing = [init, ...failed, open]
  expect(judged(failing, 'failure')).toMatchObject({
    ...{ outcome: 'failed', rule: 'ci_step_failed', cause: 'ci_step_failed', next: 'read_step_log' },
  })
})

test('a failure that the records tell themselves stands', () => {
  expect(judged([init, refused], 'failure')).toEqual({ ...judged([init, refused]), steps: 1 })
  expect(judged([init, refused], 'cancelled')).toEqual({ ...judged([init, refused]), steps: 1 })
})

test('a cancelled step ends what has no end, and nothing else', () => {
  expect(judged([init, open], 'cancelled')).toMatchObject({ outcome: 'cancelled', rule: 'ci_step_cancelled' })
  expect(judged([], 'cancelled')).toMatchObject({
    ...{
      outcome: 'cancelled',
      cause: 'ci_step_cancelled',
      because: 'ci_step_cancelled',
      next: 'rerun_cancelled',
    },
  })
  const good = [init, says({ type: 'text', text: 'Done.' }), done]
  expect(judged(good, 'cancelled').outcome).toBe('succeeded')
})

test('a step that passed, or did not say how it ended, changes nothing; of several the last that said counts', () => {
  const good = [init, says({ type: 'text', text: 'Done.' }), done]
  for (const conclusion of ['success', null, 'neutral'])
    expect(judged(good, conclusion)).toEqual({ ...judged(good), steps: 1 })
  expect(judged(good, 'failure', null).outcome).toBe('failed')
  expect(judged(good, 'failure', 'success').outcome).toBe('succeeded')
})

test('every rule of a step is in the docs', () => {
  const docs = readFileSync('docs/sources/outcome.md', 'utf8')
  for (const rule of ['ci_step_failed', 'ci_step_cancelled']) expect(docs).toContain(`\`${rule}\``)
})
