import type { MessageOf, NoParams } from '../message'

/** The call that did the work in the end: its place among the calls of its execution, counted from 1. */
interface DoneBy {
  readonly number: number
}

/** Why a failed call counts as resolved, or as unresolved. */
export interface ResolutionMessages {
  not_comparable: NoParams
  nothing_followed: NoParams
  refused_and_left: NoParams
  refused_then_other_work: DoneBy
  same_call: DoneBy
  same_edit: DoneBy
  corrected_name: DoneBy
  corrected_path: DoneBy
  corrected_input: DoneBy
  same_step: DoneBy
  file_written_otherwise: DoneBy
  looked_elsewhere: DoneBy
  other_call_on_subject: DoneBy
  work_went_on: DoneBy
  not_done_again: NoParams
}

export type ResolutionMessage = MessageOf<ResolutionMessages>
