import { tmpdir } from 'node:os'
import type { NotChecked } from '@/lib/model/fits'
import type { MirrorTrouble } from '@/lib/model/messages/mirrors'
import { branchHead, NotDone } from './ask-git'
import { findMirror, MirrorRefused, type FoundMirror } from './find-mirror'
import { runGit } from './run-git'

/** A look at a mirror is one question to git. */
const LOOK_MS = 5_000
const BRANCHES_NAMED = 8

/** The commit that the branch is at (null: there is no such branch), or what is wrong with the mirror. */
export type Look = { head: string | null } | { trouble: MirrorTrouble }

/** Looks where a branch of a mirror stands now. @param root null: the operator allows none */
export async function lookAtMirror(root: string | null, path: string, branch: string): Promise<Look> {
  return looking(root, path, async (mirror, signal) => ({ head: await branchHead(mirror, branch, signal) }))
}

/** Looks whether a folder can be a mirror. @param branch left out: the one that it has checked out */
export async function takeMirror(
  root: string | null,
  path: string,
  branch: string | undefined,
): Promise<{ branch: string } | { trouble: MirrorTrouble; of: 'path' | 'branch' }> {
  const taken = await looking(root, path, async (mirror, signal) => {
    const call = { gitDir: mirror.gitDir, folder: tmpdir(), signal }
    const chosen = branch ?? (await runGit(['symbolic-ref', '--quiet', '--short', 'HEAD'], call)).out.trim()
    if (chosen !== '' && (await branchHead(mirror, chosen, signal)) !== null) return { branch: chosen }
    const names = (
      await runGit(
        ['for-each-ref', `--count=${BRANCHES_NAMED}`, '--format=%(refname:short)', 'refs/heads'],
        call,
      )
    ).out
      .split('\n')
      .filter((name) => name !== '')
    const trouble: MirrorTrouble = {
      id: 'no_such_branch',
      params: {
        branch: chosen === '' ? null : chosen,
        branches: names,
        more: names.length === BRANCHES_NAMED,
      },
    }
    return { trouble, of: 'branch' as const }
  })
  return 'trouble' in taken && !('of' in taken) ? { ...taken, of: 'path' } : taken
}

async function looking<T>(
  root: string | null,
  path: string,
  look: (mirror: FoundMirror, signal: AbortSignal) => Promise<T>,
): Promise<T | { trouble: MirrorTrouble }> {
  if (root === null) return { trouble: notChecked('mirrors-off') }
  try {
    return await look(await findMirror(root, path), AbortSignal.timeout(LOOK_MS))
  } catch (error) {
    if (error instanceof MirrorRefused) return { trouble: error.trouble }
    if (error instanceof NotDone) return { trouble: notChecked(error.side.why ?? 'failed') }
    throw error
  }
}

const notChecked = (why: NotChecked): MirrorTrouble => ({ id: 'not_checked', params: { why } })
