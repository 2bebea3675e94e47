import { expect, test } from 'vitest'
import type { LayerReasons } from '../model/messages/parity'
import {
  CONTROL_WORDS,
  DESIGN_REASON_WORDS,
  failedControlWords,
  KIND_REASON_WORDS,
  LAYER_REASON_WORDS,
  layerWhy,
  SEVERITY_REASON_WORDS,
} from './parity'
import { wordedSamples, type Samples } from './samples.support'

const NONE = [{}]
const REASONS: Samples<LayerReasons> = {
  reply_without_row: NONE,
  diagnosis_not_saved: [
    { by: '9', agent: { step: 'call' }, handle: false },
    { by: '9', agent: { step: null }, handle: true },
    { by: '9', agent: null, handle: false },
  ],
  diagnosis_inferred: [
    { made: [{ by: '9', childId: '8', step: 'call' }] },
    {
      made: [
        { by: '9', childId: '8', step: null },
        { by: '7', childId: '6', step: 'a\nb' },
      ],
    },
  ],
  compared_in_browser: NONE,
  not_offered: [{ layer: 'api' }, { layer: 'event_log' }],
  database_unknown: NONE,
  not_connected: NONE,
  server_failed_before: NONE,
  not_noetl_id: NONE,
  no_events: NONE,
  page_empty: NONE,
  page_too_large: NONE,
}

test('why a layer could not be read, or does not hold everything', () =>
  expect(wordedSamples(LAYER_REASON_WORDS, REASONS)).toMatchInlineSnapshot(`
    {
      "compared_in_browser": [
        "Pages are compared in the browser.",
      ],
      "database_unknown": [
        "No database address is set for this source.",
      ],
      "diagnosis_inferred": [
        "Inferred: execution 9 was started to diagnose run 8 (agent of step call), succeeded and stored this diagnosis.",
        "Inferred: execution 9 was started to diagnose run 8 (agent of a step), succeeded and stored this diagnosis; execution 7 was started to diagnose run 6 (agent of step a b), succeeded and stored this diagnosis.",
      ],
      "diagnosis_not_saved": [
        "Execution 9 produced a diagnosis that was never saved in the rows of step call: it was never attached, or lost in transit. The worker’s reply was not captured.",
        "Execution 9 produced a diagnosis that was never saved in the rows of the agent: only the ID of the diagnosis run was stored. The worker’s reply was not captured.",
        "Execution 9 produced a diagnosis that was never saved in the rows of this run, which do not say how its agent ended: it was never attached, or lost in transit. The worker’s reply was not captured.",
      ],
      "no_events": [
        "The event log has no events of this execution.",
      ],
      "not_connected": [
        "The source is not connected, or the connection is paused.",
      ],
      "not_noetl_id": [
        "Not a NoETL execution ID.",
      ],
      "not_offered": [
        "This source has no API to read.",
        "This source has no event log to read.",
      ],
      "page_empty": [
        "The page has not loaded this execution yet",
      ],
      "page_too_large": [
        "Not read: the page is too large to compare",
      ],
      "reply_without_row": [
        "A reply captured at the worker could belong to several events.",
      ],
      "server_failed_before": [
        "Skipped: the server failed earlier.",
      ],
    }
  `))

test('what the rule of a kind found', () =>
  expect(
    wordedSamples(KIND_REASON_WORDS, {
      value_gone: NONE,
      value_added: NONE,
      null_and_no_key: NONE,
      id_rounded: NONE,
      other_id: NONE,
      run_id_only: NONE,
      stub: NONE,
      text_cut: NONE,
      other_text: NONE,
      depth_summary: NONE,
      wrapped_in_text: NONE,
      collapsed: NONE,
      number_rounded: NONE,
      other_number: NONE,
      other_truth: NONE,
      other_type: NONE,
      keys_left_out: NONE,
      items_left_out: NONE,
      moved: NONE,
    }),
  ).toMatchInlineSnapshot(`
    {
      "collapsed": [
        "A single value replaced an object or list",
      ],
      "depth_summary": [
        "One side has only a summary of nested data",
      ],
      "id_rounded": [
        "The ID was rounded to a binary64 number",
      ],
      "items_left_out": [
        "List items were left out",
      ],
      "keys_left_out": [
        "Keys were left out",
      ],
      "moved": [
        "Same items, different order",
      ],
      "null_and_no_key": [
        "Null on one side, no key on the other",
      ],
      "number_rounded": [
        "The number was rounded to binary64",
      ],
      "other_id": [
        "Different ID",
      ],
      "other_number": [
        "Different number",
      ],
      "other_text": [
        "Different text",
      ],
      "other_truth": [
        "Different boolean",
      ],
      "other_type": [
        "Different JSON types",
      ],
      "run_id_only": [
        "One side has only the ID of a started run",
      ],
      "stub": [
        "One side has a stub or a reference",
      ],
      "text_cut": [
        "The text was cut",
      ],
      "value_added": [
        "The value is new",
      ],
      "value_gone": [
        "The value is gone",
      ],
      "wrapped_in_text": [
        "JSON on one side, the same as text on the other",
      ],
    }
  `))

