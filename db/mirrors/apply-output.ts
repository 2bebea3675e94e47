import { nameText } from '@/lib/judge/fixes/file-list'
import type { FitTrouble, MovedHunk } from '@/lib/judge/fixes/fit'
import type { FitTroubleKind } from '@/lib/model/fits'
import type { Hunk, PatchSection } from '@/lib/judge/patches/patch'
import { hunkLines } from '@/lib/judge/patches/read-hunk'
import { sectionName } from '@/lib/judge/patches/numstat'
import { cutAtWord } from '@/lib/text/visible'

const LF = 10
const WORDS_MAX = 500
const SEARCHING = 'error: while searching for:'

export interface ApplyWords {
  troubles: FitTrouble[]
  moved: MovedHunk[]
}

/**
 * Reads what `git apply --check --reject -v` says, with the patch beside it. Between its own lines git prints lines of the patch, which an agent
 * wrote: those are recognised by their bytes and passed over, so that nothing in them is taken for a word of git.
 */
export function readApplyOutput(
  said: Buffer,
  patch: Uint8Array,
  sections: readonly PatchSection[],
): ApplyWords {
  const troubles: FitTrouble[] = []
  const moved: MovedHunk[] = []
  // Git goes through the files in their order, and through the hunks of each.
  let [file, hunk] = [-1, -1]
  let searched: number | null = null
  for (let at = 0; at < said.length; ) {
    const end = said.indexOf(LF, at) === -1 ? said.length : said.indexOf(LF, at)
    const line = said.toString('utf8', at, end)
    at = end + 1
    const section = sections[file]
    if (line === SEARCHING) {
      searched = section === undefined ? null : searchedHunk(said, at, patch, section, hunk + 1)
      // Cut off in the middle, or printed in an unknown form: what follows cannot be distinguished from the patch's own text.
      if (searched === null) break
      hunk = searched
      at += searchedBytes(patch, section!.hunks[hunk]!).length + 1
    } else if (line.startsWith('Checking patch ')) {
      file++
      hunk = -1
    } else if (line.startsWith('error: patch failed: ') && section !== undefined && searched !== null) {
      troubles.push(
        troubleOf('hunk', section, file, line, {
          index: searched,
          place: firstChange(patch, section.hunks[searched]!),
        }),
      )
      searched = null
    } else if (line.startsWith('Hunk #')) {
      const [, number, lines] = /^Hunk #(\d+) succeeded at -?\d+ \(offset (-?\d+) lines?\)/.exec(line) ?? []
      if (number === undefined) continue
      hunk = Number(number) - 1
      moved.push({ file, hunk: Number(number), lines: Number(lines) })
    } else if (line.startsWith('error: ') && !line.endsWith(': patch does not apply')) {
      troubles.push(troubleOf(kindOf(line), section, file, line))
    }
  }
  return { troubles, moved }
}

/** The lines of the old side of a hunk as git prints them. */
function searchedBytes(patch: Uint8Array, hunk: Hunk): Buffer {
  const parts: Uint8Array[] = []
  for (const line of hunkLines(patch, hunk))
    if (line.kind !== 'added')
      parts.push(patch.subarray(line.start, line.noNewline ? line.next - 1 : line.next))
  return Buffer.concat(parts)
}

/** The next hunk that git has looked for in vain, known by the bytes that it prints. */
function searchedHunk(
  said: Buffer,
  at: number,
  patch: Uint8Array,
  section: PatchSection,
  from: number,
): number | null {
  for (let i = from; i < section.hunks.length; i++) {
    const bytes = searchedBytes(patch, section.hunks[i]!)
    const end = at + bytes.length
    if (
      said.subarray(at, end).equals(bytes) &&
      said[end] === LF &&
      said.subarray(end + 1, end + 1 + FAILED.length).equals(FAILED)
    )
      return i
  }
  return null
}
const FAILED = Buffer.from('error: patch failed: ')

function firstChange(patch: Uint8Array, hunk: Hunk): FitTrouble['place'] {
  for (const { kind, oldLine, newLine } of hunkLines(patch, hunk)) {
    if (kind === 'added' && newLine !== null) return { side: 'new', line: newLine }
    if (kind === 'deleted' && oldLine !== null) return { side: 'old', line: oldLine }
  }
  return null
}

const KINDS: [RegExp, FitTroubleKind][] = [
  [/: does not exist in index$|: No such file or directory$/, 'file-missing'],
  [/: already exists in (?:index|working directory)$/, 'file-exists'],
  [/^error: (?:the patch applies to '.*' \(|binary patch|cannot apply binary patch)/, 'binary-differs'],
  [/ is beyond a symbolic link$/, 'beyond-link'],
  [/: wrong type$/, 'wrong-type'],
]
const kindOf = (line: string): FitTroubleKind => KINDS.find(([pattern]) => pattern.test(line))?.[1] ?? 'other'

function troubleOf(
  kind: FitTroubleKind,
  section: PatchSection | undefined,
  file: number,
  line: string,
  hunk?: { index: number; place: FitTrouble['place'] },
): FitTrouble {
  return {
    kind,
    file: section === undefined ? null : file,
    name: section === undefined ? null : nameText(sectionName(section)).text,
    hunk: hunk === undefined ? null : hunk.index + 1,
    place: hunk?.place ?? null,
    words: cutAtWord(line.replace(/^error: /, ''), WORDS_MAX),
  }
}
