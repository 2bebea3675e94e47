import type { NoParams } from '../message'

/** What two sources say differently of one execution. */
export interface DisagreementFacts {
  run_status: NoParams
  outcome: NoParams
  /** The result record lists the call as refused. */
  call_refused: { readonly callId: string }
  /** `fact`: tool, target, input, state or exitCode. */
  call_fact: { readonly callId: string; readonly fact: string }
  /** A fact of the files of a session log; `run`: the folder of the run, where the session has several. */
  recorded_fact: { readonly fact: string; readonly run: string | null }
}

type Named = {
  [Id in keyof DisagreementFacts]: { readonly rule: Id; readonly params: DisagreementFacts[Id] }
}[keyof DisagreementFacts]

/** A disagreement with who says what, and what counts. */
export type Disagreeing<Values> = Named & Values
