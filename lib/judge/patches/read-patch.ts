import { lineEnd, hasTextAt } from './bytes'
import type { Hunk, Patch, PatchHeader, PatchPlace, PatchProblem, PatchSection } from './patch'
import { INFLATED_BYTES_MAX, readBinary } from './read-binary'
import { emptyHeader, readGitHeader, readTraditionalHeader, type HeaderFault } from './read-header'
import { readHunk, readHunkHeader } from './read-hunk'

/** Git refuses patches of this size or more. */
const PATCH_BYTES_MAX = 1023 * 1024 * 1024

/** How the sections before have left the reader. */
interface Course {
  bytes: Uint8Array
  at: number
  line: number
  /** Components that names lose: 1 until a traditional header without slashes has shown that it is none. */
  strip: 0 | null
  inflateRoom: number
}

type Fault = Omit<PatchProblem, 'fatal'>

const faultAt = (
  bytes: Uint8Array,
  { kind, why, at, lines }: Pick<PatchProblem, 'kind' | 'why'> & { at: number; lines: number },
  line: number,
): Fault => ({ kind, why, start: at, end: lineEnd(bytes, at), line: line + lines })

interface FoundHeader {
  header: PatchHeader
  start: number
  line: number
}

/** Goes to the next header and past it; null when there is none. Lines on the way are ignored, as by git. */
function findHeader(course: Course): FoundHeader | Fault | null {
  const { bytes } = course
  const header = emptyHeader()
  for (let next: number; course.at < bytes.length; course.at = next, course.line++) {
    const { at, line } = course
    next = lineEnd(bytes, at)
    if (next - at < 6) continue
    if (hasTextAt(bytes, at, '@@ -')) {
      if (readHunkHeader(bytes, at, next) === null) continue
      return {
        kind: 'hunk-without-header',
        why: 'hunk_without_header',
        start: at,
        end: next,
        line,
      }
    }
    // A header is never the last thing of a patch.
    if (bytes.length < next + 6) break
    if (hasTextAt(bytes, at, 'diff --git ')) {
      const read = readGitHeader(bytes, at, course.strip ?? 1, header)
      if ('kind' in read) return faultAt(bytes, read, line)
      if (read.end === next) continue
      Object.assign(course, { at: read.end, line: line + read.lines })
      return { header, start: at, line }
    }
    if (!hasTextAt(bytes, at, '--- ') || !hasTextAt(bytes, next, '+++ ')) continue
    const third = lineEnd(bytes, next)
    if (bytes.length - at < third - next + 14 || !hasTextAt(bytes, third, '@@ -')) continue
    const read: ReturnType<typeof readTraditionalHeader> | HeaderFault = readTraditionalHeader(
      bytes,
      at,
      course.strip,
      header,
    )
    if ('kind' in read) return faultAt(bytes, read, line)
    Object.assign(course, { at: read.end, line: line + 2, strip: read.strip })
    return { header, start: at, line }
  }
  return null
}

function newSection({ header, start, line }: FoundHeader, bodyStart: number): PatchSection {
  return {
    start,
    end: bodyStart,
    line,
    bodyStart,
    ...header,
    binary: false,
    payload: null,
    reversePayload: null,
    hunks: [],
    added: 0,
    deleted: 0,
  }
}

/** Reads all hunks that follow each other. */
function readHunks(course: Course, section: PatchSection): Fault | null {
  const { bytes } = course
  let [old, fresh] = [0, 0]
  while (bytes.length - course.at > 4 && hasTextAt(bytes, course.at, '@@ -')) {
    const read = readHunk(bytes, course.at, course.line)
    if ('kind' in read) return faultAt(bytes, read, course.line)
    addHunk(section, read.hunk)
    old += read.old
    fresh += read.new
    course.at = read.hunk.end
    course.line += read.lines
  }
  if (section.isNew === null && (old > 0 || section.hunks.length > 1)) section.isNew = false
  if (section.isDelete === null && (fresh > 0 || section.hunks.length > 1)) section.isDelete = false
  const place = { start: section.start, end: section.bodyStart, line: section.line }
  if (section.isNew === true && old > 0)
    return {
      kind: 'new-with-old-lines',
      why: 'new_file_with_old_lines',
      ...place,
    }
  if (section.isDelete === true && fresh > 0)
    return {
      kind: 'deleted-with-new-lines',
      why: 'deleted_file_with_lines',
      ...place,
    }
  return null
}

