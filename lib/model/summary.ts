import type { Disagreeing } from './messages/disagreement'
import type { OutcomeParams } from './messages/outcome'
import type { LinkRule } from './messages/links'
import type { InputChannel, EventKind, OddReason } from './normal-form'
import type { PipelineDetail, AttemptedTask } from './pipeline'
import type { FoundCause } from './messages/cause'
import type { ExecutionAdvice } from './advice'
import type { Basis, Counts, FailureClass, Outcome, Pointer, Usage } from './execution'
import type { RepeatRule, ReceiptPlace, Silence } from './silence'
import type { CallResolution } from './resolution'
import type { Attention } from './attention'
import type { LeadingMessages, LeadingRule } from './messages/attention'
import type { CallRetry } from './retry'
import type { EventFacts } from './event-facts'
import type { CiStepFact, RecordedDecisionFact, RunFact, RunResultFact } from './run-facts'

/** One stored event as the analysis reads it: light, without payload. */
export interface AnalysedEvent {
  streamId: string
  channel: InputChannel
  offset: number
  identity: string
  kind: EventKind
  at: string | null
  /** Digest of the part whose kept bytes hold the record, and where it starts there. */
  received: string
  keptStart: number
  keptEnd: number
  oddReason?: OddReason
  facts: EventFacts
}

/** A call as the n-th try of its piece of work. */
export interface Call {
  callId: string
  /** 0-based order of the call within the execution. */
  ordinal: number
  tool: string
  target: string | null
  looseTarget: string | null
  inputDigest: string
  state: 'succeeded' | 'failed' | 'no_result'
  failureClass: FailureClass | string | null
  errorText: string | null
  errorTextCut: boolean
  exitCode: number | null
  startedAt: string | null
  endedAt: string | null
  durationMs: number | null
  callPointer: Pointer | null
  resultPointer: Pointer | null
  /** Number of the retry chain, 0-based, or null; `numberInChain` counts from 1. */
  chain: number | null
  numberInChain: number | null
  /** Why this call was linked to the one before it; `inferred` unless the source says so. */
  linkRule: LinkRule['id'] | null
  linkParams: LinkRule['params'] | null
  linkBasis: Basis | null
  inputChanged: boolean | null
  /** The call that this one was linked to by `linkRule`. */
  linkedTo?: string | null
  /** The call that a refusal or a cancelled sibling hangs on. */
  attachedTo: {
    callId: string | null
    why: 'sibling_failed' | 'user_refused' | 'user_refused_sibling'
  } | null
  /** What became of it; null: it did not fail. */
  resolution: CallResolution | null
  /** Whether the identical call, made again at once, would succeed; null: it did not fail. */
  retry: CallRetry | null
  /** External key of the child execution that the call started. */
  childKey: string | null
  /** Channels that contradict the one that counts. */
  disagreements: { channel: InputChannel; fact: string; said: string; used: string }[]
}

export interface Chain {
  number: number
  tool: string
  target: string | null
  failedCallIds: string[]
  /** The call of the same tool and target that came next; null when there was none. */
  nextCallId: string | null
  recovered: boolean
}

/** The verdict of a source, all its files taken together. */
export type SourceVerdict = Omit<RecordedDecisionFact, 'source' | 'span'>

/** A fact with its evidence. */
export interface WithEvidence<Fact> {
  fact: Fact
  at: string | null
  pointer: Pointer
}

/** What a decision is made from, besides what the agent did. */
export interface ExecutionEvidence {
  /** What the source itself recorded of the last run, with the record that says how it ended; null when it recorded nothing. */
  recorded: { fact: SourceVerdict; pointer: Pointer | null } | null
  /** Recorded processes, each by the latest record of its document, in the order of time. */
  runs: WithEvidence<RunFact>[]
  /** CI jobs that sent its records after the run, each by the latest record of its document. */
  ciSteps?: WithEvidence<CiStepFact>[]
  /** Sessions that its transcript says it was forked from. */
  forkedFrom: string[]
  /** The result record that stands for the execution; null when there is none, or the session went on behind it. */
  result: WithEvidence<RunResultFact> | null
  /** Of a run of a pipeline. */
  tasks?: AttemptedTask[]
}

/** The part of a decision that lists filter by. */
export interface DecisionMarks {
  /** One of `CONTENT_STATES`, several that are possible (`contentStatesOf`), or `unknown`. */
  contentState: string
  /** One of `RETRY_REASONS`, or `unknown`. */
  retryReason: string
  /** The recorded verdict and the one that we recomputed say different things. */
  differs: boolean
}

/** A breach of the contract by a failure block that counts all the same. */
export interface SignalHintPlace {
  /** One of `SIGNAL_BREACHES`. */
  breach: string
  text: string
  /** The block that it is about. */
  pointer: Pointer
}

/** Calls of one execution that did one thing more than once, or may have, by its receipts. */
export interface RepeatedCall {
  /** What was done, as effects are named. */
  name: string
  /** Why they are one piece of work: an idempotency key is said by the issuer, the others are inferred. */
  rule: RepeatRule
  basis: 'asserted' | 'inferred'
  calls: {
    callId: string
    /** Null: the call was not answered or was cut off, and what it did is not known. */
    done: true | null
    receipts: ReceiptPlace[]
  }[]
}

/** What each channel says of one fact, and what counts. */
export interface DisagreementValues {
  values: { channel: InputChannel | 'result' | 'list' | 'detail' | 'status' | 'table'; said: string }[]
  used: string
}

/** A fact on which two channels disagree. */
export type Disagreement = Disagreeing<DisagreementValues>

/** Everything that is derived from the events of one execution; a pure function of them, whatever order they came in. */
export interface ExecutionSummary {
  outcome: Outcome
  outcomeBasis: Basis
  /** Name of the rule that decided, its params where it is one of `OutcomeMessages`, and its one-line reading. */
  outcomeRule: string
  outcomeParams: OutcomeParams | null
  outcomeBecause: string
  failedAt: string | null
  cause: FoundCause | null
  attention: Attention
  /** The failure that leads where the run went on after it: what a later verdict on the end leaves as it is. */
  leads: { rule: LeadingRule; params: LeadingMessages[LeadingRule] } | null
  advice: ExecutionAdvice | null
  counts: Counts
  calls: Call[]
  chains: Chain[]
  usage: Usage
  startedAt: string | null
  endedAt: string | null
  title: string | null
  /** repository, branch, cwd, model, version … as the source named them. */
  labels: Record<string, string>
  parent: { key: string; callId: string | null } | null
  /** What was decided, where more is known than what the execution did; null: inferred from that alone. */
  decision: DecisionMarks | null
  /** Of a run of a pipeline; null: it is none. */
  pipeline: PipelineDetail | null
  evidence: ExecutionEvidence
  /** What the failure block of the run breaks of its contract: hints, which nothing is judged by. */
  signalHints: SignalHintPlace[]
  /** Where its receipts are silent; null when it has none, or they say all. */
  silence: Silence | null
  /** What its calls did more than once, by its receipts. */
  repeats: RepeatedCall[]
  /** Facts on which two channels disagree; `fact` is the text of the rule and its params. */
  disagreements: (DisagreementValues & { fact: string; rule?: string; params?: unknown })[]
}
