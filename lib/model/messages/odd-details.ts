import type { MessageOf, NoParams } from '../message'
import type { MalformedWhy } from '../receipt-facts'

/** What is wrong with a field of a record, by its JSON pointer. */
export interface WrongField {
  readonly path: string
  readonly problem: WrongFieldProblem
}
export type WrongFieldProblem =
  | 'missing'
  | 'not_text'
  | 'not_number'
  | 'not_flag'
  | 'not_object'
  | 'not_list'
  | 'not_text_or_list'
  | 'not_time'
  | 'not_count'
  | 'not_task'

/** Why Agent Receipts would leave no receipt for a frame of a hook. */
export interface ReceiptLosses {
  frame_too_long: { bytes: number }
  payload_too_long: { bytes: number }
  field_too_long: { field: string; bytes: number }
  number_too_large: { field: string }
  agent_id_not_plain: NoParams
  unknown_event: NoParams
  empty: NoParams
  not_a_frame: NoParams
  no_tool_name: NoParams
}
export type ReceiptLoss = MessageOf<ReceiptLosses>

/** What exactly is odd about a record, beside its reason. */
export interface OddDetails {
  wrong_fields: { fields: readonly WrongField[] }
  unknown_type: { type: string }
  no_type: NoParams
  no_session: NoParams
  not_an_object: { is: 'null' | 'list' | 'string' | 'number' | 'boolean' }
  records_lost: { code: string | null }
  records_dropped: {
    frames: number
    records: number
    bytes: number
    since: string | null
    until: string | null
  }
  receipt_lost: { loss: ReceiptLoss }
  unchecked_receipt: { why: MalformedWhy }
  other_run: { run: string }
  no_reply: NoParams
  file_not_json: { file: string }
  file_lines_not_json: { file: string }
  torn_line: NoParams
  not_readable: { error: string }
  unstorable_id: { field: string }
  binary: { bytes: number }
  nul_bytes: NoParams
  not_utf8: NoParams
  line_too_long: { bytes: number; max: number }
  too_deep: { max: number }
  too_many_values: { max: number }
  too_many_events: { what: 'blocks' | 'rows' | 'tasks'; count: number; max: number }
  not_json: { error: string }
  empty_body: NoParams
  bytes_missing: { from: number; to: number | null }
  refused: { error: string }
}
export type OddDetail = MessageOf<OddDetails>
