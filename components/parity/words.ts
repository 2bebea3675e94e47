import type { DifferenceKind, Severity } from '@/lib/parity/differences'

export const LAYER_WORDS: Record<string, string> = { source: 'Kept bytes, read now', persisted: 'Stored rows' }

/** What a difference means, the left layer being what was there first. */
export const KIND_WORDS: Record<DifferenceKind, string> = {
  missing: 'gone', extra: 'came later', changed_value: 'other value', changed_type: 'other type', truncated: 'cut short', precision_lost: 'digits lost',
  reordered_array: 'other order', stringified_json: 'wrapped into text', collapsed_object: 'became a single value', dispatch_handle: 'only the start of a run',
  null_vs_absent: 'null or not there',
}

export const SEVERITY_TONES: Record<Severity, string> = { critical: 'text-bad', high: 'text-bad', medium: 'text-warn', low: 'text-ink-2', info: 'text-ink-3' }
