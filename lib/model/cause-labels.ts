/** Words of labelled sessions, which are read and exported in one format (`docs/cause-corrections.md#export`). */

export const LABEL_OUTCOMES = ['succeeded', 'failed', 'interrupted', 'open'] as const
export const LABEL_KINDS = [
  'command_failed',
  'not_found',
  'edit_mismatch',
  'permission',
  'refused',
  'interrupted',
  'cancelled_sibling',
  'too_large',
  'timeout',
  'bad_input',
  'network_or_service',
  'other',
] as const

export type Outcome = (typeof LABEL_OUTCOMES)[number]
