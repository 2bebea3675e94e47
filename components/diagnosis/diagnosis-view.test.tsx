import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { RunDiagnosisDocument } from '@/lib/api/diagnosis-schemas'
import { parseExactJson } from '@/lib/text/exact-json'
import { RUN_DIAGNOSIS_STATES, readDiagnosis } from '@/lib/judge/diagnosis/run-diagnosis'
import { DiagnosisBrief } from './diagnosis-line'
import { DiagnosisRead } from './diagnosis-view'
import { STATE_WORDS } from '@/lib/words/diagnosis'

type One = RunDiagnosisDocument['diagnoses'][number]

const jsonValue = (json: string) => {
  const read = parseExactJson(json)
  if (!read.ok) throw new Error(json)
  return readDiagnosis(read.value)
}
const whole = (more = ''): string =>
  `{"category":"infra","confidence":0.78,"root_cause":"No such host.","suggested_action":"Mend it.","source":"ollama"${more}}`
const pointer = { received: 'a'.repeat(64), byteStart: 0, byteEnd: 900 }
const one = (more: Partial<One> = {}): One => ({
  state: 'attached',
  step: 'ask',
  error: {
    kind: '"agent.execution"',
    code: '"PLAYBOOK_FAILED"',
    message: '"it did not work"',
    retryable: 'false',
  },
  row: { eventId: '620357385518352253', type: 'call.done', at: null, pointer },
  childId: '620356931248455716',
  eventId: '620357385518352253',
  pointer,
  value: jsonValue(whole()),
  attempts: [],
  agentRun: null,
  elsewhere: null,
  versions: [],
  ...more,
})
const documentOf = (diagnoses: One[], more: Partial<RunDiagnosisDocument> = {}): RunDiagnosisDocument => ({
  executionId: 'e1',
  holderId: 'e1',
  state: diagnoses[0]?.state ?? 'none_requested',
  diagnoses,
  unclaimed: null,
  firstFailure: null,
  lastFailure: null,
  ...more,
})
const render = (diagnoses: One[], more: Partial<RunDiagnosisDocument> = {}): string =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <DiagnosisRead document={documentOf(diagnoses, more)} row={null} focus={null} version={1} />
    </QueryClientProvider>,
  )
