import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { DecisionDocument } from '@/lib/api/decision-schemas'
import type { DecisionLine as Line } from '@/lib/api/schemas'
import { patternReadings } from '@/lib/judge/decisions/kept'
import { pathOf } from '@/lib/judge/decisions/path'
import { links } from '@/lib/links'
import { DecisionLine } from './decision-line'
import { Opened } from './decision-panel'
import { Inputs } from './inputs'
import { RecorderVerdict } from './recorder-verdict'
import { RulePath } from './rule-path'
import { SignalHints } from './signal-hints'
import { TwoVerdicts } from './two-verdicts'

const words = {
  contentState: 'contract_violation',
  outcome: 'failed',
  retryReason: 'none',
  subtype: 'adjudicated_failure',
}
const line: Line = {
  ...words,
  basis: 'recomputed',
  missing: [],
  differs: [],
  recorded: null,
  recomputed: words,
  badges: [],
}
const textOf = (html: string): string =>
  html
    .replace(/<svg.*?<\/svg>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .trim()
const renderLine = (more: Partial<Line>): string =>
  renderToStaticMarkup(
    <DecisionLine executionId="1" decision={{ ...line, ...more }} open={false} onOpen={() => undefined} />,
  )

test('the line says state, outcome, reason and by whom it was decided, in words', () => {
  expect(textOf(renderLine({}))).toBe('Decision Contract violation Failed no retry Recomputed by Inquest d')
  expect(renderLine({})).toContain('aria-expanded="false"')
})

test('a state that only a newer source knows reads as itself, and one that is not known says so', () => {
  expect(textOf(renderLine({ contentState: 'half_there' }))).toContain('half_there')
  expect(
    textOf(renderLine({ contentState: 'unknown', missing: ['exit code', 'output'], basis: 'inferred' })),
  ).toContain('Content unknown Failed no retry Inferred by Inquest, 2 inputs missing')
})

test('where recorded and recomputed differ there is a badge, and both stand beside each other', () => {
  const recorded = { ...words, outcome: 'retriable', retryReason: 'resume' }
  const badges = [{ code: 'differs', label: 'recorded and recomputed differ', says: 'Another outcome.' }]
  expect(textOf(renderLine({ basis: 'recorded', badges, recorded }))).toContain(
    'recorded and recomputed differ',
  )
  const table = textOf(
    renderToStaticMarkup(
      <TwoVerdicts
        decision={
          { recorded, recomputed: words, differs: ['outcome', 'retryReason'] } as unknown as DecisionDocument
        }
      />,
    ),
  )
  expect(table).toContain('outcome, differs Retriable Failed')
  expect(table).toContain('retry reason, differs cut short, can be resumed resume no retry none')
})

const decision = {
  ...words,
  basis: 'recomputed',
  missing: ['kill reason'],
  inputRedacted: true,
  because: '',
  rule: '',
  trace: [
    {
      rule: 'content:fail:expected_artifact_absent',
      stage: 'content',
      inputs: { patterns_missing: ['b\u202e'] },
      effect: 'no success',
    },
  ],
  evidence: {
    termination: 'natural_exit',
    exit_code: null,
    signal: 'SIGTERM',
    channel: 'channel_a',
    marker: '',
    patterns: ['a', 'b\u202e'],
    command: 'claude -p <b>x</b>',
    result_chars: 900,
    result_tail: 'the end \u001b[31m',
    warnings: ['record_split_by_line_separator'],
    newer_thing: 'x',
  },
} as unknown as DecisionDocument

test('every input is told, what is missing is among them, and hostile text is made visible', () => {
  const text = textOf(
    renderToStaticMarkup(<Inputs decision={decision} patterns={patternReadings(decision, null)} />),
  )
  for (const told of [
    'Termination exited on its own natural_exit',
    'Signal SIGTERM',
    'Completion marker none required',
    'Kill reason missing',
    'a found',
    'b ⟨U+202E⟩ missing',
    'claude -p <b>x</b>',
    'End of the result (887 more characters before it)',
    'Part of the output was redacted on import',
    'a line separator cut a record in two',
    'Newer thing x',
  ])
    expect(text).toContain(told)
  expect(text).not.toMatch(/[\u202e\u001b]|Exit code/)
})

test('what a run was not asked for is told once, and is missing only where nothing tells whether it was', () => {
  const told = (evidence: object): string => {
    const missing = ['completion marker', 'expected patterns']
    return textOf(
      renderToStaticMarkup(
        <Inputs decision={{ ...decision, missing, evidence } as unknown as DecisionDocument} patterns={[]} />,
      ),
    )
  }
  expect(told({ exit_code: 0, marker: '', patterns: [] })).toMatch(
    /^Recorded inputs Exit code 0 Completion marker not given to the recorder Expected patterns not given to the recorder Part/,
  )
  expect(told({ exit_code: 0 })).toMatch(
    /^Recorded inputs Exit code 0 Completion marker missing Expected patterns missing Part/,
  )
})

test('each stage of the path is told with its rule or with why none fired, and no code stands alone', () => {
  const stops = pathOf({
    trace: decision.trace,
    exitCode: 0,
    termination: 'natural_exit',
    channel: 'channel_a',
    subtype: 'success',
    gates: null,
  })
  const html = renderToStaticMarkup(<RulePath stops={stops} verdict={words} />)
  const text = textOf(html)
  expect(text).toContain(
    'Content The result does not match every expected pattern. Not a success. content:fail:expected_artifact_absent Missing patterns b ⟨U+202E⟩',
  )
  expect(text).toContain('Success The content decides.')
  expect(text).toContain('Failed , no retry')
  // The lanes are decoration: what they show is said.
  expect(
    [...html.matchAll(/<svg[^>]*>/g)].every(
      ([tag]) => tag.includes('aria-hidden="true"') || tag.includes('role="img"'),
    ),
  ).toBe(true)
})

test('of a verdict that holds whatever is not known, no path is drawn that breaks off', () => {
  const held = { ...words, outcome: 'retriable', retryReason: 'drain_race' }
  const opened = (missing: string[]): string =>
    textOf(
      renderToStaticMarkup(
        <Opened
          executionId="1"
          decision={
            {
              ...decision,
              ...held,
              recomputed: held,
              recorded: null,
              recorder: null,
              signalHints: [],
              missing,
              because: 'Either way.',
            } as DecisionDocument
          }
        />,
      ),
    )
  const text = opened(['pattern ^(?!draft)'])
  expect(text).not.toContain('Rule path')
  expect(text).toContain('Some rules could not be evaluated Unknown inputs: pattern ^(?!draft).')
  expect(text).toContain('Same outcome either way: Either way.')
  expect(opened([])).toContain('Rule path')
})

test('a rule of a newer version is told by its code and effect', () => {
  const stops = pathOf({
    trace: [{ rule: 'gate:moon', stage: 'gates', inputs: {}, effect: 'held back' }],
    exitCode: 0,
    termination: 'natural_exit',
    channel: null,
    subtype: null,
    gates: null,
  })
  expect(textOf(renderToStaticMarkup(<RulePath stops={stops} verdict={words} />))).toContain(
    'Rule of a newer version. held back. gate:moon',
  )
})

const recorder = {
  failed: true,
  kind: 'permission_denied',
  reason: null,
  text: 'Tools were denied: Bash\u202e',
  failedOn: 'permission-denied',
  differs: 'reason' as const,
}
const besideRecorder = (more: object): string =>
  textOf(
    renderToStaticMarkup(
      <RecorderVerdict
        decision={
          {
            ...decision,
            because: 'The agent declared the run failed.',
            rule: 'agent_signal',
            ...more,
          } as DecisionDocument
        }
      />,
    ),
  )

test('what the recorder judged stands beside it where that is something else, and nowhere where both agree', () => {
  const text = besideRecorder({ recorder })
  for (const told of [
    'The recorder gave another reason',
    'Recorder Failed Tools were denied: Bash ⟨U+202E⟩',
    'Exit status set to 70 (--fail-on permission-denied)',
    'Inquest Failed The agent declared',
  ])
    expect(text).toContain(told)
  expect(
    besideRecorder({
      recorder: { ...recorder, failed: false, failedOn: null, text: null, differs: 'outcome' },
    }),
  ).toContain('The recorder reached another verdict Recorder Did not fail No failure found.')
  expect(besideRecorder({ recorder: { ...recorder, differs: null } })).toBe('')
  expect(besideRecorder({ recorder: null })).toBe('')
})

test('a breach of the contract by the failure block is a hint with the way to the block', () => {
  const pointer = { received: 'a'.repeat(64), byteStart: 3, byteEnd: 9, jsonPointer: '/result' }
  const html = renderToStaticMarkup(
    <SignalHints
      executionId="1"
      hints={[{ breach: 'no_reason', text: 'The failure block gives no reason.', pointer }]}
    />,
  )
  expect(textOf(html)).toBe('Hint: The failure block gives no reason. View raw block')
  expect(html).toContain(links.bytes('1', pointer).replaceAll('&', '&amp;'))
  expect(renderToStaticMarkup(<SignalHints executionId="1" hints={[]} />)).toBe('')
})
