import { applyDelta } from './apply-delta'
import { APPLY_STEPS_MAX, applyHunks, type Steps } from './apply-hunks'
import { blobId } from './blob-id'
import { bytesOf, type ByteText } from '@/lib/judge/patches/bytes'
import { sectionName } from '@/lib/judge/patches/numstat'
import type { Patch, PatchSection } from '@/lib/judge/patches/patch'
import { INFLATED_BYTES_MAX } from '@/lib/judge/patches/read-binary'
import { patchFaultText } from '@/lib/words/patches'
import { payloadBytes } from './payload-bytes'
import type { AppliedSection, Tree, TreeFile } from '@/lib/judge/patches/tree'
import { folders, parents } from './tree-paths'
import { isLink, isSubmodule } from '@/lib/judge/patches/verify-path'
import { gitTakesPath } from './git-path'

/** Why a section does not apply. */
export interface ApplyFault {
  /** Place of the section in the patch, from 0; null when the patch as a whole cannot be applied. */
  section: number | null
  path: ByteText
  /** Number of the hunk that does not fit, from 1; null when it is not a matter of hunks. */
  hunk: number | null
  kind:
    | 'not-a-patch'
    | 'missing'
    | 'gone'
    | 'exists'
    | 'wrong-type'
    | 'bad-path'
    | 'beyond-link'
    | 'hunk'
    | 'binary'
    | 'contents-left'
    | 'garbage'
    | 'too-much-work'
  sentence: string
}

export interface PatchApplied {
  applies: boolean
  faults: ApplyFault[]
  /** One for each section; null where it does not apply. */
  sections: (AppliedSection | null)[]
  /** The tree afterwards; null unless all sections apply. */
  tree: Tree | null
}

interface Result {
  section: PatchSection
  oldName: ByteText | null
  newMode: number
  content: Uint8Array
}

const WILL_GO = 'will-go'
const HAS_GONE = 'has-gone'

type Known = Result | typeof WILL_GO | typeof HAS_GONE

interface Course {
  bytes: Uint8Array
  tree: Tree
  folders: Set<ByteText>
  /** What earlier sections made of a name, and names that later ones take away. */
  known: Map<ByteText, Known>
  keptLinks: Set<ByteText>
  removedLinks: Set<ByteText>
  steps: Steps
}

type Stop = Pick<ApplyFault, 'kind' | 'sentence'> & { hunk?: number }

const stop = (kind: ApplyFault['kind'], sentence: string, hunk?: number): Stop => ({
  kind,
  sentence,
  ...(hunk !== undefined && { hunk }),
})

/**
 * Applies a patch to files in memory as `git apply --index` does: all sections or none.
 *
 * @param bytes those that `patch` was read from
 * @param tree the files that the patch may need, by their path
 * @returns never throws; `faults` name each section that does not apply, and its hunk
 * @see docs/patches.md#applying
 */
export function applyPatch(bytes: Uint8Array, patch: Patch, tree: Tree): PatchApplied {
  if (patch.verdict === 'error') {
    const fault: ApplyFault = {
      section: null,
      path: '',
      hunk: null,
      kind: 'not-a-patch',
      sentence: patch.problem === null ? 'This is no patch.' : patchFaultText(patch.problem.why),
    }
    return { applies: false, faults: [fault], sections: [], tree: null }
  }
  const course: Course = {
    bytes,
    tree,
    folders: folders(tree),
    known: new Map(),
    keptLinks: new Set(),
    removedLinks: new Set(),
    steps: { left: APPLY_STEPS_MAX },
  }
  for (const one of patch.sections) announce(course, one)
  const faults: ApplyFault[] = []
  const results: Result[] = []
  const sections = patch.sections.map((section, i) => {
    const done = isGarbage(section)
      ? stop('garbage', 'The header is followed by no change.')
      : applySection(course, section)
    if ('kind' in done) {
      faults.push({
        section: i,
        path: sectionName(section),
        hunk: done.hunk ?? null,
        kind: done.kind,
        sentence: done.sentence,
      })
      return null
    }
    results.push(done.result)
    return done.applied
  })
  const applies = faults.length === 0
  return { applies, faults, sections, tree: applies ? written(tree, results) : null }
}

