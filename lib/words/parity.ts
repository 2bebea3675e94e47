import type { CheckVerdict, DifferenceKind, Form, LayerState } from '../model/parity'
import type { NoParams } from '../model/message'
import type {
  Controls,
  DesignReasons,
  KindReasons,
  LayerReasons,
  SeverityReasons,
} from '../model/messages/parity'
import { oneLine } from '../text/visible'
import { storedText, type Catalogue } from './catalogue'

export const LAYER_WORDS: Record<string, string> = {
  source: 'Raw records',
  event_log: 'Event log',
  api: 'API',
  persisted: 'Stored rows',
  rendered: 'This page',
  retold: 'Other copies',
  made: 'Diagnosis run (inferred)',
  first_row: 'First row of a step',
  later_rows: 'Later rows',
}

/** @param form where it is known: what NoETL wrote is not read into anything, and holds what a worker replied where that was captured */
export const layerWord = (layer: string, form?: Form): string =>
  layer !== 'source'
    ? (LAYER_WORDS[layer] ?? layer)
    : form === 'document' || form === 'made'
      ? 'Source'
      : form === 'versions'
        ? 'Copy in use'
        : LAYER_WORDS.source!

/** The same within a sentence. */
export const layerInWords = (layer: string, form: Form): string =>
  layerWord(layer, form).replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())

export const FORM_WORDS: Record<Form, string> = {
  made: 'A diagnosis was produced but never saved',
  document: 'NoETL document',
  versions: 'Conflicting copies of a row',
  steps: 'NoETL’s own check',
  record: 'Inquest records',
  page: 'This page',
}

/** What the source's own check found in a row: its code, the path, and which row. */
export const rowIssueWords = ({
  code,
  path,
  step,
  eventType,
  eventId,
  row,
}: {
  code: string
  path: string
  step: string
  eventType: string
  eventId: string | null
  row: number
}): string =>
  oneLine(
    `${code} at ${path} (step ${step}, ${eventType}, ${eventId === null ? `/events/${row}` : `row ${eventId}`})`,
  )

/** A place as it is shown: the root has no path. */
export const placeWord = (path: string): string => (path === '' ? 'the whole document' : path)

export const VERDICT_WORDS: Record<CheckVerdict, string> = {
  equal: 'equal',
  different: 'different',
  in_doubt: 'in doubt',
  unknown: 'unknown',
  not_trustworthy: 'unreliable',
}

/** What a difference means, the left layer being what was there first. */
export const KIND_WORDS: Record<DifferenceKind, string> = {
  missing: 'missing',
  extra: 'added',
  changed_value: 'changed',
  changed_type: 'type changed',
  truncated: 'truncated',
  precision_lost: 'precision lost',
  reordered_array: 'reordered',
  stringified_json: 'turned into text',
  collapsed_object: 'collapsed to one value',
  dispatch_handle: 'only a run ID',
  null_vs_absent: 'null vs. absent',
}

export const LAYER_STATE_WORDS: Record<LayerState, string> = {
  read: 'read in full',
  not_captured: 'not captured',
  unreadable: 'unreadable',
  incomplete: 'incomplete',
  skipped_too_large: 'too large to compare',
}

/** What the rule found by which a difference is of its kind. */
export const KIND_REASON_WORDS: Catalogue<KindReasons> = {
  value_gone: () => 'The value is gone',
  value_added: () => 'The value is new',
  null_and_no_key: () => 'Null on one side, no key on the other',
  id_rounded: () => 'The ID was rounded to a binary64 number',
  other_id: () => 'Different ID',
  run_id_only: () => 'One side has only the ID of a started run',
  stub: () => 'One side has a stub or a reference',
  text_cut: () => 'The text was cut',
  other_text: () => 'Different text',
  depth_summary: () => 'One side has only a summary of nested data',
  wrapped_in_text: () => 'JSON on one side, the same as text on the other',
  collapsed: () => 'A single value replaced an object or list',
  number_rounded: () => 'The number was rounded to binary64',
  other_number: () => 'Different number',
  other_truth: () => 'Different boolean',
  other_type: () => 'Different JSON types',
  keys_left_out: () => 'Keys were left out',
  items_left_out: () => 'List items were left out',
  moved: () => 'Same items, different order',
}

/** Why a difference is as bad as it is. */
export const SEVERITY_REASON_WORDS: Catalogue<SeverityReasons> = {
  on_contract: () => 'Part of the agent’s result contract',
  holds_diagnosis: () => 'Contains a diagnosis',
  id_digits: () => 'Digits of an ID were lost',
  elsewhere: () => 'Outside the agent’s result contract',
}

