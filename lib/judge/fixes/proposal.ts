import type { FixProposal } from '../../model/fix'

/** What is kept of a proposal beside its columns. */
export type StoredProposal = Omit<FixProposal, 'task' | 'origin' | 'sha256' | 'supersedes'>

export function storedProposal({
  task: _task,
  origin: _origin,
  sha256: _sha256,
  supersedes: _supersedes,
  ...rest
}: Omit<FixProposal, 'origin'> & { origin: string }): StoredProposal {
  return rest
}

/** In CI an agent proposes nothing unless somebody enabled it there: a proposal that does not say what did is marked. */
export const isNotEnabled = ({ mode, enabledBy }: Pick<StoredProposal, 'mode' | 'enabledBy'>): boolean =>
  mode === 'ci' && (enabledBy === null || enabledBy.trim() === '')
