import type { CallRef } from '../../model/messages/call-ref'
import type { Recovery } from '../../model/retry'
import { callRef, decisiveText } from '../calls/call-ref'
import { messageText } from '../message-text'
import type { WorkedCall } from '../calls/merge-calls'
import type { Focus } from '../causes/focus'
import type { Work } from '../causes/work'
import type { After } from './after'

/** What the rules may ask of the whole run. */
export interface FailureContext {
  work: Work
  /** Folder that the run began in. */
  cwd: string | null
  /** Whether the run came to its end, so that what was not done by then was not done in it. */
  ended: boolean
  after: (a: WorkedCall) => After
  /** The last words of a person between two calls. */
  saidBetween: (from: WorkedCall, to: WorkedCall) => string | null
}

/** A piece of work that failed, as the rules of a retry ask of it. */
export interface CallFacts {
  readonly focus: Focus
  readonly context: FailureContext
  /** The call that the failure comes from. */
  readonly failed: WorkedCall
  readonly call: CallRef
  /** The decisive line of its error; empty: none was recorded. */
  readonly error: string
  /** As much of that line as a message keeps. */
  readonly quote: string
  readonly recoveredBy: Recovery | null
}

export function callFacts(focus: Focus, context: FailureContext): CallFacts {
  const failed = focus.call
  const error = decisiveText(failed)
  return {
    focus,
    context,
    failed,
    call: callRef(failed),
    error,
    quote: messageText(error),
    recoveredBy: recoveryOf(focus),
  }
}

function recoveryOf({ call, recovered, next, workaround }: Focus): Recovery | null {
  if (!recovered || !next) return workaround ? 'another_way' : null
  // Of commands the target is the whole input.
  if (next.inputChanged === false || call.looseTarget !== null) return 'same_call'
  return next.inputChanged ? 'changed_input' : 'later_attempt'
}