const textOf = (html: string): string =>
  html
    .replace(/<svg.*?<\/svg>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('&quot;', '"')
const told = (diagnosis: string): string => textOf(render([one({ value: jsonValue(diagnosis) })]))

test.each(RUN_DIAGNOSIS_STATES)(
  '%s: the state is said in words, with what it means and what to do, and the error stays',
  (state) => {
    const text = textOf(render([one({ state, value: state === 'attached' ? jsonValue(whole()) : null })]))
    const { name, means, next } = STATE_WORDS[state]
    for (const words of [
      name,
      means,
      next,
      'it did not work',
      'agent.execution',
      'PLAYBOOK_FAILED',
      'Retryable false',
    ])
      expect(text).toContain(words)
  },
)

test('the five keys come first, what is usual next, and what nobody knows last and whole', () => {
  const text = told(
    whole(
      ',"later":{"id":9007199254740993123},"model":"m1","_meta":{"diagnosis_fetch":{"poll_count":3,"elapsed_seconds":4.0370,"deadline_seconds":60.0,"hit_deadline":true}},"escalated":true,"user_message":"Sorry","execution_id":"620356931248455716"',
    ),
  )
  const at = [
    'Category',
    '0.78',
    'No such host.',
    'Mend it.',
    'ollama',
    'a paid remote model was used',
    'm1',
    'Sorry',
    '620356931248455716',
    'Fetched in 3 polls after 4.0370 s of at most 60.0 s; deadline reached.',
    '{"id":9007199254740993123}',
  ].map((words) => text.indexOf(words))
  expect(at).not.toContain(-1)
  expect(at).toEqual(at.toSorted((a, b) => a - b))
  expect(render([one()])).toContain('aria-label="4 of 5 bars"')
})

test.each([
  ['1e400', 'outside 0 to 1; shown as is'],
  ['85', 'outside 0 to 1; shown as is'],
  ['-0.1', 'outside 0 to 1; shown as is'],
  ['"0.9"', 'not a number'],
  ['true', 'not a number'],
  ['null', 'not a number'],
])('a confidence of %s is shown as it stands and flagged, and draws no bars', (confidence, flag) => {
  const value = jsonValue(whole().replace('0.78', confidence))
  const html = render([one({ value })])
  expect(textOf(html)).toContain(`confidence ${confidence} ${flag}`)
  expect(html).not.toContain('of 5 bars')
})

test('a low confidence says so; a missing key, an empty text and words outside of the lists are named where they stand', () => {
  expect(told(whole().replace('0.78', '0.49'))).toContain('0.49 low')
  expect(told(whole())).not.toContain(' low')
  const text = told('{"category":"gremlins","confidence":1,"root_cause":"","source":7}')
  for (const words of [
    'Required keys are missing',
    'gremlins not one of transient_5xx',
    'empty text empty',
    'suggested_action missing',
    '7 not one of ollama',
  ])
    expect(text).toContain(words)
})

test('a handle is what it is: the run that was started, and no list of what is missing', () => {
  const text = textOf(
    render([
      one({
        state: 'handle_only',
        value: jsonValue('{"execution_id":"620356943059615814","status":"started"}'),
      }),
    ]),
  )
  expect(text).toContain('Diagnosis run execution_id 620356943059615814')
  expect(text).toContain('Other key status started')
  expect(text).not.toContain('root_cause')
})

test('hostile text is text', () => {
  const html = render([
    one({
      value: jsonValue(whole().replace('No such host.', '<img src=x onerror=alert(1)>\\u001b[2J\\u202egpj')),
    }),
  ])
  expect(html).not.toContain('<img')
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
  expect(html).not.toMatch(/[\u001b\u202e]/)
})

test('a diagnosis that only its own run holds is read from there, called not attached, and points at the parity', () => {
  const elsewhere = {
    id: 'e2',
    externalId: '620356943059615814',
    row: { eventId: '1', type: 'call.done', at: null, pointer },
    value: jsonValue(whole()),
  }
  const attempts = [
    { id: 'e2', externalId: '620356943059615814', path: 'automation/troubleshoot', outcome: 'succeeded' },
  ]
  const html = render([one({ state: 'attempted_nothing_attached', value: null, elsewhere, attempts })])
  const text = textOf(html)
  for (const words of [
    /Run 620356943059615814 produced a diagnosis that was never saved here/,
    /Inferred from that run/,
    /No such host\./,
    /Succeeded 620356943059615814 automation\/troubleshoot/,
  ])
    expect(text).toMatch(words)
  expect(html).toContain('href="/executions/e1?view=parity"')
  expect(text).not.toContain(STATE_WORDS.attempted_nothing_attached.next)
})

test('where the run was only started, that is all that is said to stand in its place', () => {
  const elsewhere = {
    id: 'e2',
    externalId: '620356943059615814',
    row: { eventId: '1', type: 'call.done', at: null, pointer },
    value: jsonValue(whole()),
  }
  const text = textOf(
    render([
      one({ state: 'handle_only', value: jsonValue('{"execution_id":"620356943059615814"}'), elsewhere }),
    ]),
  )
  expect(text).toContain('Only the ID of the diagnosis run was stored')
  expect(text).not.toContain('It was lost in transit')
})

test('a diagnosis of an agent of which no row tells is shown, and not called none', () => {
  const unclaimed = {
    id: 'e2',
    externalId: '620356943059615814',
    row: { eventId: '1', type: 'call.done', at: null, pointer },
    value: jsonValue(whole()),
  }
  const text = textOf(render([], { unclaimed, holderId: null }))
  expect(text).toMatch(
    /its result is not recorded here.*Run 620356943059615814 produced a diagnosis.*No such host\./,
  )
  expect(text).not.toContain('No agent failed in this run')
})

test('other versions of the row are named beside the one that is shown', () => {
  const html = render([
    one({
      versions: [
        { state: 'absent', pointer: { ...pointer, received: 'ab'.repeat(32) } },
        { state: 'dispatch_handle', pointer },
      ],
    }),
  ])
  expect(textOf(html)).toMatch(
    /2 other copies of this row differ.*no diagnosis, in abababababab….*only a run ID/,
  )
})

test('the first failing row stands beside the last, which the producer diagnoses', () => {
  const row = (type: string, eventId: string) => ({
    eventId,
    type,
    step: 'ask',
    at: null,
    what: 'tool_error' as const,
    text: `${type} broke`,
    pointer: { ...pointer, byteStart: Number(eventId) },
    whole: pointer,
  })
  const text = textOf(
    render([one()], { firstFailure: row('call.error', '1'), lastFailure: row('command.failed', '2') }),
  )
  expect(text).toMatch(
    /on the last failing event.*First failing event.*call\.error broke.*Last failing event.*command\.failed broke/,
  )
  expect(
    textOf(render([one()], { firstFailure: row('call.error', '1'), lastFailure: row('call.error', '1') })),
  ).toContain('Only failing event')
})

test('of several agents each is told, and one tree is open', () => {
  const html = render([
    one(),
    one({ step: 'other', row: { ...one().row, eventId: '77' }, state: 'none_requested', value: null }),
  ])
  expect(textOf(html)).toContain('2 agents failed')
  expect(html).toContain('href="/executions/e1?view=diagnosis&amp;row=77#/result/context/error"')
  expect([...html.matchAll(/aria-label="Row"/g)]).toHaveLength(1)
})

test('the run of an agent says whose rows tell of it, and a run without a failed agent says so', () => {
  expect(render([one()], { holderId: 'e9' })).toContain('href="/executions/e9?view=diagnosis"')
  expect(textOf(render([one()], { holderId: 'e9' }))).toContain(
    'See the events of this run for why it failed.',
  )
  expect(textOf(render([], { holderId: null }))).toContain('No agent failed in this run')
})

test('in one line: state, category, confidence and root cause', () => {
  const brief = (given: One[]): string =>
    textOf(renderToStaticMarkup(<DiagnosisBrief document={documentOf(given)} />)).trim()
  expect(brief([one()])).toMatch(
    /^Diagnosis infra 0\.78 No such host\. Agent run View diagnosis Suggested action: Mend it\.$/,
  )
  expect(brief([one({ state: 'handle_only', value: jsonValue('{"execution_id":"7"}') })])).toMatch(
    /^Diagnosis run ID only Agent run/,
  )
  expect(brief([one({ value: jsonValue(whole().replace('0.78', '0.2')) })])).toContain('0.2 low')
  expect(brief([])).toContain('the calling run is not stored')
})

test('what the own run of the agent says is carried up, with its id as a link and the action that the diagnosis suggests, all as text', () => {
  const row = {
    eventId: '7',
    type: 'call.done',
    step: 'resolve',
    at: null,
    what: 'tool_error' as const,
    text: 'no such host db9',
    pointer,
    whole: pointer,
  }
  const agentRun: NonNullable<One['agentRun']> = {
    id: 'c1',
    externalId: '620356931248455716',
    outcome: 'failed',
    cause: 'The run failed: <b>resolve</b> failed',
    advice: { retry: 'cannot-help', retryBecause: 'The name is wrong.', next: 'Mend the name.' },
    firstFailure: row,
    lastFailure: row,
  }
  const diagnoses = [one({ agentRun })]
  const line = renderToStaticMarkup(<DiagnosisBrief document={documentOf(diagnoses)} />)
  expect(textOf(line)).toContain('Suggested action: Mend it.')
  const whole = render(diagnoses, {
    firstFailure: { ...row, text: 'the agent failed' },
    lastFailure: { ...row, text: 'the agent failed' },
  })
  const [child, own] = ['Failing events of the agent’s run', 'Failing events of this run'].map((words) =>
    textOf(whole).indexOf(words),
  )
  expect(child).toBeGreaterThan(-1)
  expect(own).toBeGreaterThan(child!)
  expect(textOf(whole).slice(child, own)).toContain('no such host db9')
  // Where that run is not stored, nothing stands for it.
  expect(textOf(render([one()]))).not.toContain('Failing events of the agent')
})
