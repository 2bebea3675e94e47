import { byteText, CR, isSpace, lineEnd, LF, hasTextAt, type ByteText } from './bytes'
import { isEpoch } from './file-timestamps'
import {
  gitLineName,
  gitLineSays,
  isDevNull,
  nameUpToLineEnd,
  nameUpToTab,
  sameAsWritten,
  traditionalName,
  unquote,
  upToNul,
  writtenName,
} from './names'
import type { PatchHeader, PatchProblem, StatedNames } from './patch'
import type { PatchFaultId } from '../../model/messages/patches'
import { strtoul } from './strtoul'

export type HeaderFault = Pick<PatchProblem, 'kind' | 'why'> & { at: number; lines: number }

const nothingStated = (): StatedNames => ({
  gitLine: null,
  gitLineDiffers: false,
  sameWithPrefix: false,
  before: null,
  after: null,
  from: null,
  to: null,
  written: [],
})

export const emptyHeader = (): PatchHeader => ({
  form: 'git',
  oldName: null,
  newName: null,
  isNew: null,
  isDelete: null,
  isRename: false,
  isCopy: false,
  oldMode: 0,
  newMode: 0,
  score: null,
  oldBlob: null,
  newBlob: null,
  stated: nothingStated(),
  crlfHeader: false,
})

/** What follows a keyword, up to and with the line feed; a quoted name may go on over lines, as it does for git. */
function argument(bytes: Uint8Array, at: number, end: number): ByteText {
  const text = byteText(bytes, at, end)
  if (!text.startsWith('"') || unquote(text) !== null) return text
  for (let from = end; from < bytes.length; from++) {
    if (bytes[from] === 0x5c) from++
    else if (bytes[from] === 0x22) return byteText(bytes, at, lineEnd(bytes, from))
    else if (bytes[from] === 0) break
  }
  return text
}

type Fault = Pick<HeaderFault, 'kind' | 'why'> | null
/** @param place.at where the text begins: a number may be on the next line, as it does for git */
type LineReader = (
  header: PatchHeader,
  text: ByteText,
  place: { strip: number; defaultName: ByteText | null; bytes: Uint8Array; at: number },
) => Fault

const disagree = (why: PatchFaultId): Fault => ({ kind: 'names-disagree', why })

function readName(
  known: ByteText | null,
  isNull: boolean,
  text: ByteText,
  strip: number,
): { name: ByteText | null; fault: Fault } {
  if (known === null && !isNull) return { name: nameUpToTab(text, strip), fault: null }
  if (known === null)
    return {
      name: null,
      fault: isDevNull(text) ? null : disagree('name_on_absent_side'),
    }
  if (isNull)
    return {
      name: known,
      fault: disagree('absent_side_named'),
    }
  return {
    name: known,
    fault: nameUpToTab(text, strip) === known ? null : disagree('names_differ'),
  }
}

/** A mode is an octal number with white space behind it, of which git keeps 32 bits. */
function readMode(header: PatchHeader, side: 'oldMode' | 'newMode', bytes: Uint8Array, at: number): Fault {
  const found = strtoul(bytes, at, 8)
  if (found === null || !isSpace(String.fromCharCode(bytes[found.end] ?? 0)))
    return { kind: 'mode-unreadable', why: 'mode_not_octal' }
  header[side] = Number(BigInt.asUintN(32, found.value))
  return null
}

const score: LineReader = (header, _text, { bytes, at }) => {
  const value = strtoul(bytes, at, 10)?.value ?? 0n
  if (value <= 100n) header.score = Number(value)
  return null
}

const moved =
  (flag: 'isRename' | 'isCopy', side: 'oldName' | 'newName'): LineReader =>
  (header, text, { strip }) => {
    header[flag] = true
    header[side] = nameUpToLineEnd(text, Math.max(0, strip - 1))
    header.stated[side === 'oldName' ? 'from' : 'to'] = header[side]
    header.stated.written.push(writtenName(text))
    return null
  }

const ID_CHARS_MAX = 40

/** `index 1a2b..3c4d 100644`. A line that is not so is passed over. */
const blobs: LineReader = (header, _text, { bytes, at }) => {
  const text = upToNul(byteText(bytes, at, Math.min(bytes.length, at + 2 * ID_CHARS_MAX + 3)))
  const dots = text.indexOf('.')
  if (dots === -1 || dots > ID_CHARS_MAX || text[dots + 1] !== '.') return null
  header.oldBlob = text.slice(0, dots)
  const rest = text.slice(dots + 2)
  const stop = rest.search(/[ \n]/)
  const after = stop === -1 ? rest : rest.slice(0, stop)
  if (after.length > ID_CHARS_MAX) return null
  header.newBlob = after
  return rest[stop] === ' ' ? readMode(header, 'oldMode', bytes, at + dots + 2 + stop + 1) : null
}

/** What a `---` or `+++` line of a git header says of one side. */
const nameLine =
  (stated: 'before' | 'after', side: 'oldName' | 'newName', isGone: 'isNew' | 'isDelete'): LineReader =>
  (header, text, { strip }) => {
    if (!isDevNull(text)) {
      header.stated[stated] ??= nameUpToTab(text, strip)
      header.stated.written.push(writtenName(text))
    }
    const { name, fault } = readName(header[side], header[isGone] === true, text, strip)
    header[side] = name
    return fault
  }

