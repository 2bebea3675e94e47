import { expect, test } from 'vitest'
import { receipts } from '../formats/receipt/adapter'
import { createAnalysis } from './analyse'
import { asEvent, linesOf } from './samples.support'
import { storyOf } from './story.support'
import type { AnalysedEvent, ExecutionSummary } from '../model/summary'
import { worded } from './worded.support'

interface Said {
  id: string
  tool?: string
  target?: string
  hash?: string
  outcome?: object | null
}

const SESSION = 's-1'
/** Receipts of one chain, unsigned: who signed them is no matter here. */
const eventsOf = (said: readonly Said[]): AnalysedEvent[] =>
  said.flatMap(({ id, tool = 'Bash', target, hash, outcome = { status: 'success' } }, i) => {
    const text = JSON.stringify({
      id: `urn:receipt:${id}`,
      issuer: { id: 'did:agent:a', session_id: SESSION },
      proof: {},
      credentialSubject: {
        correlation_id: id,
        action: {
          type: 'system.command.execute',
          tool_name: tool,
          timestamp: new Date(Date.UTC(2025, 5, 1) + i * 1_000).toISOString(),
          ...(target === undefined ? {} : { target: { system: 'filesystem', resource: target } }),
          ...(hash === undefined ? {} : { parameters_hash: hash }),
        },
        chain: { chain_id: 'c', sequence: i + 1, previous_receipt_hash: null },
        ...(outcome === null ? {} : { outcome }),
      },
    })
    return [...linesOf(new TextEncoder().encode(text))].map((line) =>
      asEvent(receipts.read(line, null), `receipt-${i}`, 'receipt'),
    )
  })
const analyse = (events: readonly AnalysedEvent[]) => {
  const analysis = createAnalysis(SESSION)
  for (const e of events) analysis.add(e)
  return worded(analysis.finish())
}
const fail = (error?: string) => ({ status: 'failure', ...(error === undefined ? {} : { error }) })
const chainsOf = ({ chains }: Pick<ExecutionSummary, 'chains'>) =>
  chains.map((c) => [c.failedCallIds, c.nextCallId, c.recovered])

test('calls without a target and with other parameters are no attempts of one call', () => {
  const summary = analyse(
    eventsOf([
      { id: 'a', hash: 'sha256:1', outcome: fail('no space left') },
      { id: 'b', hash: 'sha256:2' },
    ]),
  )
  expect(chainsOf(summary)).toEqual([[['a'], null, false]])
  expect(summary.calls.map((a) => a.linkRule)).toEqual([null, null])
  expect(JSON.stringify(summary.advice)).not.toMatch(/same target|Nothing to mend/)
})

test('those with the same parameters are, and that is said of them', () => {
  const summary = analyse(
    eventsOf([
      { id: 'a', hash: 'sha256:1', outcome: fail('no space left') },
      { id: 'b', hash: 'sha256:2' },
      { id: 'c', hash: 'sha256:1' },
    ]),
  )
  expect(chainsOf(summary)).toEqual([[['a'], 'c', true]])
  expect(summary.calls.map((a) => [a.linkRule, a.inputChanged])).toEqual([
    [null, null],
    [null, null],
    ['same_tool_same_parameters', false],
  ])
})

test('those of which neither is known are not, and nobody claims that they were not tried again', () => {
  const summary = analyse(eventsOf([{ id: 'a', outcome: fail('no space left') }, { id: 'b' }]))
  expect(chainsOf(summary)).toEqual([[['a'], null, false]])
  expect(summary.cause!.text).toContain('unclear if retried')
  expect(summary.advice!.retryBecause).toContain('Receipts do not show if it was retried')
})

test('one target makes attempts, whatever the parameters were', () =>
  expect(
    chainsOf(
      analyse(
        eventsOf([
          { id: 'a', tool: 'Edit', target: '/srv/a.ts', hash: 'sha256:1', outcome: fail('no') },
          { id: 'b', tool: 'Edit', target: '/srv/a.ts', hash: 'sha256:2' },
        ]),
      ),
    ),
  ).toEqual([[['a'], 'b', true]]))

test('a call of a transcript without a target is no attempt of one that only a receipt tells of', () => {
  const story = storyOf('t').call('x', 'Bash', null).ok('x')
  expect(chainsOf(analyse([...eventsOf([{ id: 'a', outcome: fail('no') }]), ...story.events]))).toEqual([
    [['a'], null, false],
  ])
})

test.each<[string, Said, RegExp]>([
  [
    'a command',
    { id: 'toolu_1', outcome: fail('no space left') },
    /^The error alone, “no space left”, does not say what to fix\. The receipt does not include the input\. Look in .*transcript.*“toolu_1”/,
  ],
  [
    'a file',
    { id: 'toolu_1', tool: 'Edit', target: '/srv/app/f2999.ts', outcome: fail('no space left') },
    /The receipt does not include the input/,
  ],
  [
    'an empty error',
    { id: 'toolu_1', outcome: fail('  ') },
    /^The receipt includes neither the error nor the input\. Look in .*“toolu_1”/,
  ],
  [
    'no error',
    { id: 'toolu_1', outcome: fail() },
    /^The receipt includes neither the error nor the input\. Look in .*“toolu_1”/,
  ],
  [
    'a check that failed',
    { id: 'toolu_1', outcome: fail('FAIL: expected 1 to be 2') },
    /let the agent retry the call/,
  ],
  [
    'a busy service',
    { id: 'toolu_1', outcome: fail('read ECONNRESET') },
    /The receipt does not include the input/,
  ],
  [
    'an edit that was not read',
    { id: 'toolu_1', tool: 'Edit', target: '/srv/a.ts', outcome: fail('File has not been read yet.') },
    /The receipt does not include the input/,
  ],
])('nobody is told to run by hand what no receipt holds: %s', (_name, said, next) => {
  const { advice } = analyse(eventsOf([said]))
  expect(advice!.next).toMatch(next)
  expect(advice!.next).not.toMatch(/by hand|run (?:Bash|Edit)/i)
})

test('a failure without a word in a transcript is not quoted by its name', () => {
  const { advice } = analyse(
    storyOf('t').prompt('go').call('a', 'Bash', 'make', { looseTarget: 'make' }).fail('a', ' ').events,
  )
  expect(advice!.next).toBe(
    'Run Bash “make” by hand and read its full output; there is no error message to start from.',
  )
})

test.each<[string, object | null]>([
  ['without an outcome', null],
  ['with one that is no word', { status: 7 }],
])('a receipt %s does not tell how its call ended: that is no record that breaks off', (_name, outcome) => {
  const { cause, advice, outcomeBecause } = analyse(eventsOf([{ id: 'a', outcome }]))
  expect(cause).toMatchObject({
    category: 'result_unreadable',
    text: 'The last receipt has no readable outcome for Bash',
  })
  expect(outcomeBecause).toContain('no readable outcome')
  expect(advice!.next).toMatch(/Its outcome may be in .*“a”/)
})

test('a pending receipt still waits for its result', () =>
  expect(analyse(eventsOf([{ id: 'a', outcome: { status: 'pending' } }])).cause).toMatchObject({
    category: 'cut_off',
    text: 'The record ends before Bash returned',
  }))

test('numbers in sentences are written as those beside them', () => {
  const many = Array.from({ length: 1_200 }, (_, i) => ({
    id: `n${i}`,
    tool: 'Read',
    target: `/srv/${i}.ts`,
    ...(i === 1_100 ? { outcome: fail('no') } : {}),
  }))
  const text = analyse(eventsOf(many)).cause!.text
  expect(text).toContain('1 of 1,200 calls failed')
})
