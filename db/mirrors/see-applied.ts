import type { AppliedReading, OtherBlob } from '@/lib/judge/fixes/applied'
import type { NotLooked } from '@/lib/model/fits'
import { applyOptions } from '@/lib/judge/fixes/apply-options'
import { notChecked } from '@/lib/judge/fixes/fit'
import { limits } from '@/lib/limits'
import { asked, branchHead, ended, lastWords, NotDone, objectId } from './ask-git'
import { findMirror, MirrorRefused } from './find-mirror'
import { runGit, type GitCall } from './run-git'
import { withScratch } from './scratch'
import type { FixFile } from '@/lib/model/fix'

export interface AppliedQuestion {
  root: string
  path: string
  /** As the report names it; null: the head of the branch is looked at. */
  commit: string | null
  branch: string | null
  base: { commit: string | null; tree: string | null; subDir: string | null }
  /** Of the patch, all of them. */
  files: readonly Pick<FixFile, 'oldName' | 'newName' | 'newMode' | 'oldMode' | 'newBlob' | 'status'>[]
  warnings: readonly string[]
  bytes: Uint8Array
  signal: AbortSignal
}

export type Seen = Pick<AppliedReading, 'outcome' | 'why' | 'commit' | 'others' | 'othersTotal'>

/** Paths that are asked for with one command. */
const PATHS_AT_ONCE = 200
/** Mode and blob of a path; null: no file is there. A mode that the patch does not name is left out. */
type Stands = { mode: string | null; blob: string } | null

/**
 * Asks git whether a commit of a mirror has every file that a patch touches as the patch makes it. What it makes is computed in a scratch repository, by applying it to its
 * base; where that cannot be done, whole ids in its index lines tell. Nothing is written to the mirror. Never throws.
 */
export async function seeApplied(question: AppliedQuestion): Promise<Seen> {
  const signal = AbortSignal.any([AbortSignal.timeout(limits.fitMsMax), question.signal])
  try {
    const mirror = await findMirror(question.root, question.path)
    const head =
      question.commit !== null || question.branch === null
        ? null
        : await branchHead(mirror, question.branch, signal)
    const look = async (call: GitCall): Promise<Seen> => {
      const commit = question.commit === null ? head : await objectId(question.commit, 'commit', call)
      if (commit === null) return without(question.commit === null ? 'no-commit' : 'commit-missing')
      const promised = (await madeByApplying(question, call)) ?? statedByIndexLines(question)
      return promised === null ? without('no-promise') : await compare(commit, promised, call)
    }
    return await withScratch(mirror, look, signal)
  } catch (error) {
    if (error instanceof MirrorRefused) return without('mirror-gone')
    if (error instanceof NotDone) return without(error.side.why ?? 'failed')
    return without(signal.aborted ? 'over-time' : 'failed')
  }
}

const without = (why: NotLooked): Seen => ({
  outcome: 'not-checked',
  why,
  commit: null,
  others: [],
  othersTotal: 0,
})

/** What each path is after applying the patch to its base; null where that cannot be done. */
async function madeByApplying(
  { base, bytes, warnings }: AppliedQuestion,
  call: GitCall,
): Promise<Map<string, Stands> | null> {
  const named = base.commit ?? base.tree
  const tree = named === null ? null : await objectId(named, 'tree', call)
  if (tree === null || (await ended(runGit(['read-tree', tree], call))).status !== 0) return null
  const options = applyOptions({ codes: warnings, subDir: base.subDir })
  if ((await ended(runGit(['apply', '--cached', ...options], { ...call, input: bytes }))).status !== 0)
    return null
  const words = (
    await asked(['diff-index', '--cached', '--raw', '-z', '--no-renames', '--no-abbrev', tree], call)
  ).out.split('\0')
  const made = new Map<string, Stands>()
  for (let i = 0; i + 1 < words.length; i += 2) {
    const [, mode, , blob, status] = words[i]!.split(' ')
    made.set(words[i + 1]!, status === 'D' ? null : { mode: mode!, blob: blob! })
  }
  return made.size === 0 ? null : made
}

/** The same by what the patch states; null where one file has no whole id. */
function statedByIndexLines({ files, base: { subDir } }: AppliedQuestion): Map<string, Stands> | null {
  const stated = new Map<string, Stands>()
  const at = (name: string): string => (subDir ? `${subDir.replace(/\/+$/, '')}/${name}` : name)
  for (const { status, oldName, newName, oldMode, newMode, newBlob } of files) {
    if (oldName !== null && (status === 'D' || status === 'R')) stated.set(at(oldName), null)
    if (status === 'D') continue
    if (newName === null || newBlob === null || !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(newBlob)) return null
    stated.set(at(newName), { mode: newMode ?? oldMode, blob: newBlob })
  }
  return stated.size === 0 ? null : stated
}

async function compare(commit: string, promised: ReadonlyMap<string, Stands>, call: GitCall): Promise<Seen> {
  const others: OtherBlob[] = []
  const names = [...promised.keys()]
  for (let at = 0; at < names.length; at += PATHS_AT_ONCE) {
    const part = names.slice(at, at + PATHS_AT_ONCE)
    const listed = await ended(runGit(['--literal-pathspecs', 'ls-tree', '-z', commit, '--', ...part], call))
    if (listed.status !== 0)
      throw new NotDone({ ...notChecked('objects-missing', lastWords(listed)), commit })
    const found = new Map(
      listed.out
        .split('\0')
        .filter((line) => line !== '')
        .map((line) => {
          const [mode, , blob] = line.slice(0, line.indexOf('\t')).split(' ')
          return [line.slice(line.indexOf('\t') + 1), { mode: mode!, blob: blob! }]
        }),
    )
    for (const name of part) {
      const [wanted, there] = [promised.get(name)!, found.get(name) ?? null]
      const isSame =
        wanted === null
          ? there === null
          : there !== null &&
            wanted.blob === there.blob &&
            (wanted.mode === null || wanted.mode === there.mode)
      if (!isSame) others.push({ name, promised: spelled(wanted), found: spelled(there) })
    }
  }
  return {
    outcome: others.length === 0 ? 'seen' : 'not-seen',
    why: null,
    commit,
    others: others.slice(0, limits.fitTroublesMax),
    othersTotal: others.length,
  }
}

const spelled = (stands: Stands): string | null =>
  stands === null ? null : [stands.mode, stands.blob].filter((part) => part !== null).join(' ')
