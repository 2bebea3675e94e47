import { tmpdir } from 'node:os'
import { applyOptions } from '@/lib/judge/fixes/apply-options'
import { notChecked, sideWithout, type FitReading, type FitSide } from '@/lib/judge/fixes/fit'
import { limits } from '@/lib/limits'
import { readAsMade } from '@/lib/judge/patches/read-as-made'
import { readApplyOutput } from './apply-output'
import { asked, branchHead, ended, lastWords, NotDone, objectId } from './ask-git'
import { textOf } from '@/lib/words/catalogue'
import { MIRROR_TROUBLE_WORDS } from '@/lib/words/fixes'
import { findMirror, MirrorRefused } from './find-mirror'
import { runGit, type GitAnswer, type GitCall } from './run-git'
import { withScratch } from './scratch'

export interface FitQuestion {
  /** The folder that the operator allows, and the path of the mirror below it. */
  root: string
  path: string
  /** Null: what the fix names can be no branch. */
  branch: string | null
  /** As the fix names it; null: it names none. */
  base: { commit: string | null; tree: string | null; subDir: string | null }
  /** Codes of flags: some patches need another way to call git. */
  warnings: readonly string[]
  bytes: Uint8Array
  signal?: AbortSignal
  /** Milliseconds that all of it may take. */
  withinMs?: number
  /** Where scratch folders are made. */
  scratchIn?: string
}

export type Fit = Pick<FitReading, 'gitVersion' | 'base' | 'head'>

/**
 * Asks git whether a patch applies to its base and to the head of a branch. Trees are read into an index in a scratch repository that borrows the objects of the
 * mirror: nothing is checked out, nothing is applied, and the mirror is never written to, nor is its configuration heard when trees are read.
 */
export async function fitPatch(question: FitQuestion): Promise<Fit> {
  const time = AbortSignal.timeout(question.withinMs ?? limits.fitMsMax)
  const signal = question.signal === undefined ? time : AbortSignal.any([time, question.signal])
  let gitVersion: string | null = null
  try {
    const mirror = await findMirror(question.root, question.path)
    const version = await asked(['version'], { gitDir: mirror.gitDir, folder: tmpdir(), signal })
    gitVersion = version.out.replace(/^git version /, '').trim()
    const head = question.branch === null ? null : await branchHead(mirror, question.branch, signal)
    const sides = await withScratch(
      mirror,
      (call) => bothSides(question, head, call),
      signal,
      question.scratchIn,
    )
    // A mirror that went meanwhile looks like one that lacks everything.
    if ([sides.base, sides.head].some(({ outcome }) => outcome !== 'fits'))
      await findMirror(question.root, question.path)
    return { gitVersion, ...sides }
  } catch (error) {
    const side =
      error instanceof NotDone
        ? error.side
        : error instanceof MirrorRefused
          ? notChecked('mirror-gone', textOf(MIRROR_TROUBLE_WORDS, error.trouble))
          : signal.aborted
            ? notChecked('over-time')
            : null
    if (side === null) throw error
    return { gitVersion, base: side, head: side }
  }
}

async function bothSides(
  { base, bytes, warnings }: FitQuestion,
  head: string | null,
  call: GitCall,
): Promise<Pick<Fit, 'base' | 'head'>> {
  const patch: Given = {
    bytes,
    sections: readAsMade(bytes).sections,
    options: applyOptions({ codes: warnings, subDir: base.subDir }),
  }
  const named = base.commit ?? base.tree
  const baseId = named === null ? null : await objectId(named, base.commit === null ? 'tree' : 'commit', call)
  const headSide = head === null ? sideWithout('branch-unknown') : await oneSide(head, patch, call)
  const baseSide =
    named === null
      ? sideWithout('base-unknown')
      : baseId === null
        ? sideWithout('base-missing')
        : baseId === head
          ? headSide
          : await oneSide(baseId, patch, call)
  return { base: baseSide, head: headSide }
}

interface Given {
  bytes: Uint8Array
  sections: ReturnType<typeof readAsMade>['sections']
  options: readonly string[]
}

async function oneSide(commit: string, { bytes, sections, options }: Given, call: GitCall): Promise<FitSide> {
  const apply = (...more: string[]): Promise<GitAnswer> =>
    ended(runGit(['apply', '--cached', '--check', ...options, ...more], { ...call, input: bytes }))
  const read = await ended(runGit(['read-tree', commit], call))
  if (read.status !== 0) return { ...notChecked('objects-missing', lastWords(read)), commit }
  const forward = await apply('-v')
  if (forward.status > 1) return { ...notChecked('failed', lastWords(forward)), commit }
  if (forward.status === 0)
    return {
      ...sideWithout('fits'),
      commit,
      moved: readApplyOutput(forward.err, bytes, sections).moved.slice(0, limits.fitTroublesMax),
    }
  if ((await apply('--reverse')).status === 0) return { ...sideWithout('already-applied'), commit }
  // With `--check` it rejects nothing: it only continues after the first hunk of a file that does not fit.
  const { troubles, moved } = readApplyOutput((await apply('--reject', '-v')).err, bytes, sections)
  const unread = troubles.find(({ kind, words }) => kind === 'other' && words.startsWith('failed to read '))
  if (unread !== undefined) return { ...notChecked('objects-missing', unread.words), commit }
  return {
    ...sideWithout('does-not-fit'),
    commit,
    troubles: troubles.slice(0, limits.fitTroublesMax),
    troublesTotal: troubles.length,
    moved: moved.slice(0, limits.fitTroublesMax),
  }
}