/** Git refuses a header without any change, though it lists it. */
const isGarbage = (one: PatchSection): boolean =>
  one.hunks.length === 0 &&
  !one.binary &&
  !one.isRename &&
  !one.isCopy &&
  one.isNew !== true &&
  one.isDelete === false &&
  !(one.oldMode !== 0 && one.newMode !== 0 && one.oldMode !== one.newMode)

/** Notes what a section takes away and which links it leaves, before any is applied: their order does not matter to git. */
function announce(
  { known, keptLinks, removedLinks }: Course,
  { oldName, newName, oldMode, newMode, isRename, isDelete }: PatchSection,
): void {
  if (oldName !== null && (newName === null || isRename)) known.set(oldName, WILL_GO)
  if (oldName !== null && isLink(oldMode) && (isRename || isDelete === true)) removedLinks.add(oldName)
  if (newName !== null && isLink(newMode)) keptLinks.add(newName)
}

function applySection(
  course: Course,
  section: PatchSection,
): { result: Result; applied: AppliedSection } | Stop {
  const { tree, known } = course
  let { oldName, oldMode, newMode } = section
  let isNew = section.isNew === true
  let before: TreeFile | null = null
  if (oldName !== null) {
    const previous = section.isCopy || section.isRename ? undefined : known.get(oldName)
    if (previous === HAS_GONE)
      return stop('gone', 'An earlier part of the patch renames or deletes this file.')
    if (typeof previous === 'object') before = { mode: previous.newMode, content: previous.content }
    else before = tree.get(oldName) ?? null
    if (before === null) {
      if (section.isNew !== null)
        return stop(
          'missing',
          course.folders.has(oldName) ? 'There is a folder of that name, no file.' : 'There is no such file.',
        )
      isNew = true
      oldName = null
    } else {
      oldMode ||= before.mode
      if ((before.mode ^ oldMode) & 0o170000)
        return stop('wrong-type', 'The file is of another kind than the patch says.')
      if (newMode === 0 && section.isDelete !== true) newMode = before.mode
    }
  }
  const { newName } = section
  if (newName !== null && (isNew || section.isRename || section.isCopy)) {
    const there = known.get(newName)
    if (tree.has(newName) && there !== WILL_GO && there !== HAS_GONE && !isBeyondTreeLink(course, newName))
      return stop('exists', 'There is such a file already.')
    if (newMode === 0) newMode = isNew ? 0o100644 : oldMode
  }
  if (newName !== null && oldName !== null) {
    newMode ||= oldMode
    if ((oldMode ^ newMode) & 0o170000)
      return stop('wrong-type', 'The patch changes the kind of a file in place.')
  }
  const stays = section.isDelete !== true
  const touchesOld = !stays || (!isNew && !section.isCopy)
  if (
    (touchesOld && oldName !== null && !gitTakesPath(oldName, oldMode)) ||
    (stays && newName !== null && !gitTakesPath(newName, newMode))
  )
    return stop('bad-path', 'Git does not write to such a path.')
  if (stays && newName !== null && isBeyondLink(course, newName))
    return stop('beyond-link', 'The path goes through a symbolic link.')
  const content =
    before === null
      ? new Uint8Array()
      : isSubmodule(before.mode) && before.commit !== undefined
        ? submoduleText(before.commit)
        : before.content
  const done = section.binary
    ? applyBinary(course, section, content, oldName)
    : applyText(course, section, content)
  if ('kind' in done) return done
  const result: Result = { section, oldName, newMode, content: done.content }
  remember(course, result)
  if (section.isDelete === true && done.content.length > 0)
    return stop('contents-left', 'The file is to be deleted, and the patch leaves some of it.')
  return { result, applied: describe(result, oldMode, oldName === null ? null : content, done.offsets) }
}

type Changed = { content: Uint8Array; offsets: number[] } | Stop