const LINES: readonly (readonly [string, LineReader])[] = [
  ['--- ', nameLine('before', 'oldName', 'isNew')],
  ['+++ ', nameLine('after', 'newName', 'isDelete')],
  ['old mode ', (header, _text, { bytes, at }) => readMode(header, 'oldMode', bytes, at)],
  ['new mode ', (header, _text, { bytes, at }) => readMode(header, 'newMode', bytes, at)],
  [
    'deleted file mode ',
    (header, _text, { defaultName, bytes, at }) => {
      Object.assign(header, { isDelete: true, oldName: defaultName })
      return readMode(header, 'oldMode', bytes, at)
    },
  ],
  [
    'new file mode ',
    (header, _text, { defaultName, bytes, at }) => {
      Object.assign(header, { isNew: true, newName: defaultName })
      return readMode(header, 'newMode', bytes, at)
    },
  ],
  ['copy from ', moved('isCopy', 'oldName')],
  ['copy to ', moved('isCopy', 'newName')],
  ['rename old ', moved('isRename', 'oldName')],
  ['rename new ', moved('isRename', 'newName')],
  ['rename from ', moved('isRename', 'oldName')],
  ['rename to ', moved('isRename', 'newName')],
  ['similarity index ', score],
  ['dissimilarity index ', score],
  ['index ', blobs],
]

/**
 * Reads a header that begins with `diff --git `.
 *
 * @param header gets what the lines say; names that it holds already must be the same
 * @returns where the header ends and how many lines it has, or what is wrong with it
 * @see docs/patches.md#reading
 */
export function readGitHeader(
  bytes: Uint8Array,
  at: number,
  strip: number,
  header: PatchHeader,
): { end: number; lines: number } | HeaderFault {
  let end = lineEnd(bytes, at)
  const gitLine = byteText(bytes, at + 'diff --git '.length, end)
  const defaultName = gitLineName(gitLine, strip)
  Object.assign(header, {
    form: 'git',
    isNew: false,
    isDelete: false,
    stated: {
      ...nothingStated(),
      gitLine: defaultName,
      sameWithPrefix: sameAsWritten(gitLine),
      written: [writtenName(gitLine)],
    },
  })
  header.crlfHeader ||= bytes[end - 2] === CR
  let lines = 1
  for (; ; lines++) {
    const next = lineEnd(bytes, end)
    if (next === end || bytes[next - 1] !== LF) break
    const found = LINES.find(([keyword]) => hasTextAt(bytes, end, keyword))
    if (found === undefined) break
    const fault =
      found[1](header, argument(bytes, end + found[0].length, next), {
        strip,
        defaultName,
        bytes,
        at: end + found[0].length,
      }) ??
      (Number(header.isNew) + Number(header.isDelete) + Number(header.isRename) + Number(header.isCopy) > 1
        ? {
            kind: 'header-lines-disagree' as const,
            why: 'several_changes',
          }
        : null)
    if (fault !== null) return { ...fault, at: end, lines }
    header.crlfHeader ||= bytes[next - 2] === CR
    end = next
  }
  if (header.oldName === null && header.newName === null) header.oldName = header.newName = defaultName
  const missing =
    (header.oldName === null && header.newName === null) ||
    (header.newName === null && header.isDelete !== true) ||
    (header.oldName === null && header.isNew !== true)
  if (missing)
    return {
      kind: 'names-missing',
      why: 'names_missing',
      at: end,
      lines,
    }
  const [before, after] = [header.oldName ?? header.newName!, header.newName ?? header.oldName!]
  if ((before !== defaultName || after !== defaultName) && !gitLineSays(gitLine, strip, before, after)) {
    // Lines of a rename lose no prefix: they alone are read right where there is none.
    if (gitLineSays(gitLine, 0, before, after)) header.stated.sameWithPrefix = true
    else header.stated.gitLineDiffers = true
  }
  return { end, lines }
}

/** How many components traditional names lose: none when they have no slash. Null when a line does not tell. */
function guessStrip(text: ByteText): 0 | null {
  if (isDevNull(text)) return null
  const name = traditionalName(text, null, 0)
  return name === null || name.includes('/') ? null : 0
}

/**
 * Reads a `---` and a `+++` line that follow no git line.
 *
 * @param strip null until a header without slashes has shown that nothing is to be taken off; what it has shown holds for the rest of the patch
 */
export function readTraditionalHeader(
  bytes: Uint8Array,
  at: number,
  strip: 0 | null,
  header: PatchHeader,
): { end: number; strip: 0 | null } | HeaderFault {
  const second = lineEnd(bytes, at)
  const end = lineEnd(bytes, second)
  const before = argument(bytes, at + 4, second)
  const after = argument(bytes, second + 4, end)
  if (strip === null && guessStrip(after) === 0) strip = 0
  const take = strip ?? 1
  const [noBefore, noAfter] = [isDevNull(before), isDevNull(after)]
  const first = noBefore ? null : traditionalName(before, null, take)
  const name = noAfter && !noBefore ? first : traditionalName(after, first, take)
  if (name === null)
    return {
      kind: 'names-missing',
      why: 'traditional_names_missing',
      at,
      lines: 0,
    }
  const isNew = noBefore || (!noAfter && isEpoch(before.slice(0, -1)))
  const isDelete = !isNew && (noAfter || isEpoch(after.slice(0, -1)))
  header.form = 'traditional'
  if (isNew || isDelete) Object.assign(header, { isNew, isDelete })
  if (!isNew) header.oldName = name
  if (!isDelete) header.newName = name
  const [writtenBefore, writtenAfter] = [
    noBefore ? null : traditionalName(before, null, 0),
    noAfter ? null : traditionalName(after, null, 0),
  ]
  header.stated = {
    ...nothingStated(),
    before: first,
    after: noAfter ? null : traditionalName(after, null, take),
    written: [writtenBefore, writtenAfter].filter((one) => one !== null),
    // No prefix tells old from new, and what is taken off is a folder.
    sameWithPrefix: take > 0 && writtenBefore !== null && writtenBefore === writtenAfter,
  }
  header.crlfHeader ||= bytes[second - 2] === CR || bytes[end - 2] === CR
  return { end, strip }
}
