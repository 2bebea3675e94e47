import { OUTCOME_WORDS } from '../words/outcome'
import type { ExecutionSummary } from '../model/summary'

/** Why an execution is quarantined: its analysis broke, and what it says is what was known before. */
export interface AnalysisFailure {
  /** Class of the error, with the database's code where it has one: `TypeError`, `PostgresError 22003`. */
  error: string
  message: string
  /** When the analysis was last tried. */
  at: string
  /** Version of Inquest that tried it. */
  version: string
  /** How many times in a row it has failed. */
  attempts: number
}

/** Rule of an execution that was never analysed with success. */
export const ANALYSIS_FAILED = 'analysis_failed'

const MESSAGE_CHARS_MAX = 500

/** Class and message of an error, without what a driver adds of the parameters of a statement. */
export function describeFailure(error: unknown): Pick<AnalysisFailure, 'error' | 'message'> {
  if (!(error instanceof Error)) return { error: 'Error', message: cut(String(error)) }
  // The query builder writes the statement and its parameters into the message, and keeps the driver's error as the cause.
  if (error.message.startsWith('Failed query') && error.cause !== undefined)
    return describeFailure(error.cause)
  const { code } = error as { code?: unknown }
  return {
    error: typeof code === 'string' && code !== '' ? `${error.name} ${code}` : error.name,
    message: cut(error.message),
  }
}

const cut = (text: string): string =>
  text.length <= MESSAGE_CHARS_MAX ? text : `${text.slice(0, MESSAGE_CHARS_MAX)}…`

/**
 * What is known of an execution of which no analysis has succeeded: when it began and how many records it has.
 *
 * @param events.startedAt time of its first record; null when none tells one
 */
export const unanalysedSummary = (events: {
  startedAt: string | null
  records: number
}): ExecutionSummary => ({
  outcome: 'unknown',
  outcomeBasis: 'inferred',
  outcomeRule: ANALYSIS_FAILED,
  outcomeParams: {},
  outcomeBecause: OUTCOME_WORDS[ANALYSIS_FAILED]({}),
  failedAt: null,
  cause: null,
  attention: { needed: true, rule: 'end_unknown', params: {} },
  leads: null,
  advice: null,
  counts: {
    records: events.records,
    calls: 0,
    failedCalls: 0,
    failedByClass: {},
    callsWithoutResult: 0,
    chains: 0,
    recoveredChains: 0,
  },
  calls: [],
  chains: [],
  usage: {
    inputTokens: 0,
    outputTokens: 0,
    cacheReadInputTokens: 0,
    cacheCreationInputTokens: 0,
    messages: 0,
    costUsd: null,
  },
  startedAt: events.startedAt,
  endedAt: null,
  title: null,
  labels: {},
  parent: null,
  decision: null,
  pipeline: null,
  evidence: { recorded: null, runs: [], forkedFrom: [], result: null },
  signalHints: [],
  silence: null,
  repeats: [],
  disagreements: [],
})
