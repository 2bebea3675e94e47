import { RECOVERIES, RETRY_VERDICTS, type RetryVerdicts } from '@/lib/model/retry'
import type { ProductRows } from './product-rows'
import type { Entity, Field } from './vocabulary'

/**
 * One change for each field of the vocabulary, made to what the product answers, before it is mapped. The
 * compiler refuses a field without one. A row that a plant does not fit, because the changed value would
 * show in a second field, too, is passed over by its `fits`.
 */
interface Plant<Row> {
  change: (row: Row) => void
  fits?: (row: Row) => boolean
}

type Plants = { [E in Entity]: { [F in Field<E>]: Plant<ProductRows[E]> } }

/** Another value of the same kind. */
function other(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return [...(value as unknown[]), 'planted']
  return typeof value === 'string' ? `${value}_planted` : 'planted'
}

const set = <Row extends object>(property: keyof Row & string): Plant<Row> => ({
  change: (row) => void ((row as Record<string, unknown>)[property] = other(row[property])),
})

const planted = { received: 'f'.repeat(64), byteStart: 1, byteEnd: 2 }

const verdicts = <Row>(
  adviceOf: (row: Row) => Partial<RetryVerdicts> | null,
): Record<keyof RetryVerdicts, Plant<Row>> => {
  const plant = (change: (advice: Writable<Partial<RetryVerdicts>>) => void): Plant<Row> => ({
    fits: (row) => adviceOf(row) !== null,
    change: (row) => change(adviceOf(row)!),
  })
  return {
    runRetry: plant((advice) => void (advice.runRetry = otherOf(RETRY_VERDICTS, advice.runRetry))),
    callRetry: plant((advice) => void (advice.callRetry = otherOf(RETRY_VERDICTS, advice.callRetry))),
    recoveredBy: plant((advice) => void (advice.recoveredBy = otherOf(RECOVERIES, advice.recoveredBy))),
    afterOtherWork: plant((advice) => void (advice.afterOtherWork = !advice.afterOtherWork)),
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }
const otherOf = <T>(values: readonly T[], value: T | null | undefined): T =>
  values.find((one) => one !== value)!

const ofExecution = verdicts<ProductRows['execution']>((row) => row.advice)
const ofFailure = verdicts<ProductRows['failure']>((row) => row)
const ofChain = verdicts<ProductRows['chain']>((row) => row.failure)

type Execution = ProductRows['execution']
const count = (
  name: 'records' | 'calls' | 'failedCalls' | 'callsWithoutResult' | 'chains' | 'recoveredChains',
): Plant<Execution> => ({
  change: (row) => void (row.counts[name] += 1),
})

export const PLANTS: Plants = {
  input: {
    format: set('format'),
    accepted: set('accepted'),
    duplicates: set('duplicates'),
    sha256: set('sha256'),
  },
  part: {
    format: set('kind'),
    offset: set('byteOffset'),
    keptSha256: set('sha256'),
    keptBytes: set('keptLength'),
  },
  redaction: { rule: set('rule'), byteStart: set('byteStart'), byteEnd: set('byteEnd') },
  odd: { reason: set('reason') },
  execution: {
    outcome: set('outcome'),
    outcomeRule: set('outcomeRule'),
    outcomeBasis: set('outcomeBasis'),
    failedAt: set('failedAt'),
    causeCategory: set('causeCategory'),
    causePointer: { change: (row) => void (row.causePointer = planted) },
    ...ofExecution,
    failuresLeftOut: {
      fits: ({ advice }) => advice !== null,
      change: (row) => void (row.advice!.failuresLeftOut = 7),
    },
    records: count('records'),
    calls: count('calls'),
    failedCalls: count('failedCalls'),
    failedByClass: { change: (row) => void (row.counts.failedByClass = { planted: 1 }) },
    callsWithoutResult: count('callsWithoutResult'),
    chains: count('chains'),
    recoveredChains: count('recoveredChains'),
    events: { change: (row) => void (row.events.planted = 1) },
    oddRecords: set('odd'),
    redactions: set('redactions'),
    parent: set('parentKey'),
    parentCall: set('parentCall'),
    signalBreaches: {
      change: (row) => void row.signalHints.push({ breach: 'fenced', text: '', pointer: planted }),
    },
    receiptFindings: { change: (row) => void (row.silence = { counts: { gap: 3 }, findings: [] }) },
  },
  failure: {
    chains: set('chains'),
    workedAroundChains: set('doneOtherwise'),
    failedCalls: set('failed'),
    ...ofFailure,
  },
  call: {
    order: set('ordinal'),
    tool: set('tool'),
    target: set('target'),
    failureClass: set('failureClass'),
    // Only of a failed call the place of its result is recorded.
    state: { fits: ({ state }) => state === 'succeeded', change: (row) => void (row.state = 'no_result') },
    exitCode: set('exitCode'),
    error: set('errorText'),
    resultPointer: {
      fits: ({ state }) => state === 'failed',
      change: (row) => void (row.resultPointer = planted),
    },
    chain: set('chain'),
    attempt: set('numberInChain'),
    linkRule: set('linkRule'),
    linkBasis: set('linkBasis'),
    linkedTo: set('linkedTo'),
    inputChanged: set('inputChanged'),
    child: set('childKey'),
    dependsOn: { change: (row) => void (row.attachedTo = { callId: 'planted', why: 'sibling_failed' }) },
  },
  chain: {
    tool: set('tool'),
    target: set('target'),
    failedCalls: set('failedCallIds'),
    nextCall: set('nextCallId'),
    recovered: set('recovered'),
    runRetry: ofChain.runRetry,
    callRetry: ofChain.callRetry,
  },
  disagreement: { values: { change: (row) => void (row.values[0]!.said = 'planted') }, used: set('used') },
  decision: {
    basis: set('basis'),
    policy: set('policy'),
    contentState: set('contentState'),
    outcome: set('outcome'),
    retryReason: set('retryReason'),
    subtype: set('subtype'),
    rule: set('rule'),
    missing: set('missing'),
    differs: set('differs'),
    inputRedacted: set('inputRedacted'),
    recorded: {
      fits: ({ recorded }) => recorded !== null,
      change: (row) => void (row.recorded!.outcome = 'planted'),
    },
    recomputed: {
      fits: ({ recomputed }) => recomputed !== null,
      change: (row) => void (row.recomputed!.contentState = 'planted'),
    },
    recorderDiffers: {
      fits: ({ recorder }) => recorder !== null,
      change: (row) => void (row.recorder!.differs = 'reason'),
    },
    trace: {
      change: (row) => void row.trace.push({ rule: 'planted', stage: 'gates', inputs: {}, effect: '' }),
    },
  },
  policyVerdict: {
    contentState: set('contentState'),
    outcome: set('outcome'),
    success: set('success'),
    needsRetry: set('needsRetry'),
    retryReason: set('retryReason'),
    subtype: set('subtype'),
    trace: { change: (row) => void (row.trace = [...row.trace, { rule: 'planted', stage: 'gates' }]) },
  },
  jobAttempt: {
    rule: set('rule'),
    basis: set('basis'),
    attempt: set('attempt'),
    failed: set('failed'),
    inputs: set('inputs'),
  },
  repeatedEffect: { basis: set('basis'), calls: { change: (row) => void (row.calls = row.calls.slice(1)) } },
  receiptFinding: {
    kind: set('kind'),
    count: set('count'),
    call: set('callId'),
    rule: set('rule'),
    failureBy: set('failureBy'),
    reason: set('reason'),
    receipts: { change: (row) => void (row.receipts = row.receipts.slice(1)) },
  },
  storedChain: {
    state: set('state'),
    reason: set('reason'),
    badSequence: set('badSequence'),
    badReceipt: set('badReceiptId'),
    receipts: set('receipts'),
  },
  receiptChain: {
    state: set('state'),
    valid: set('valid'),
    reason: set('reason'),
    reasonWithoutKey: set('reasonWithoutKey'),
    badIndex: set('firstBadIndex'),
    sequenceIssue: set('sequenceIssue'),
    completeness: set('status'),
    startsAbove: set('startsAbove'),
    warnings: { change: (row) => void row.warnings.push({ code: 'schema_violation', index: 0 }) },
    receipts: { change: (row) => void row.rows.pop() },
  },
  receipt: {
    malformed: set('malformed'),
    signature: set('signature'),
    signatureFault: set('signatureFault'),
    hashLink: set('hashLink'),
    sequence: set('sequence'),
    sequenceIssue: set('sequenceIssue'),
    rotationFault: set('rotationFault'),
    foreign: set('foreign'),
    hash: set('hash'),
  },
  diagnosis: {
    state: set('state'),
    category: set('category'),
    retold: { change: (row) => void row.versions.push({ state: 'absent', pointer: planted }) },
    elsewhere: {
      fits: ({ elsewhere }) => elsewhere !== null,
      change: (row) => void (row.elsewhere!.externalId = 'planted'),
    },
  },
  parity: {
    verdict: set('verdict'),
    worst: set('worst'),
    differences: set('differencesTotal'),
    changedParts: set('changedParts'),
    lostFrom: { fits: ({ lost }) => lost !== null, change: (row) => void (row.lost!.from = 'planted') },
    lostTo: { fits: ({ lost }) => lost !== null, change: (row) => void (row.lost!.to = 'planted') },
    layers: {
      change: (row) =>
        void (row.layers = [...row.layers, { form: 'record', layer: 'planted', state: 'read' }]),
    },
  },
  difference: { severity: set('severity') },
  patch: {
    sha256: set('sha256'),
    verdict: set('verdict'),
    problemLine: set('problemLine'),
    safe: set('safe'),
    applies: set('applies'),
    files: set('files'),
    hunks: set('hunks'),
    additions: set('additions'),
    deletions: set('deletions'),
    origin: set('origin'),
    state: set('state'),
    evidence: set('evidence'),
  },
  flag: {
    family: set('family'),
    weight: set('weight'),
    file: set('file'),
    lines: { change: (row) => void (row.lines = { start: 900, end: 901 }) },
  },
  failureSignal: { failed: set('failed'), kind: set('kind'), exitCode: set('exitCode') },
  hookRun: {
    stage: set('stage'),
    tool: set('tool'),
    errorCut: set('errorCut'),
    missingPath: set('warnsMissingFilePath'),
    receiptStatus: set('receiptStatus'),
    receiptAction: set('receiptAction'),
  },
  answer: { value: { change: (row) => void (row.answer = { planted: 1 }) } },
}
