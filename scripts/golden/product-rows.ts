import type { StoredChainVerdict } from './read-receipts'
import type { Decided } from '@/lib/judge/decisions/decide'
import type { Decision } from '@/lib/judge/decisions/decision'
import type { Call, Chain, ExecutionSummary } from '@/lib/model/summary'
import type { Advice, Counts, FailureRead, Pointer } from '@/lib/model/execution'
import type { ChainRow } from '@/lib/judge/receipts/chain-row'
import type { ChainVerdict } from '@/lib/judge/receipts/chain-verdict'
import type { RunDiagnosisDocument } from '@/lib/api/diagnosis-schemas'
import type { CheckDone } from '@/db/parity/check-parity'
import type { Entity } from './vocabulary'
import type { SilenceFinding } from '@/lib/model/silence'
import type { FixFlag } from '@/lib/model/fix'

/**
 * What the product answers, in its own types and words: the left side of `mapping.ts`. Our own ids are not
 * in it.
 */

export interface InputRow {
  name: string
  format: string
  accepted: number | null
  duplicates: number | null
  sha256: string
}

export interface PartRow {
  kind: string
  byteOffset: number
  originalSha256: string
  sha256: string
  keptLength: number
}

export interface RedactionRow {
  originalSha256: string
  place: number
  rule: string
  byteStart: number
  byteEnd: number
}

export interface OddRow {
  /** Identity of the record, or the place of what is none. */
  at: string[]
  reason: string
}

export interface ExecutionRow
  extends Pick<
    ExecutionSummary,
    'outcome' | 'outcomeRule' | 'outcomeBasis' | 'failedAt' | 'signalHints' | 'silence'
  > {
  externalId: string
  causeCategory: string | null
  causePointer: Pointer | null
  advice: Advice | null
  counts: Counts
  events: Record<string, number>
  odd: number
  redactions: number
  parentKey: string | null
  parentCall: string | null
}

export interface FailureRow extends FailureRead {
  execution: string
  place: number
}

export type CallRow = { execution: string } & Pick<
  Call,
  | 'ordinal'
  | 'callId'
  | 'tool'
  | 'target'
  | 'state'
  | 'failureClass'
  | 'exitCode'
  | 'errorText'
  | 'resultPointer'
  | 'chain'
  | 'numberInChain'
  | 'linkRule'
  | 'linkParams'
  | 'linkBasis'
  | 'linkedTo'
  | 'inputChanged'
  | 'attachedTo'
  | 'childKey'
>

export interface ChainListRow extends Chain {
  execution: string
  /** The kind of failure that it is listed with; null: that kind was left out. */
  failure: FailureRead | null
}

export interface DisagreementRow {
  execution: string
  /** Null: about the execution itself. */
  callId: string | null
  fact: string
  values: { channel: string; said: string }[]
  used: string
}

export interface DecisionRow
  extends Pick<
    Decision,
    | 'basis'
    | 'policy'
    | 'contentState'
    | 'outcome'
    | 'retryReason'
    | 'subtype'
    | 'rule'
    | 'missing'
    | 'differs'
    | 'inputRedacted'
    | 'recorded'
    | 'recomputed'
    | 'recorder'
    | 'trace'
  > {
  execution: string
}

export interface PolicyVerdictRow
  extends Pick<Decided, 'outcome' | 'success' | 'needsRetry' | 'retryReason' | 'subtype' | 'contentState'> {
  of: string
  policy: string
  trace: readonly { rule: string; stage: string }[]
}

export interface JobAttemptRow {
  execution: string
  chainId: string
  rule: string
  basis: string
  attempt: number | null
  failed: boolean | null
  inputs: string | null
}

export type RepeatRow = { execution: string } & ExecutionSummary['repeats'][number]
export type ReceiptFindingRow = { execution: string; place: number } & SilenceFinding
export type StoredChainRow = StoredChainVerdict
export type ReceiptChainRow = { of: string } & ChainVerdict
export type ReceiptRow = { of: string; hash: string | null } & ChainRow

export interface DiagnosisRow
  extends Pick<
    RunDiagnosisDocument['diagnoses'][number],
    'state' | 'step' | 'childId' | 'versions' | 'elsewhere'
  > {
  execution: string
  category: string | null
}

export interface ParityRow {
  of: string
  verdict: string
  worst: string | null
  lost: { from: string; to: string } | null
  differencesTotal: number
  changedParts: number
  layers: readonly Pick<CheckDone['layers'][number], 'form' | 'layer' | 'state'>[]
}

export interface DifferenceRow {
  of: string
  /**
   * What was compared: the documents of a source, the stored rows, …; layers of other forms have the same
   * names.
   */
  form: string
  from: string
  to: string
  path: string
  kind: string
  severity: string
}

export interface PatchRow {
  /** What names the patch among those of the source. */
  of: string[]
  sha256: string
  verdict: string
  problemLine: number | null
  safe: boolean
  applies: boolean | null
  files: number
  hunks: number
  additions: number
  deletions: number
  origin: string | null
  state: string | null
  evidence: string | null
}

export interface FlagRow extends Pick<FixFlag, 'family' | 'code' | 'weight' | 'file' | 'lines'> {
  of: string[]
}

export interface FailureSignalRow {
  of: string
  failed: boolean
  kind: string
  exitCode: number | null
}

export interface HookRunRow {
  of: string
  stage: string
  tool: string | null
  errorCut: boolean
  warnsMissingFilePath: boolean
  receiptStatus: string | null
  receiptAction: string | null
}

export interface AnswerRow {
  of: string
  operation: string
  answer: unknown
}

export interface ProductRows {
  input: InputRow
  part: PartRow
  redaction: RedactionRow
  odd: OddRow
  execution: ExecutionRow
  failure: FailureRow
  call: CallRow
  chain: ChainListRow
  disagreement: DisagreementRow
  decision: DecisionRow
  policyVerdict: PolicyVerdictRow
  jobAttempt: JobAttemptRow
  repeatedEffect: RepeatRow
  receiptFinding: ReceiptFindingRow
  storedChain: StoredChainRow
  receiptChain: ReceiptChainRow
  receipt: ReceiptRow
  diagnosis: DiagnosisRow
  parity: ParityRow
  difference: DifferenceRow
  patch: PatchRow
  flag: FlagRow
  failureSignal: FailureSignalRow
  hookRun: HookRunRow
  answer: AnswerRow
}

/** Everything that the product concludes about one source. */
export type Conclusions = { [E in Entity]: ProductRows[E][] }

export const noConclusions = (): Conclusions => ({
  input: [],
  part: [],
  redaction: [],
  odd: [],
  execution: [],
  failure: [],
  call: [],
  chain: [],
  disagreement: [],
  decision: [],
  policyVerdict: [],
  jobAttempt: [],
  repeatedEffect: [],
  receiptFinding: [],
  storedChain: [],
  receiptChain: [],
  receipt: [],
  diagnosis: [],
  parity: [],
  difference: [],
  patch: [],
  flag: [],
  failureSignal: [],
  hookRun: [],
  answer: [],
})
