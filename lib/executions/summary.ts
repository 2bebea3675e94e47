import type { Door, EventFacts, EventKind, OddReason } from '../ingest/normal-form'
import type { Advice, Basis, Cause, Counts, FailureClass, Outcome, Pointer, Usage } from './types'

/** One stored event as the analysis reads it: light, without payload. */
export interface AnalysedEvent {
  streamId: string
  door: Door
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
export interface Attempt {
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
  /** Number of the retry chain, 0-based, or null; `attempt` counts from 1 inside the chain. */
  chain: number | null
  attempt: number | null
  /** Why this try was linked to the one before it; `inferred` unless the source says so. */
  linkRule: string | null
  linkBasis: Basis | null
  inputChanged: boolean | null
  /** The call that this one was linked to by `linkRule`. */
  linkedTo?: string | null
  /** The call that a refusal or a cancelled sibling hangs on. */
  attachedTo: { callId: string | null; why: 'sibling_failed' | 'user_refused' | 'user_refused_sibling' } | null
  /** External key of the child execution that the call started. */
  childKey: string | null
  /** Doors that told something else than the one that was believed. */
  disagreements: { door: Door; fact: string; said: string; used: string }[]
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

/** Everything that is derived from the events of one execution; a pure function of them, whatever order they came in. */
export interface ExecutionSummary {
  outcome: Outcome
  outcomeBasis: Basis
  /** Name of the rule that decided, and its one-line reading. */
  outcomeRule: string
  outcomeBecause: string
  failedAt: string | null
  cause: Cause | null
  advice: Advice | null
  counts: Counts
  attempts: Attempt[]
  chains: Chain[]
  usage: Usage
  startedAt: string | null
  endedAt: string | null
  title: string | null
  /** repository, branch, cwd, model, version … as the source named them. */
  labels: Record<string, string>
  parent: { key: string; callId: string | null } | null
  /** Facts on which two doors disagree. */
  disagreements: { fact: string; values: { door: Door | 'result'; said: string }[]; used: string }[]
}
