import type { NextStep } from '../../model/messages/next-steps'
import type { WorkedCall } from '../calls/merge-calls'

/** For work that was done in the end: what would have spared the attempts. */
export function habitAfter({ failureClass }: Pick<WorkedCall, 'failureClass'>): NextStep {
  switch (failureClass) {
    case 'not_read_first':
      return { id: 'no_action_read_first', params: {} }
    case 'user_rejected':
      return { id: 'no_action_prompt', params: {} }
    case 'sibling_cancelled':
      return { id: 'no_action_parallel', params: {} }
    default:
      return { id: 'no_action', params: {} }
  }
}