test('what a control is about', () =>
  expect(
    wordedSamples(CONTROL_WORDS, {
      intact: NONE,
      same_numbers: NONE,
      dropped_by_worker: NONE,
      masked_secret: NONE,
      redacted_secret: NONE,
      left_out_columns: NONE,
      lost_diagnosis: NONE,
      scalars_only: NONE,
      dropped_context: NONE,
      lost_row: NONE,
      lost_attempt: NONE,
      added_row: NONE,
      changed_value: NONE,
      null_diagnosis: NONE,
      cut_text: NONE,
      rounded_id: NONE,
      reordered_rows: NONE,
      wrapped_diagnosis: NONE,
      masked_diagnosis: NONE,
      redacted_diagnosis: NONE,
      redacted_row: NONE,
      run_id_only: NONE,
      null_and_no_key: NONE,
      not_captured: NONE,
      one_page: NONE,
      torn_layer: NONE,
      too_large: NONE,
    }),
  ).toMatchInlineSnapshot(`
    {
      "added_row": [
        "an added row",
      ],
      "changed_value": [
        "a changed value",
      ],
      "cut_text": [
        "a text that was cut",
      ],
      "dropped_by_worker": [
        "what a worker drops on purpose",
      ],
      "dropped_context": [
        "a diagnosis dropped with an oversized context",
      ],
      "intact": [
        "an intact pair",
      ],
      "left_out_columns": [
        "columns the API leaves out",
      ],
      "lost_attempt": [
        "a lost attempt number",
      ],
      "lost_diagnosis": [
        "a lost diagnosis",
      ],
      "lost_row": [
        "a lost row",
      ],
      "masked_diagnosis": [
        "a diagnosis masked by the API",
      ],
      "masked_secret": [
        "a secret masked by the API",
      ],
      "not_captured": [
        "a layer that was not captured",
      ],
      "null_and_no_key": [
        "null vs. absent",
      ],
      "null_diagnosis": [
        "a diagnosis replaced by null",
      ],
      "one_page": [
        "one page of several",
      ],
      "redacted_diagnosis": [
        "a redacted diagnosis",
      ],
      "redacted_row": [
        "a redacted row",
      ],
      "redacted_secret": [
        "a secret redacted on import",
      ],
      "reordered_rows": [
        "reordered rows",
      ],
      "rounded_id": [
        "an ID that lost digits",
      ],
      "run_id_only": [
        "a run ID in place of a diagnosis",
      ],
      "same_numbers": [
        "equal numbers, written differently",
      ],
      "scalars_only": [
        "a diagnosis without its nested data",
      ],
      "too_large": [
        "a layer that is too large",
      ],
      "torn_layer": [
        "a layer that ends in the middle",
      ],
      "wrapped_diagnosis": [
        "a diagnosis turned into text",
      ],
    }
  `))

test('controls that failed are one line, and one of another version reads as it was stored', () =>
  expect(failedControlWords(['lost_row', 'a pair of old'])).toBe('a lost row; a pair of old'))

test('why a difference is as bad as it is', () =>
  expect(
    wordedSamples(SEVERITY_REASON_WORDS, {
      on_contract: NONE,
      holds_diagnosis: NONE,
      id_digits: NONE,
      elsewhere: NONE,
    }),
  ).toMatchInlineSnapshot(`
    {
      "elsewhere": [
        "Outside the agent’s result contract",
      ],
      "holds_diagnosis": [
        "Contains a diagnosis",
      ],
      "id_digits": [
        "Digits of an ID were lost",
      ],
      "on_contract": [
        "Part of the agent’s result contract",
      ],
    }
  `))

test('why a difference is there on purpose', () =>
  expect(
    wordedSamples(DESIGN_REASON_WORDS, {
      transport_id: NONE,
      redacted_here: NONE,
      masked_by_api: NONE,
      same_moment: NONE,
      duration_not_measured: NONE,
      empty_column: NONE,
      second_name: NONE,
      column_left_out: NONE,
      around_rows: NONE,
      parsed_json: NONE,
      dropped_by_worker: NONE,
    }),
  ).toMatchInlineSnapshot(`
    {
      "around_rows": [
        "Added by the server around the rows",
      ],
      "column_left_out": [
        "Column not included in this source",
      ],
      "dropped_by_worker": [
        "Dropped by the worker",
      ],
      "duration_not_measured": [
        "Duration was not measured",
      ],
      "empty_column": [
        "Empty column",
      ],
      "masked_by_api": [
        "Masked by the API",
      ],
      "parsed_json": [
        "JSON text parsed by the API",
      ],
      "redacted_here": [
        "Redacted by Inquest",
      ],
      "same_moment": [
        "Same time, written differently",
      ],
      "second_name": [
        "Duplicate of created_at",
      ],
      "transport_id": [
        "Added by the server",
      ],
    }
  `))

test('a check of today is shown in the words of today, one of an older version in its own', () => {
  expect(layerWhy({ rule: 'page_empty', params: {}, why: 'as it was worded then' })).toBe(
    LAYER_REASON_WORDS.page_empty({}),
  )
  for (const rule of [undefined, null, 'of_a_later_version'])
    expect(layerWhy({ rule, params: {}, why: 'as it was worded then' })).toBe('as it was worded then')
  expect(layerWhy({ why: null })).toBeNull()
})
