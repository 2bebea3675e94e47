import type { FixProposal } from '../api/fix-schemas'

/** What is kept of a proposal beside its columns. */
export type StoredProposal = Omit<FixProposal, 'task' | 'origin' | 'sha256' | 'supersedes'>

export function storedProposal({ task: _task, origin: _origin, sha256: _sha256, supersedes: _supersedes, ...rest }: FixProposal): StoredProposal {
  return rest
}
