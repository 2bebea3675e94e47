import type { MessageOf } from '../../model/message'
import type { PatchFaultId, PatchFaults } from '../../model/messages/patches'

/** Why reading a patch ended, as a message: none of them has values. */
export const faultMessage = (why: PatchFaultId): MessageOf<PatchFaults> =>
  ({ id: why, params: {} }) as MessageOf<PatchFaults>
