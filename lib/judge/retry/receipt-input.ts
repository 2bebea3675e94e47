import type { NextStep } from '../../model/messages/next-steps'
import type { CallFacts } from './call-facts'
import { messageText } from '../message-text'

/** The step, and where to find the input that a receipt holds no more than a digest of. */
export const withInputElsewhere = (step: NextStep, { failed }: CallFacts): NextStep =>
  failed.receiptOnly
    ? { id: 'with_input_elsewhere', params: { step, callId: messageText(failed.callId) } }
    : step
