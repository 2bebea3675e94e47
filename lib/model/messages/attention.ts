import type { MessageOf, NoParams } from '../message'

/** Why a failure that the run survived is worth a look. */
export interface LeadingMessages {
  unresolved_work: NoParams
  refused_by_person: { readonly refusals: number }
  interrupted_by_person: NoParams
  /** `rounds`: model messages in which it failed. */
  failed_repeatedly: { readonly rounds: number }
  worked_around: NoParams
  /** `failures`: failed calls from the first to the success. */
  fixed_after_failures: { readonly failures: number }
  /** What was missing was there later, and no call of the agent had made it. */
  appeared_later: NoParams
}

export type LeadingRule = keyof LeadingMessages

/** Whether an execution needs a look, and why. */
export interface AttentionMessages extends LeadingMessages {
  run_failed: NoParams
  run_stopped: NoParams
  end_unknown: NoParams
  /** Calls failed, and no rule makes one of them worth a look: looks that found nothing, slips, what was fixed at once. */
  minor_failures: NoParams
  nothing_failed: NoParams
}

export type AttentionMessage = MessageOf<AttentionMessages>