/** Why a difference is there on purpose. */
export const DESIGN_REASON_WORDS: Catalogue<DesignReasons> = {
  transport_id: () => 'Added by the server',
  redacted_here: () => 'Redacted by Inquest',
  masked_by_api: () => 'Masked by the API',
  same_moment: () => 'Same time, written differently',
  duration_not_measured: () => 'Duration was not measured',
  empty_column: () => 'Empty column',
  second_name: () => 'Duplicate of created_at',
  column_left_out: () => 'Column not included in this source',
  around_rows: () => 'Added by the server around the rows',
  parsed_json: () => 'JSON text parsed by the API',
  dropped_by_worker: () => 'Dropped by the worker',
}

/** What a control of the comparison is about. */
export const CONTROL_WORDS: Catalogue<Controls> = {
  intact: () => 'an intact pair',
  same_numbers: () => 'equal numbers, written differently',
  dropped_by_worker: () => 'what a worker drops on purpose',
  masked_secret: () => 'a secret masked by the API',
  redacted_secret: () => 'a secret redacted on import',
  left_out_columns: () => 'columns the API leaves out',
  lost_diagnosis: () => 'a lost diagnosis',
  scalars_only: () => 'a diagnosis without its nested data',
  dropped_context: () => 'a diagnosis dropped with an oversized context',
  lost_row: () => 'a lost row',
  lost_attempt: () => 'a lost attempt number',
  added_row: () => 'an added row',
  changed_value: () => 'a changed value',
  null_diagnosis: () => 'a diagnosis replaced by null',
  cut_text: () => 'a text that was cut',
  rounded_id: () => 'an ID that lost digits',
  reordered_rows: () => 'reordered rows',
  wrapped_diagnosis: () => 'a diagnosis turned into text',
  masked_diagnosis: () => 'a diagnosis masked by the API',
  redacted_diagnosis: () => 'a redacted diagnosis',
  redacted_row: () => 'a redacted row',
  run_id_only: () => 'a run ID in place of a diagnosis',
  null_and_no_key: () => 'null vs. absent',
  not_captured: () => 'a layer that was not captured',
  one_page: () => 'one page of several',
  torn_layer: () => 'a layer that ends in the middle',
  too_large: () => 'a layer that is too large',
}

/** The English of a rule that has no values; one that only a newer version knows reads as itself. */
export const ruleWords = (catalogue: Readonly<Record<string, unknown>>, rule: string): string =>
  storedText(catalogue as Catalogue<Record<string, NoParams>>, { id: rule, params: {}, text: rule })

/** The controls that failed, in one line. Checks of older versions name them in words. */
export const failedControlWords = (ids: readonly string[]): string =>
  ids.map((id) => ruleWords(CONTROL_WORDS, id)).join('; ')

/** Why a layer could not be read, or is known not to hold everything. */
export const LAYER_REASON_WORDS: Catalogue<LayerReasons> = {
  reply_without_row: () => 'A reply captured at the worker could belong to several events.',
  diagnosis_not_saved: ({ by, agent, handle }) =>
    `Execution ${by} produced a diagnosis that was never saved in the rows ${
      agent === null
        ? 'of this run, which do not say how its agent ended'
        : `of ${agent.step === null ? 'the agent' : `step ${oneLine(agent.step)}`}`
    }: ${
      handle ? 'only the ID of the diagnosis run was stored' : 'it was never attached, or lost in transit'
    }. The worker’s reply was not captured.`,
  diagnosis_inferred: ({ made }) =>
    `Inferred: ${made
      .map(
        ({ by, childId, step }) =>
          `execution ${by} was started to diagnose run ${childId} (agent of ${step === null ? 'a step' : `step ${oneLine(step)}`}), succeeded and stored this diagnosis`,
      )
      .join('; ')}.`,
  compared_in_browser: () => 'Pages are compared in the browser.',
  not_offered: ({ layer }) => `This source has no ${layer === 'api' ? 'API' : 'event log'} to read.`,
  database_unknown: () => 'No database address is set for this source.',
  not_connected: () => 'The source is not connected, or the connection is paused.',
  server_failed_before: () => 'Skipped: the server failed earlier.',
  not_noetl_id: () => 'Not a NoETL execution ID.',
  no_events: () => 'The event log has no events of this execution.',
  page_empty: () => 'The page has not loaded this execution yet',
  page_too_large: () => 'Not read: the page is too large to compare',
}

/** Why a layer of a check could not be read, in today's words; null: nothing was said. */
export const layerWhy = ({
  why,
  rule = null,
  params = null,
}: {
  why: string | null
  /** Left out by checks of older versions. */
  rule?: string | null
  params?: unknown
}): string | null =>
  rule === null ? why : storedText(LAYER_REASON_WORDS, { id: rule, params, text: why ?? rule })
