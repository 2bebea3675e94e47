import { againstEachOther } from './against-each-other'
import { byteText, type ByteText } from './bytes'
import type { FlagCode, PatchFlag } from '../../model/flags'
import type { PatchSection } from './patch'
import { firstFolderFlags, pathFlags } from './path-flags'
import { hunkLines } from './read-hunk'
import type { AppliedSection, Tree } from './tree'
import { isLink, isSubmodule } from './verify-path'

const USUAL_MODES = new Set([0o100644, 0o100755, 0o120000, 0o160000])
const DIRECTORY_MODE = 0o040000
const TARGET_BYTES_MAX = 4096

/** What is known of the files before, where a base is at hand; without it what only they tell is not judged. */
export interface KnownBase {
  tree: Tree
  applied: readonly (AppliedSection | null)[]
}

/** Flags of where a patch writes and what it makes there: paths, links, modes, files against each other. */
export function treeFlags(
  bytes: Uint8Array,
  sections: readonly PatchSection[],
  base: KnownBase | null = null,
): PatchFlag[] {
  const flags: PatchFlag[] = []
  const add = (code: FlagCode, file: number, text: string | null = null): void =>
    void flags.push({
      code,
      file,
      detail: text === null ? null : { id: 'text', params: { text } },
      lines: { start: sections[file]!.line, end: sections[file]!.line },
    })
  const links = new Set<ByteText>()
  const results = new Map<ByteText, number>()
  const done = new Map<ByteText, 'created' | 'changed' | 'gone'>()
  for (const [file, section] of sections.entries()) {
    const { oldName, newName, oldMode, newMode, isDelete, stated } = section
    const names = new Set(
      [oldName, newName, stated.before, stated.after, stated.gitLine].filter((name) => name !== null),
    )
    for (const code of new Set(
      [...names].flatMap(pathFlags).concat(stated.written.flatMap(firstFolderFlags)),
    ))
      add(code, file)
    const before = oldName === null ? undefined : base?.tree.get(oldName)
    const mode = newMode || (isDelete === true ? 0 : oldMode || before?.mode || 0)
    for (const one of new Set([oldMode, newMode]))
      if (one !== 0 && !USUAL_MODES.has(one))
        add(one === DIRECTORY_MODE ? 'mode-directory' : 'mode-unusual', file, one.toString(8))
    if ([oldMode, newMode, before?.mode ?? 0].some(isLink)) add('symlink', file)
    if ([oldMode, newMode].some(isSubmodule)) add('submodule-change', file)
    if (isRegular(newMode) && newMode & 0o111 && !(isRegular(oldMode) && oldMode & 0o111))
      add('executable-added', file)
    const applied = base?.applied[file]
    if (
      applied &&
      section.oldBlob &&
      applied.oldBlob &&
      /^[0-9a-f]+$/.test(section.oldBlob) &&
      !applied.oldBlob.startsWith(section.oldBlob) &&
      !/^0+$/.test(section.oldBlob)
    )
      add('base-blob-mismatch', file)
    if (applied?.offsets.some((offset) => offset !== 0)) add('hunk-offset', file)
    const twice = isTwice(done, section)
    if (twice !== null) add(twice, file)
    if (isDelete === true || newName === null) continue
    if (isLink(mode)) {
      links.add(newName)
      const target = linkTarget(bytes, section)
      if (target !== null && leavesRoot(newName, target))
        add('symlink-escape', file, target.length > 200 ? `${target.slice(0, 199)}…` : target)
    }
    results.set(newName, file)
  }
  againstEachOther({ results, links, tree: base?.tree ?? null }, add)
  return flags
}

/** Whether an earlier part of the patch is about the same file, and notes what this one does. A file that has gone can be made again, or another take its name. */
function isTwice(
  done: Map<ByteText, 'created' | 'changed' | 'gone'>,
  { oldName, newName, isNew, isDelete, isRename, isCopy }: PatchSection,
): FlagCode | null {
  const name = isDelete === true || newName === null ? oldName : newName
  if (name === null) return null
  const before = done.get(name)
  if (isRename && oldName !== null && oldName !== newName && !done.has(oldName)) done.set(oldName, 'gone')
  done.set(name, isDelete === true ? 'gone' : isNew === true ? 'created' : 'changed')
  if (before === undefined || (before === 'gone' && (isNew === true || isRename || isCopy))) return null
  return before === 'created' && isNew === true ? 'duplicate-create' : 'duplicate-file'
}

const isRegular = (mode: number): boolean => (mode & 0o170000) === 0o100000

/** What a link is made to lead to: the lines that its section adds. */
function linkTarget(bytes: Uint8Array, section: PatchSection): ByteText | null {
  const [hunk] = section.hunks
  if (hunk === undefined) return null
  const added: ByteText[] = []
  for (const line of hunkLines(bytes, hunk))
    if (line.kind === 'added')
      added.push(byteText(bytes, line.start, Math.min(line.end, line.start + TARGET_BYTES_MAX)))
  return added.length === 0 ? null : added.join('\n')
}

/** Whether a link at `path` leads out of the root of the repository, however a system reads its target. */
function leavesRoot(path: ByteText, target: ByteText): boolean {
  if (/^(?:[\\/]|[A-Za-z]:)/.test(target)) return true
  let depth = path.split('/').length - 1
  for (const one of target.split(/[\\/]/)) {
    if (one === '..') depth--
    else if (one !== '' && one !== '.') depth++
    if (depth < 0) return true
  }
  return false
}