function applyText({ bytes, steps }: Course, section: PatchSection, content: Uint8Array): Changed {
  if (section.hunks.length === 0) return { content, offsets: [] }
  const done = applyHunks(bytes, section.hunks, content, steps)
  if ('content' in done) return done
  if (done.gaveUp)
    return stop('too-much-work', 'Applying this patch takes more work than is done for one.', done.hunk)
  return stop('hunk', `Hunk ${done.hunk} does not fit the file.`, done.hunk)
}

function applyBinary(
  { bytes }: Course,
  section: PatchSection,
  content: Uint8Array,
  oldName: ByteText | null,
): Changed {
  const { payload, oldBlob, newBlob } = section
  if (!/^[0-9a-f]{40}$/i.test(oldBlob ?? '') || !/^[0-9a-f]{40}$/i.test(newBlob ?? ''))
    return stop('binary', 'A binary change needs the full ids of both files.')
  if (oldName === null ? content.length > 0 : blobId(content) !== oldBlob!.toLowerCase())
    return stop('binary', 'The file is another one than the binary change is for.')
  if (/^0+$/.test(newBlob!)) return { content: new Uint8Array(), offsets: [] }
  if (payload === null) return stop('binary', 'The patch says that the file differs, and does not hold it.')
  if (!payload.checked) return stop('too-much-work', 'The binary change is larger than is unpacked.')
  const held = payloadBytes(bytes, payload)
  const made = held && (payload.method === 'literal' ? held : applyDelta(content, held, INFLATED_BYTES_MAX))
  if (made === null) return stop('binary', 'The binary change does not fit the file.')
  return blobId(made) === newBlob!.toLowerCase()
    ? { content: made, offsets: [] }
    : stop('binary', 'The binary change makes another file than it states.')
}

const submoduleText = (commit: string): Uint8Array => bytesOf(`Subproject commit ${commit}\n`)

const commitOf = (content: Uint8Array): string | null =>
  /^Subproject commit ([0-9a-f]{40})\n$/.exec(String.fromCharCode(...content.subarray(0, 64)))?.[1] ?? null

const idOf = (mode: number, content: Uint8Array): string =>
  (isSubmodule(mode) ? commitOf(content) : null) ?? blobId(content)

function describe(
  { section, newMode, content }: Result,
  oldMode: number,
  before: Uint8Array | null,
  offsets: number[],
): AppliedSection {
  const stays = section.isDelete !== true
  return {
    oldMode: before === null ? 0 : oldMode,
    newMode: stays ? newMode : 0,
    offsets,
    oldBlob: before === null ? null : idOf(oldMode, before),
    newBlob: stays ? idOf(newMode, content) : null,
  }
}

/** What later sections find under the names of this one. */
function remember({ known }: Course, result: Result): void {
  const { newName, isRename } = result.section
  if (newName !== null) known.set(newName, result)
  if (result.section.oldName !== null && (newName === null || isRename))
    known.set(result.section.oldName, HAS_GONE)
}

function isBeyondTreeLink({ tree }: Course, path: ByteText): boolean {
  for (const folder of parents(path)) if (isLink(tree.get(folder)?.mode ?? 0)) return true
  return false
}

/** Whether a folder of the path is a link that the patch makes or leaves. */
function isBeyondLink({ tree, keptLinks, removedLinks }: Course, path: ByteText): boolean {
  for (const folder of parents(path)) {
    if (keptLinks.has(folder)) return true
    if (!removedLinks.has(folder) && isLink(tree.get(folder)?.mode ?? 0)) return true
  }
  return false
}

/** The tree after all sections. Git first takes away every old name, then writes: where a header names two files without calling it a rename, the old one goes. */
function written(tree: Tree, results: readonly Result[]): Tree {
  const after = new Map(tree)
  for (const { section, oldName } of results) if (oldName !== null && !section.isCopy) after.delete(oldName)
  for (const { section, newMode, content } of results) {
    if (section.isDelete === true || section.newName === null) continue
    const commit = isSubmodule(newMode) ? commitOf(content) : null
    const mode =
      isLink(newMode) || isSubmodule(newMode) ? newMode & 0o170000 : newMode & 0o100 ? 0o100755 : 0o100644
    after.set(section.newName, { mode, content, ...(commit !== null && { commit }) })
  }
  return after
}
