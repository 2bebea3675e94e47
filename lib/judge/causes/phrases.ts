import type { WorkedCall } from '../calls/merge-calls'
import { callRef, failedCallRef } from '../calls/call-ref'
import * as words from '../../words/phrases'

/** Words about a call, for the modules here that still make sentences; it goes when the last of them yields facts. */
type Named = Pick<WorkedCall, 'tool' | 'target' | 'looseTarget' | 'ordinal'>

export const callName = (a: Named, targetCharsMax?: number): string =>
  words.callName(callRef(a), targetCharsMax)
export const targetName = (a: Named): string => words.targetName(callRef(a))
export const otherRecordsOf = ({ callId }: Pick<WorkedCall, 'callId'>): string => words.otherRecords(callId)
export const whatHappened = (a: WorkedCall, targetCharsMax?: number): string =>
  words.whatHappened(failedCallRef(a), targetCharsMax)

export { decisiveText, lineOf, personSaid, withoutPreparation } from '../calls/call-ref'
export { capital, count, quoted, some } from '../../words/phrases'
