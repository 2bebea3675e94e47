/**
 * The record's own words: what it holds of each thing, by names that belong to the record alone. The
 * product may rename its tables, columns and types freely; only `mapping.ts` follows. A name that changes
 * here rewrites every golden file.
 *
 * @see docs/golden-record.md
 */
export const VOCABULARY = {
  /** A file or body as it was offered. */
  input: ['format', 'accepted', 'duplicates', 'sha256'],
  /** A piece of a stream as it is kept. */
  part: ['format', 'offset', 'keptSha256', 'keptBytes'],
  redaction: ['rule', 'byteStart', 'byteEnd'],
  /** Input that could not be understood, by its place. */
  odd: ['reason'],
  execution: [
    'outcome',
    'outcomeRule',
    'outcomeBasis',
    'failedAt',
    'causeCategory',
    'causePointer',
    'runRetry',
    'callRetry',
    'recoveredBy',
    'afterOtherWork',
    'failuresLeftOut',
    'records',
    'calls',
    'failedCalls',
    'failedByClass',
    'callsWithoutResult',
    'chains',
    'recoveredChains',
    'events',
    'oddRecords',
    'redactions',
    'parent',
    'parentCall',
    'signalBreaches',
    'receiptFindings',
  ],
  /** A kind of failure inside an execution, in the order in which it is shown. */
  failure: [
    'chains',
    'workedAroundChains',
    'failedCalls',
    'runRetry',
    'callRetry',
    'recoveredBy',
    'afterOtherWork',
  ],
  call: [
    'order',
    'tool',
    'target',
    'state',
    'failureClass',
    'exitCode',
    'error',
    'resultPointer',
    'chain',
    'attempt',
    'linkRule',
    'linkBasis',
    'linkedTo',
    'inputChanged',
    'dependsOn',
    'child',
  ],
  /** A retry chain of calls. */
  chain: ['tool', 'target', 'failedCalls', 'nextCall', 'recovered', 'runRetry', 'callRetry'],
  disagreement: ['values', 'used'],
  decision: [
    'basis',
    'policy',
    'contentState',
    'outcome',
    'retryReason',
    'subtype',
    'rule',
    'missing',
    'differs',
    'inputRedacted',
    'recorded',
    'recomputed',
    'recorderDiffers',
    'trace',
  ],
  /** The verdict that a policy gives on the same evidence. */
  policyVerdict: ['contentState', 'outcome', 'success', 'needsRetry', 'retryReason', 'subtype', 'trace'],
  /** An execution as an attempt of a retry chain. */
  jobAttempt: ['rule', 'basis', 'attempt', 'failed', 'inputs'],
  /** What calls of one execution did more than once, by its receipts. */
  repeatedEffect: ['basis', 'calls'],
  receiptFinding: ['kind', 'count', 'call', 'rule', 'failureBy', 'reason', 'receipts'],
  /** A receipt chain as the server stores its verdict. */
  storedChain: ['state', 'reason', 'badSequence', 'badReceipt', 'receipts'],
  /** A receipt chain as it is verified from its receipts. */
  receiptChain: [
    'state',
    'valid',
    'reason',
    'reasonWithoutKey',
    'badIndex',
    'sequenceIssue',
    'completeness',
    'warnings',
    'receipts',
    'startsAbove',
  ],
  receipt: [
    'malformed',
    'signature',
    'signatureFault',
    'hashLink',
    'sequence',
    'sequenceIssue',
    'rotationFault',
    'foreign',
    'hash',
  ],
  diagnosis: ['state', 'category', 'retold', 'elsewhere'],
  parity: ['verdict', 'worst', 'lostFrom', 'lostTo', 'differences', 'changedParts', 'layers'],
  difference: ['severity'],
  patch: [
    'sha256',
    'verdict',
    'problemLine',
    'safe',
    'applies',
    'files',
    'hunks',
    'additions',
    'deletions',
    'origin',
    'state',
    'evidence',
  ],
  flag: ['family', 'weight', 'file', 'lines'],
  failureSignal: ['failed', 'kind', 'exitCode'],
  hookRun: ['stage', 'tool', 'errorCut', 'missingPath', 'receiptStatus', 'receiptAction'],
  /** Any other answer to a recorded case: codes as they are, texts as digests. */
  answer: ['value'],
} as const

export type Entity = keyof typeof VOCABULARY
export type Field<E extends Entity> = (typeof VOCABULARY)[E][number]

export type Scalar = string | number | boolean | null
export type Value = Scalar | readonly Scalar[] | { readonly [key: string]: Scalar }

/**
 * One thing of a source. `key` names it among those of its entity: execution first, then what belongs to
 * it.
 */
export interface Entry {
  entity: Entity
  key: string[]
  fields: Record<string, Value>
}

export const ENTITIES = Object.keys(VOCABULARY) as Entity[]

/** Every `entity.field` there is. */
export const FIELDS: string[] = ENTITIES.flatMap((entity) =>
  VOCABULARY[entity].map((field) => `${entity}.${field}`),
)
