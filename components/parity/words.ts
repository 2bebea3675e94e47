import type { CheckVerdict, DifferenceKind, Form } from '@/lib/model/parity'

export const LAYER_WORDS: Record<string, string> = {
  source: 'Kept bytes, read now',
  event_log: 'Event log',
  api: 'API',
  persisted: 'Stored rows',
  rendered: 'This page',
  retold: 'Other kept documents',
  made: 'Diagnosis run, inferred',
}

/** @param form where it is known: what NoETL wrote is not read into anything, and holds what a worker replied where that was captured */
export const layerWord = (layer: string, form?: Form): string =>
  layer !== 'source'
    ? (LAYER_WORDS[layer] ?? layer)
    : form === 'document' || form === 'made'
      ? 'Source as kept'
      : form === 'telling'
        ? 'The telling that is read'
        : LAYER_WORDS.source!

/** The same within a sentence. */
export const layerInWords = (layer: string, form: Form): string =>
  layerWord(layer, form).replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())

export const FORM_WORDS: Record<Form, string> = {
  made: 'A diagnosis was made and no row holds it',
  document: 'As NoETL writes it',
  telling: 'Rows that kept documents tell differently',
  record: 'As Inquest read it',
  page: 'As this page shows it',
}

/** A place as it is shown: the root has no path. */
export const placeWord = (path: string): string => (path === '' ? 'the whole document' : path)

export const VERDICT_WORDS: Record<CheckVerdict, string> = {
  equal: 'equal',
  different: 'different',
  in_doubt: 'in doubt',
  unknown: 'not known',
  not_trustworthy: 'not trustworthy',
}

/** What a difference means, the left layer being what was there first. */
export const KIND_WORDS: Record<DifferenceKind, string> = {
  missing: 'gone',
  extra: 'came later',
  changed_value: 'other value',
  changed_type: 'other type',
  truncated: 'cut short',
  precision_lost: 'digits lost',
  reordered_array: 'other order',
  stringified_json: 'wrapped into text',
  collapsed_object: 'became a single value',
  dispatch_handle: 'only the start of a run',
  null_vs_absent: 'null or not there',
}
