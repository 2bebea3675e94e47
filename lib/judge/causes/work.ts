import type { Chain } from '../../model/summary'
import type { WorkedCall } from '../calls/merge-calls'

/** What the focus needs of the whole run, worked out once. */
export interface Work {
  calls: readonly WorkedCall[]
  chains: readonly Chain[]
  byId: ReadonlyMap<string, WorkedCall>
}

export const workOf = (
  calls: readonly WorkedCall[],
  chains: readonly Chain[],
  byId: ReadonlyMap<string, WorkedCall>,
): Work => ({
  calls,
  chains,
  byId,
})
