import type { MessageOf, NoParams } from '../message'

/** Why a layer could not be read, or is known not to hold everything. */
export interface LayerReasons {
  /** A reply captured at the worker names no row, and several could be its row. */
  reply_without_row: NoParams
  /** A diagnosis that may be of an agent of this run was made, and its rows do not hold it. */
  diagnosis_not_saved: {
    /** The run that made it, as its source names it. */
    readonly by: string
    /** The agent whose rows lack it; null: no row says how an agent of the run ended. */
    readonly agent: { readonly step: string | null } | null
    /** Only the start of the run that made it was stored. */
    readonly handle: boolean
  }
  /** The layer is not read but inferred from the runs that made these diagnoses. */
  diagnosis_inferred: {
    readonly made: readonly {
      readonly by: string
      /** The run that was diagnosed. */
      readonly childId: string
      readonly step: string | null
    }[]
  }
  compared_in_browser: NoParams
  not_offered: { readonly layer: 'api' | 'event_log' }
  database_unknown: NoParams
  not_connected: NoParams
  server_failed_before: NoParams
  not_noetl_id: NoParams
  no_events: NoParams
  page_empty: NoParams
  page_too_large: NoParams
}

/** How two layers differ at a place: one message for each rule that can decide the kind, under the id of the rule. */
export interface KindReasons {
  value_gone: NoParams
  value_added: NoParams
  null_and_no_key: NoParams
  /** The digits of one id are those of the other as a binary64 number. */
  id_rounded: NoParams
  other_id: NoParams
  /** One layer has the ID of a started run in the place of what it found. */
  run_id_only: NoParams
  /** One layer has a stub or a reference in the place of the value. */
  stub: NoParams
  text_cut: NoParams
  other_text: NoParams
  /** One layer says how much there was below a depth. */
  depth_summary: NoParams
  wrapped_in_text: NoParams
  collapsed: NoParams
  number_rounded: NoParams
  other_number: NoParams
  other_truth: NoParams
  other_type: NoParams
  keys_left_out: NoParams
  items_left_out: NoParams
  /** The same items are in another order. */
  moved: NoParams
}
export type KindReason = keyof KindReasons

/** Why a difference is as bad as it is: one message for each rule that can decide it, under the id of the rule. */
export interface SeverityReasons {
  on_contract: NoParams
  holds_diagnosis: NoParams
  id_digits: NoParams
  elsewhere: NoParams
}
/** Why a difference is there on purpose, and does not count. */
export interface DesignReasons {
  transport_id: NoParams
  redacted_here: NoParams
  masked_by_api: NoParams
  same_moment: NoParams
  duration_not_measured: NoParams
  empty_column: NoParams
  second_name: NoParams
  column_left_out: NoParams
  around_rows: NoParams
  parsed_json: NoParams
  dropped_by_worker: NoParams
}
export type DesignReason = keyof DesignReasons

export type SeverityReason = keyof SeverityReasons

export type LayerReason = MessageOf<LayerReasons>

/** Pairs of layers with a known answer, by which the comparison tests itself. */
export interface Controls {
  intact: NoParams
  same_numbers: NoParams
  dropped_by_worker: NoParams
  masked_secret: NoParams
  redacted_secret: NoParams
  left_out_columns: NoParams
  lost_diagnosis: NoParams
  scalars_only: NoParams
  dropped_context: NoParams
  lost_row: NoParams
  lost_attempt: NoParams
  added_row: NoParams
  changed_value: NoParams
  null_diagnosis: NoParams
  cut_text: NoParams
  rounded_id: NoParams
  reordered_rows: NoParams
  wrapped_diagnosis: NoParams
  masked_diagnosis: NoParams
  redacted_diagnosis: NoParams
  redacted_row: NoParams
  run_id_only: NoParams
  null_and_no_key: NoParams
  not_captured: NoParams
  one_page: NoParams
  torn_layer: NoParams
  too_large: NoParams
}
export type ControlId = keyof Controls
