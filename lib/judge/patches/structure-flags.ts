import { noticeOfDropped } from '../../text/notice-of-dropped'
import { byteText, CR, lineEnd, LF } from './bytes'
import type { FlagCode, PatchFlag } from '../../model/flags'
import type { FlagDetail } from '../../model/messages/patches'
import { faultMessage } from './fault-message'
import { ignoredFlags } from './ignored-flags'
import type { Hunk, Patch, PatchProblem, PatchSection } from './patch'
import { namesDisagree } from './section-names'

const OF_PROBLEM: Record<PatchProblem['kind'], FlagCode> = {
  'no-patch': 'not-a-unified-diff',
  'hunk-without-header': 'not-a-unified-diff',
  'patch-too-large': 'not-a-unified-diff',
  'hunk-header': 'hunk-header-malformed',
  'hunk-without-change': 'hunk-header-malformed',
  'hunk-too-short': 'truncated-hunk',
  'hunk-cut': 'truncated-hunk',
  'hunk-foreign-line': 'truncated-hunk',
  'hunk-counts-differ': 'hunk-count-mismatch',
  'names-missing': 'header-mismatch',
  'names-disagree': 'header-mismatch',
  'header-lines-disagree': 'header-mismatch',
  'mode-unreadable': 'mode-unusual',
  'new-with-old-lines': 'header-mismatch',
  'deleted-with-new-lines': 'header-mismatch',
  'binary-damaged': 'binary-corrupt',
}
/** Of a damaged payload whose stated size is false. */
const FALSE_SIZES: ReadonlySet<PatchProblem['why']> = new Set([
  'binary_size_differs',
  'binary_size_impossible',
])
/** Names longer than this are flagged for their length. */
const NAME_LINE_BYTES_MAX = 64 * 1024
/** The largest line number or count that git keeps. */
const HUNK_NUMBER_MAX = 2 ** 31 - 1
/** Hunks of one code in one file that are listed. */
const LISTED_MAX = 20
const FILES_MAX = 3_000
const HUNKS_MAX = 10_000
const EXPANDED_BYTES_MAX = 16 * 1024 * 1024
const EXPANSION_MAX = 100

/** Flags of how a patch is put together, as far as its bytes alone tell. */
export function structureFlags(bytes: Uint8Array, patch: Patch): PatchFlag[] {
  const flags: PatchFlag[] = []
  const add = (
    code: FlagCode,
    line: number | null,
    file: number | null = null,
    detail: FlagDetail | null = null,
  ): void => void flags.push({ code, file, detail, lines: line === null ? null : { start: line, end: line } })
  const { problem, sections, withoutPrefix = false } = patch
  if (problem !== null)
    add(
      FALSE_SIZES.has(problem.why) ? 'binary-size-mismatch' : OF_PROBLEM[problem.kind],
      problem.line,
      null,
      faultMessage(problem.why),
    )
  // Read with -p0, it changes the files that it names: only git has to be told.
  if (withoutPrefix)
    flags.push({ code: 'no-prefix', weight: 'warning', file: null, detail: null, lines: null })
  if (headIsLost(bytes, sections[0]?.start ?? bytes.length)) add('content-head-lost', 1)
  if (startsWithMark(bytes)) add('byte-order-mark', 1)
  if (bytes.length > 0 && bytes[bytes.length - 1] !== LF) add('no-final-newline', null)
  if (sections.length > FILES_MAX)
    add('too-many-files', null, null, { id: 'files', params: { count: sections.length } })
  const hunks = sections.reduce((sum, one) => sum + one.hunks.length, 0)
  if (hunks > HUNKS_MAX) add('too-many-hunks', null, null, { id: 'hunks', params: { count: hunks } })
  for (const flag of ignoredFlags(bytes, patch)) flags.push(flag)
  if (sections.some((one) => bareHunks(one).some((hunk) => !mayBeWholeFile(hunk))))
    for (const [file, section] of sections.entries())
      for (const { line } of bareHunks(section).slice(0, LISTED_MAX)) add('zero-context', line, file)
  for (const [file, section] of sections.entries())
    sectionFlags(bytes, section, withoutPrefix, (code, line, detail) => add(code, line, file, detail))
  return flags
}

