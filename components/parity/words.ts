import type { DifferenceKind, Severity } from '@/lib/parity/differences'
import type { CheckVerdict } from '@/lib/parity/stored-check'

export const LAYER_WORDS: Record<string, string> = { source: 'Kept bytes, read now', persisted: 'Stored rows' }

export const layerWord = (layer: string): string => LAYER_WORDS[layer] ?? layer

/** A place as it is shown: the root has no path. */
export const placeWord = (path: string): string => (path === '' ? 'the whole document' : path)

export const VERDICT_WORDS: Record<CheckVerdict, string> = { equal: 'equal', different: 'different', unknown: 'not known', not_trustworthy: 'not trustworthy' }

/** What a difference means, the left layer being what was there first. */
export const KIND_WORDS: Record<DifferenceKind, string> = {
  missing: 'gone', extra: 'came later', changed_value: 'other value', changed_type: 'other type', truncated: 'cut short', precision_lost: 'digits lost',
  reordered_array: 'other order', stringified_json: 'wrapped into text', collapsed_object: 'became a single value', dispatch_handle: 'only the start of a run',
  null_vs_absent: 'null or not there',
}

export const SEVERITY_TONES: Record<Severity, string> = { critical: 'text-bad', high: 'text-bad', medium: 'text-warn', low: 'text-ink-2', info: 'text-ink-3' }
