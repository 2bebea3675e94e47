import { noticeOfDropped } from '../text/notice-of-dropped'
import { byteText, lineEnd, LF, standsAt } from './bytes'
import type { FlagCode, PatchFlag } from './flag-catalogue'
import type { Patch, PatchProblem, PatchSection } from './patch'

const OF_PROBLEM: Record<PatchProblem['kind'], FlagCode> = {
  'no-patch': 'not-a-unified-diff', 'hunk-without-header': 'not-a-unified-diff', 'patch-too-large': 'not-a-unified-diff',
  'hunk-header': 'hunk-header-malformed', 'hunk-without-change': 'hunk-header-malformed',
  'hunk-too-short': 'truncated-hunk', 'hunk-cut': 'truncated-hunk', 'hunk-foreign-line': 'truncated-hunk', 'hunk-counts-differ': 'hunk-count-mismatch',
  'names-missing': 'header-mismatch', 'names-disagree': 'header-mismatch', 'header-lines-disagree': 'header-mismatch', 'mode-unreadable': 'mode-unusual',
  'new-with-old-lines': 'header-mismatch', 'deleted-with-new-lines': 'header-mismatch', 'binary-damaged': 'binary-corrupt',
}
const FILES_MAX = 3_000
const HUNKS_MAX = 10_000
const EXPANDED_BYTES_MAX = 16 * 1024 * 1024
const EXPANSION_MAX = 100

/** Flags of how a patch is put together, as far as its bytes alone tell. */
export function structureFlags(bytes: Uint8Array, patch: Patch): PatchFlag[] {
  const flags: PatchFlag[] = []
  const add = (code: FlagCode, line: number | null, file: number | null = null, detail: string | null = null): void =>
    void flags.push({ code, file, detail, lines: line === null ? null : { start: line, end: line } })
  const { problem, sections } = patch
  if (problem !== null) {
    add(OF_PROBLEM[problem.kind], problem.line, null, problem.sentence)
    if (isCombined(bytes, patch)) add('combined-diff', null)
  }
  if (headIsLost(bytes, sections[0]?.start ?? bytes.length)) add('content-head-lost', 1)
  if (startsWithMark(bytes)) add('byte-order-mark', 1)
  if (bytes.length > 0 && bytes[bytes.length - 1] !== LF) add('no-final-newline', null)
  if (sections.length > FILES_MAX) add('too-many-files', null, null, `${sections.length} files`)
  const hunks = sections.reduce((sum, one) => sum + one.hunks.length, 0)
  if (hunks > HUNKS_MAX) add('too-many-hunks', null, null, `${hunks} hunks`)
  for (const place of sections.length === 0 ? [] : patch.ignored) {
    const text = byteText(bytes, place.start, Math.min(place.end, place.start + LOOK_BYTES))
    if (/\S/.test(text)) add('surrounding-text', place.line)
  }
  for (const [file, section] of sections.entries()) sectionFlags(bytes, section, (code, line, detail) => add(code, line, file, detail))
  return flags
}

const LOOK_BYTES = 4096

type Add = (code: FlagCode, line: number, detail?: string) => void

function sectionFlags(bytes: Uint8Array, section: PatchSection, add: Add): void {
  const { line, stated, hunks, isNew, isDelete, payload, newBlob, crlfHeader, binary } = section
  if (namesDisagree(section)) add('header-mismatch', line)
  if (stated.sameWithPrefix) add('no-prefix', line)
  if (crlfHeader) add('crlf-mangled', line)
  if (binary && payload === null) add('binary-without-payload', line)
  if (payload !== null) {
    if (payload.size > EXPANDED_BYTES_MAX || payload.size > EXPANSION_MAX * Math.max(1, payload.packedSize)) add('binary-expansion', payload.line, `${payload.packedSize} bytes become ${payload.size}`)
    if (payload.blob !== null && /^[0-9a-f]{40}$/i.test(newBlob ?? '') && !/^0+$/.test(newBlob!) && payload.blob !== newBlob!.toLowerCase()) add('binary-hash-mismatch', payload.line)
  }
  for (const [i, hunk] of hunks.entries()) {
    const before = hunks[i - 1]
    if (before && hunk.oldStart < before.oldStart) add('hunk-out-of-order', hunk.line)
    else if (before && hunk.oldStart < before.oldStart + before.oldLines) add('hunk-overlap', hunk.line)
    if (isNew !== true && isDelete !== true && hunk.oldLines === hunk.deleted && hunk.newLines === hunk.added) add('zero-context', hunk.line)
  }
  const after = section.end < bytes.length ? byteText(bytes, section.end, Math.min(lineEnd(bytes, section.end), section.end + 200)) : ''
  const lineAfter = (hunks.at(-1)?.line ?? line) + 1
  if (hunks.length === 0 && !binary && after.startsWith('@@')) add('hunk-header-malformed', lineAfter)
  // Git stops at the stated count: what follows looks like a part of the hunk, and is none.
  if (hunks.length > 0 && /^[-+ \\]/.test(after) && !/^-- ?\r?\n?$/.test(after) && !/^(?:--- |\+\+\+ )/.test(after) && /\S/.test(after)) add('hunk-count-mismatch', hunks.at(-1)!.line)
}

/** Names of one side that the header states twice and differently, or of both sides where the file is not said to move. */
function namesDisagree({ stated: { gitLine, before, after, from, to }, form, isRename, isCopy, isNew, isDelete }: PatchSection): boolean {
  const differ = (...names: (string | null)[]): boolean => new Set(names.filter((name) => name !== null)).size > 1
  if (isRename || isCopy) return differ(before, from) || differ(after, to)
  // Of `x.orig` and `x` git takes the shorter name, as patches without a git line have had them since before there was git.
  if (form === 'traditional') return before !== null && after !== null && isNew !== true && isDelete !== true && !before.startsWith(after) && !after.startsWith(before)
  return differ(gitLine, before, after)
}

/** A producer that drops the beginning of what is too long puts a line in its place, in front of all that git reads. */
function headIsLost(bytes: Uint8Array, firstSection: number): boolean {
  const first = byteText(bytes, 0, Math.min(lineEnd(bytes, 0), 1_000))
  // The subject of a mail may speak of dropped bytes, too; a notice says how many.
  return firstSection > 0 && /\d/.test(first) && noticeOfDropped(first) !== null
}

const startsWithMark = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) || (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)

function isCombined(bytes: Uint8Array, { ignored, problem }: Patch): boolean {
  const places = [...ignored, ...(problem === null ? [] : [problem]), { start: 0, end: Math.min(bytes.length, LOOK_BYTES) }]
  return places.some(({ start, end }) => {
    for (let at = start; at < end && at < start + LOOK_BYTES; at = lineEnd(bytes, at)) if (['diff --cc ', 'diff --combined ', '@@@ '].some((words) => standsAt(bytes, at, words))) return true
    return false
  })
}
