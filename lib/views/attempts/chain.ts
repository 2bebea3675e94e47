import type { Basis, Cause } from '../../model/execution'

/** One execution as an attempt of a chain. */
export interface ChainAttempt {
  id: string
  externalId: string
  outcome: string
  outcomeBasis: Basis
  cause: Cause | null
  title: string | null
  startedAt: string | null
  endedAt: string | null
  url: string
  /** As the source counts; null where the order is that of time. */
  attempt: number | null
  contentState: string
  retryReason: string
  costUsd: number | null
  /** With those of the cache. */
  inputTokens: number
  outputTokens: number
  /** Whether another attempt could help after this one. */
  retry: string
  /** That answer in words, where `retry` alone would mislead. */
  verdict?: string
  /** Fixes that were proposed for it, by state; left out: none. */
  fixes?: {
    state: string
    count: number
  }[]
  /** Digest of what the attempt was made from, where its source has one: attempts with the same one had the same inputs. */
  inputs?: string
}

/** What calls of more than one attempt have done. */
export interface RepeatedEffect {
  kind: 'file' | 'command' | 'tool'
  /** The file, the words of the command, or the tool with its target. */
  name: string
  /** The attempts that did it, in their order. */
  done: {
    attemptId: string
    /** The attempt, or an agent that it started. */
    executionId: string
    /** Its first call that did it. */
    callId: string
    calls: number
    /** Null: not answered or cut off, nobody knows what it did. */
    done: true | null
    /** All of them with the input of the first attempt that did it; null: their inputs cannot be compared. */
    sameInput: boolean | null
    /** `asserted`: receipts of both say that they did it with the same parameters. */
    basis: 'asserted' | 'inferred'
    /** Of the call: it is one effect with them. */
    receipts: {
      key: string
      executionId: string
      sequence: number | null
    }[]
  }[]
}

/** The attempts of one piece of work. */
export interface ExecutionChain {
  id: string
  name: string
  /** How it is known that these are attempts of one work: one of `CHAIN_RULES`. */
  rule: string
  /** `recorded`: the source names the chain; `inferred`: we do. */
  basis: string
  attempts: ChainAttempt[]
  attemptsLeftOut: number
  /** What calls of more than one attempt have done, by their input and receipts. */
  repeatedEffects: RepeatedEffect[]
  /** There may be more of them: the attempts made more such calls than are read here, or the list was cut. */
  effectsCut: boolean
}

/** An execution of a CI run. */
export interface CiExecution extends ChainAttempt {
  ciAttempt: number | null
  job: string | null
  runUrl: string | null
  commit: string | null
}
