/** How two layers can differ at a place, in the order in which the kinds are explained. @see docs/parity.md#kinds */
export const DIFFERENCE_KINDS = [
  'missing',
  'extra',
  'changed_value',
  'changed_type',
  'truncated',
  'precision_lost',
  'reordered_array',
  'stringified_json',
  'collapsed_object',
  'dispatch_handle',
  'null_vs_absent',
] as const
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number]

/** From the worst to what is only listed. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

/**
 * The shapes in which an execution is compared: diagnoses that were made of its agents, the execution as its source writes it, rows of it with several
 * versions, what later rows of a step lost by the source's own check, as it is read here, and as a page shows it. Layers of one shape are compared with one another only.
 */
export const FORMS = ['made', 'document', 'versions', 'steps', 'record', 'page'] as const
export type Form = (typeof FORMS)[number]

/** Every way of not knowing has a name of its own. None of them is equality. */
export const LAYER_STATES = ['read', 'not_captured', 'unreadable', 'incomplete', 'skipped_too_large'] as const
export type LayerState = (typeof LAYER_STATES)[number]

/**
 * As the comparison says; that nothing was found to differ, and that something is known to be gone from before the first layer; or that nothing it says can be
 * trusted: it failed one of its controls.
 */
export const CHECK_VERDICTS = ['equal', 'different', 'in_doubt', 'unknown', 'not_trustworthy'] as const
export type CheckVerdict = (typeof CHECK_VERDICTS)[number]