function addHunk(section: PatchSection, hunk: Hunk): void {
  section.hunks.push(hunk)
  section.added += hunk.added
  section.deleted += hunk.deleted
}

/** Reads what is in the place of hunks: a binary payload, or the words that files differ. */
function readBinaryBody(course: Course, section: PatchSection): Fault | null {
  const { bytes, at } = course
  const end = lineEnd(bytes, at)
  if (end - at === 'GIT binary patch\n'.length && hasTextAt(bytes, at, 'GIT binary patch\n')) {
    const read = readBinary(bytes, end, course.line + 1, course.inflateRoom)
    if ('kind' in read) return faultAt(bytes, read, course.line + 1)
    for (const one of [read.forward, read.reverse]) if (one?.checked) course.inflateRoom -= one.size
    Object.assign(section, { binary: true, payload: read.forward, reversePayload: read.reverse })
    Object.assign(course, { at: read.end, line: course.line + 1 + read.lines })
  } else if (
    hasTextAt(bytes, end - 8, ' differ\n') &&
    ['Binary files ', 'Files '].some((words) => hasTextAt(bytes, at, words))
  ) {
    section.binary = true
    Object.assign(course, { at: end, line: course.line + 1 })
  }
  return null
}

/** The next section; null at the end of the patch, a problem where reading cannot go on. */
function readSection(course: Course): PatchSection | Fault | null {
  const found = findHeader(course)
  if (found === null || 'kind' in found) return found
  const section = newSection(found, course.at)
  const fault =
    readHunks(course, section) ?? (section.hunks.length > 0 ? null : readBinaryBody(course, section))
  section.end = course.at
  return fault ?? section
}

/**
 * Reads a patch by the rules of `git apply` (git 2.39, `-p1`): which files, in which order, with which counts. What git ignores
 * is ignored and listed. Nothing is decoded as a whole; time is linear in the size, memory in the number of sections and hunks.
 *
 * @param strip 0 reads names as they are written (`-p0`), for a patch that was made without prefixes
 * @returns never throws: what is wrong is in `problem`, and `verdict` is what the exit status of `git apply --numstat` is
 * @see docs/patches.md#reading
 */
export function readPatch(bytes: Uint8Array, strip: 0 | null = null): Patch {
  const sections: PatchSection[] = []
  const ignored: PatchPlace[] = []
  if (bytes.length >= PATCH_BYTES_MAX)
    return ended({
      kind: 'patch-too-large',
      why: 'patch_too_large',
      start: 0,
      end: 0,
      line: 1,
    })
  const course: Course = { bytes, at: 0, line: 1, strip, inflateRoom: INFLATED_BYTES_MAX }
  while (course.at < bytes.length) {
    const { at, line } = course
    const read = readSection(course)
    if (read === null) {
      ignored.push({ start: at, end: bytes.length, line })
      break
    }
    if ('kind' in read) return ended(read)
    if (read.start > at) ignored.push({ start: at, end: read.start, line })
    sections.push(read)
  }
  if (sections.length > 0) return { verdict: 'ok', sections, problem: null, ignored, size: bytes.length }
  return ended({
    kind: 'no-patch',
    why: bytes.length === 0 ? 'patch_empty' : 'no_header',
    start: 0,
    end: bytes.length,
    line: 1,
  })

  function ended(fault: Fault): Patch {
    // Git stops in silence at a damaged binary change, and takes the sections before it.
    const fatal = fault.kind !== 'binary-damaged' || sections.length === 0
    return {
      verdict: fatal ? 'error' : 'ok',
      sections,
      problem: { ...fault, fatal },
      ignored,
      size: bytes.length,
    }
  }
}
