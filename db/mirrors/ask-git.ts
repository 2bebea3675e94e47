import { tmpdir } from 'node:os'
import { notChecked, type FitSide } from '@/lib/judge/fixes/fit'
import type { FoundMirror } from './find-mirror'
import { runGit, type GitAnswer, type GitCall } from './run-git'

/** Git said nothing that could be used, and why. */
export class NotDone extends Error {
  constructor(readonly side: FitSide) {
    super(side.why ?? side.outcome)
  }
}

/** The commit that a branch of a mirror is at; null when it has no such branch. Cheap: a reference is read, and no object. */
export async function branchHead(
  { gitDir }: FoundMirror,
  branch: string,
  signal: AbortSignal,
): Promise<string | null> {
  const answer = await runGit(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`], {
    gitDir,
    folder: tmpdir(),
    signal,
  })
  if (answer.how !== 'ended') throw new NotDone(notChecked(answer.how === 'absent' ? 'no-git' : 'over-time'))
  return answer.status === 0 ? answer.out.trim() : null
}

export async function objectId(name: string, kind: 'commit' | 'tree', call: GitCall): Promise<string | null> {
  const answer = await runGit(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{${kind}}`],
    call,
  )
  if (answer.how === 'stopped') throw new NotDone(notChecked('over-time'))
  return answer.status === 0 ? answer.out.trim() : null
}

export async function ended(answer: Promise<GitAnswer>): Promise<GitAnswer> {
  const done = await answer
  if (done.how !== 'ended') throw new NotDone(notChecked(done.how === 'absent' ? 'no-git' : 'over-time'))
  return done
}

export async function asked(args: readonly string[], call: GitCall): Promise<GitAnswer> {
  const answer = await ended(runGit(args, call))
  if (answer.status !== 0) throw new NotDone(notChecked('failed', lastWords(answer)))
  return answer
}

export const lastWords = ({ err }: GitAnswer): string | null =>
  err.toString('utf8').trim().split('\n').at(-1)?.slice(0, 500) || null
