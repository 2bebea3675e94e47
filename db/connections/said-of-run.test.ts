import { expect, test } from 'vitest'
import { fetchFailure, type FetchFailure } from '@/lib/connections/failures'
import type { StatusAnswer } from './noetl-server'
import type { RunStanding } from './run-standing'
import { saidOfRuns } from './said-of-run'

const standing = (more: Partial<RunStanding> = {}): RunStanding => ({
  runId: '7',
  status: null,
  ended: false,
  takenTo: null,
  takenRows: null,
  walk: null,
  failures: 0,
  quiet: 0,
  listed: null,
  listedTaken: null,
  statusAsked: null,
  ...more,
})
const listed = (status: string) => ({
  status,
  entry: `{"execution_id":"7","status":"${status}"}`,
  at: '2026-05-06T10:00:00.000Z',
})
const NOW = '2026-05-06T11:00:00.000Z'
type Answer = StatusAnswer | { ok: false; failure: FetchFailure }
function asking(answer: Answer) {
  const told: string[] = []
  let asked = 0
  const said = saidOfRuns({
    server: { status: async () => (asked++, answer) },
    now: () => NOW,
    onFailure: (runId, { kind }) => void told.push(`${runId} ${kind}`),
  })
  return { said, told, asked: () => asked }
}
const COMPLETED = '{"execution_id":"7","completed":true,"failed":false}'
const answers: Answer = { ok: true, text: COMPLETED }
const AS_TAKEN = COMPLETED.replace('{', `{"asked_at":"${NOW}",`)

test.each([
  ['RUNNING', null, []],
  ['COMPLETED', null, [AS_TAKEN]],
  [null, null, []],
  ['RUNNING', 'RUNNING', []],
  // Where only the list knows of an end, the entry counts too.
  [
    'RUNNING',
    'FAILED',
    [`{"asked_at":"2026-05-06T10:00:00.000Z","execution_id":"7","status":"FAILED"}`, AS_TAKEN],
  ],
  ['COMPLETED', 'RUNNING', [AS_TAKEN]],
  ['COMPLETED', 'COMPLETED', [AS_TAKEN]],
] as const)('document %s, list %s', async (status, list, documents) => {
  const { said } = asking(answers)
  const first = await said(standing({ listed: list === null ? null : listed(list) }), status, true)
  expect(first.documents).toEqual(documents)
  expect((await said(first.run, status, false)).documents, 'once').toEqual([])
})

test('the entry of the list is taken again when it changes, once it was taken', async () => {
  const { said } = asking(answers)
  const { documents, run } = await said(
    standing({ listed: listed('COMPLETED'), listedTaken: 'FAILED', statusAsked: 'COMPLETED' }),
    'COMPLETED',
    false,
  )
  expect([documents.length, run.listedTaken]).toEqual([1, 'COMPLETED'])
})

test('what fails is asked once more when the run is looked at again, and then no more', async () => {
  const { said, told } = asking({ ok: false, failure: fetchFailure('timed_out') })
  const first = await said(standing(), 'COMPLETED', true)
  const second = await said(first.run, 'COMPLETED', false)
  expect([first.run.statusAsked, second.run.statusAsked, told]).toEqual([
    null,
    'COMPLETED',
    ['7 timed_out', '7 timed_out'],
  ])
})

test('after three that failed no other is asked for', async () => {
  const { said, told, asked } = asking({ ok: false, failure: fetchFailure('down') })
  for (const runId of ['1', '2', '3', '4', '5']) await said(standing({ runId }), 'FAILED', true)
  expect([asked(), told]).toEqual([3, ['1 down', '2 down', '3 down']])
})
