import { CHANNEL_RECOVERABLE_SUBTYPES, FAILURE_SUBTYPES, KILL_ANOMALY_SUBTYPES } from './vocabulary'
import { isBlank } from './python-text'
import { isTruthy, PeerRaises } from './python-values'

export interface ToolUse {
  /** As given, `null` kept. */
  name: unknown
  id: unknown
  /** Of a writing tool that named one. */
  filePath?: unknown
}

/** A counter as it was given; an integer that a number cannot hold is a bigint. */
export type Counter = unknown

export interface TokenCounters {
  inputTokens: Counter
  outputTokens: Counter
  cacheCreationInputTokens: Counter
  cacheReadInputTokens: Counter
}

export interface TokenUsage extends TokenCounters {
  /** By the model that answered. */
  modelBreakdown: Record<string, TokenCounters>
}

/** What the output of a run says about it, before any judgement. */
export interface Session {
  /** One of `CLI_SUBTYPES`. */
  subtype: string
  /** As given; only whether it is true in Python's sense counts. */
  isError: unknown
  result: string
  sessionId: string
  /** As given; items that are not texts survive. */
  errors: unknown[]
  tokenUsage: TokenUsage | null
  assistantMessages: string[]
  toolUses: ToolUse[]
  /** A flat record said that the context is exhausted. */
  exhaustedFlag: boolean
}

/** In letters of any case. */
export const tellsExhaustion = (text: string): boolean => /prompt is too long/i.test(text)

export type Exhaustion = 'flag' | 'errors' | 'result'

/**
 * Where the session shows signs that its context is exhausted, whether or not they count.
 *
 * @throws PeerRaises when the errors count and one of them is no text
 */
export function exhaustionSignsOf({
  exhaustedFlag,
  isError,
  errors,
  result,
}: Pick<Session, 'exhaustedFlag' | 'isError' | 'errors' | 'result'>): Exhaustion[] {
  const signs: Exhaustion[] = exhaustedFlag ? ['flag'] : []
  // They are looked into one by one, up to the first that tells.
  const exhausted = errors.findIndex((error) => typeof error === 'string' && tellsExhaustion(error))
  const odd = errors.findIndex((error) => typeof error !== 'string')
  if (!exhaustedFlag && isTruthy(isError) && odd !== -1 && (exhausted === -1 || odd < exhausted))
    throw new PeerRaises('an entry of errors is no text')
  if (exhausted !== -1) signs.push('errors')
  if (tellsExhaustion(result)) signs.push('result')
  return signs
}

/** The sign by which the context counts as exhausted; the flag does by itself, the others only beside an error. */
export function exhaustionBy(
  signs: readonly Exhaustion[],
  { isError, subtype }: { isError: boolean; subtype: string },
): Exhaustion | null {
  const counts = (sign: Exhaustion): boolean =>
    sign === 'flag' ||
    (isError && (sign === 'errors' || subtype === 'success' || subtype === 'error_max_turns'))
  return signs.find(counts) ?? null
}

/** The session said that it ended, and not with an error. */
export const isComplete = ({ isError, subtype }: Pick<Session, 'isError' | 'subtype'>): boolean =>
  !isTruthy(isError) && !FAILURE_SUBTYPES.has(subtype)

export const isKillAnomaly = (subtype: string, blank: boolean): boolean =>
  KILL_ANOMALY_SUBTYPES.has(subtype) || (subtype === 'success' && blank)

export const isChannelRecoverable = (subtype: string): boolean => CHANNEL_RECOVERABLE_SUBTYPES.has(subtype)

export type ResultKind =
  | 'text'
  | 'canned_context_limit'
  | 'canned_turn_limit'
  | 'canned_stale'
  | 'canned_idle_stall'

/** Which text stands for the result: its own, or the notice of a limit. */
export function resultKindOf({
  exhaustion,
  subtype,
}: {
  exhaustion: Exhaustion | null
  subtype: string
}): ResultKind {
  if (exhaustion !== null) return 'canned_context_limit'
  return subtype === 'error_max_turns' ? 'canned_turn_limit' : 'text'
}

export const hasBlankResult = ({ result }: Pick<Session, 'result'>): boolean => isBlank(result)
