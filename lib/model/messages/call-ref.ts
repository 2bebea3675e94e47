import type { FailureDetail } from '../failure-details'

/** What a call works on: a path, or the first line of a command or text. */
export type CallTarget =
  | { readonly path: string }
  | {
      readonly line: string
      /** More lines follow. */
      readonly more: boolean
    }

/** A call as a sentence names it. Texts are as received, cut to what a sentence may need. */
export interface CallRef {
  readonly tool: string
  /** Null: not recorded. */
  readonly target: CallTarget | null
  /** Place among the calls of its execution, from 1. */
  readonly number: number
}

/** A failed call, with what tells one kind of failure from another. */
export interface FailedCallRef extends CallRef {
  readonly failureClass: string | null
  /** What its own message says more exactly than the class; null: no more. */
  readonly detail: FailureDetail | null
  /** Null: not recorded. */
  readonly exitCode: number | null
  /** Its target is a command line. */
  readonly isCommand: boolean
  /** A person refused it in words of their own. */
  readonly personSaid: boolean
}
