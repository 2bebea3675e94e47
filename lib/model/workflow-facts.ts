export type AgentOutcome = 'ok' | 'error' | 'in_flight' | 'unknown'

export type RowLabel = 'tool_error' | 'agent_failure' | 'unresolved' | 'completed' | 'progress'

/** What stands where a diagnosis belongs. */
export type DiagnosisState = 'absent' | 'malformed' | 'complete' | 'dispatch_handle' | 'incomplete'
