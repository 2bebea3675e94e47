import { decisiveText } from './call-ref'
import type { WorkedCall } from './merge-calls'

const SLIP =
  /\b(?:unknown|unrecogni[sz]ed|invalid|illegal|no such) (?:sub-?)?(?:command|option|argument|flag|usage|switch)\b/i

/** Whether a command was called by a name or an option that it does not have: that is about the call, not about the work. */
export const isSlip = (a: WorkedCall): boolean => a.failureClass === 'exit_code' && SLIP.test(decisiveText(a))