/** Hunks without context. One may be the whole of a small file; any other was made to be placed by its line numbers, and tells how all of the patch was made. */
const bareHunks = ({ hunks, isNew, isDelete }: PatchSection): Hunk[] =>
  isNew === true || isDelete === true
    ? []
    : hunks.filter((one) => one.oldLines === one.deleted && one.newLines === one.added)

const mayBeWholeFile = ({ oldStart, oldLines, newStart, newLines }: Hunk): boolean =>
  oldStart === (oldLines === 0 ? 0 : 1) && newStart === (newLines === 0 ? 0 : 1)

type Add = (code: FlagCode, line: number, detail?: FlagDetail) => void

function sectionFlags(bytes: Uint8Array, section: PatchSection, withoutPrefix: boolean, add: Add): void {
  const { line, stated, hunks, payload, newBlob, crlfHeader, binary } = section
  if (stated.gitLineDiffers || namesDisagree(section)) add('header-mismatch', line)
  if (stated.sameWithPrefix && !withoutPrefix) add('no-prefix', line)
  const cut = crlfHeader ? line : hunks.find(({ bodyStart }) => bytes[bodyStart - 2] === CR)?.line
  if (cut !== undefined) add('crlf-mangled', cut)
  if (binary && payload === null) add('binary-without-payload', line)
  if (payload !== null) {
    if (payload.size > EXPANDED_BYTES_MAX || payload.size > EXPANSION_MAX * Math.max(1, payload.packedSize))
      add('binary-expansion', payload.line, {
        id: 'expands',
        params: { bytes: payload.packedSize, to: payload.size },
      })
    if (
      payload.blob !== null &&
      /^[0-9a-f]{40}$/i.test(newBlob ?? '') &&
      !/^0+$/.test(newBlob!) &&
      payload.blob !== newBlob!.toLowerCase()
    )
      add('binary-hash-mismatch', payload.line)
  }
  if (hasNulInName(bytes, section)) add('path-nul', line)
  for (const [i, hunk] of hunks.entries()) {
    if (isOutOfRange(hunk)) add('hunk-number-out-of-range', hunk.line)
    const before = hunks[i - 1]
    if (before && hunk.oldStart < before.oldStart) add('hunk-out-of-order', hunk.line)
    else if (before && hunk.oldStart < before.oldStart + before.oldLines) add('hunk-overlap', hunk.line)
  }
}

const NAME_LINE = /^(?:diff --git|---|\+\+\+|rename|copy) /
const QUOTED_NUL = /(?<!\\)(?:\\\\)*\\000/

/** Whether a line of the header names a file with a NUL, as it is or as `"\000"`; git reads the name up to it. */
function hasNulInName(bytes: Uint8Array, { start, end, hunks, payload }: PatchSection): boolean {
  const stop = hunks[0]?.start ?? payload?.start ?? end
  for (let at = start; at < stop; ) {
    const next = lineEnd(bytes, at)
    const text = byteText(bytes, at, Math.min(next, at + NAME_LINE_BYTES_MAX))
    if (NAME_LINE.test(text) && (text.includes('\0') || (text.includes('"') && QUOTED_NUL.test(text))))
      return true
    at = next
  }
  return false
}

const isOutOfRange = ({ oldStart, oldLines, newStart, newLines }: Hunk): boolean =>
  Math.max(oldStart + oldLines, newStart + newLines) > HUNK_NUMBER_MAX

/** A producer that drops the beginning of what is too long puts a line in its place, in front of all that git reads. */
function headIsLost(bytes: Uint8Array, firstSection: number): boolean {
  const first = byteText(bytes, 0, Math.min(lineEnd(bytes, 0), 1_000))
  // The subject of a mail may speak of dropped bytes, too; a notice says how many.
  return firstSection > 0 && /\d/.test(first) && noticeOfDropped(first) !== null
}

const startsWithMark = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) ||
  (bytes[0] === 0xff && bytes[1] === 0xfe) ||
  (bytes[0] === 0xfe && bytes[1] === 0xff)
