/** Closed lists of agent envelopes and diagnoses. Words outside of them are kept and shown as they came. @see docs/parity.md */

/** Statuses of a run that was started and has not ended. */
export const IN_FLIGHT_STATUSES = [
  'started',
  'running',
  'pending',
  'queued',
  'initialized',
  'accepted',
  'dispatched',
  'claimed',
  'in_flight',
] as const

export const FRAMEWORKS = ['noetl', 'adk', 'langchain', 'custom'] as const

export const ERROR_KINDS = [
  'agent.execution',
  'agent.configuration',
  'agent.dependency',
  'agent.runtime',
] as const

/** The keys that make a diagnosis, in the order in which they are shown. */
export const DIAGNOSIS_KEYS = ['category', 'confidence', 'root_cause', 'suggested_action', 'source'] as const

export const DIAGNOSIS_CATEGORIES = [
  'transient_5xx',
  'auth',
  'rate_limit',
  'bad_request',
  'tool_error',
  'infra',
  'unknown',
] as const

export const DIAGNOSIS_SOURCES = ['ollama', 'openai', 'claude', 'remote', 'vertex-ai', 'vertex-stub'] as const

export const isOneOf = <Word extends string>(words: readonly Word[], value: unknown): value is Word =>
  (words as readonly unknown[]).includes(value)
