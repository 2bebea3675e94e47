import { asObject, type JsonObject } from '../../formats/claude/wire'
import { afterEdit, linesOf, type TextLine } from './text-lines'

/**
 * How far what a tool recorded of a change can be trusted. `fits`: each line is in the file before it, and in the file after it where that is
 * known. `blanks`: so does it but for tabs, which the recorder writes as blanks; the lines are then those of the files. `created`: there was no file
 * before. `no-original`: the file before it was not recorded. `no-lines`: no line was recorded. `does-not-fit`: the lines are not those of the file.
 */
export const CHANGE_FITS = ['fits', 'blanks', 'created', 'no-original', 'no-lines', 'does-not-fit'] as const
export type ChangeFit = (typeof CHANGE_FITS)[number]

export interface ChangeLine extends TextLine {
  sign: ' ' | '-' | '+'
}

export interface ChangeHunk {
  oldStart: number
  newStart: number
  lines: ChangeLine[]
}

/** A change of one file, as the result of the tool that made it tells. */
export interface RecordedChange {
  path: string
  fit: ChangeFit
  hunks: ChangeHunk[]
  additions: number
  deletions: number
}

/**
 * Reads the result that Claude Code records of Edit, MultiEdit and Write; null for any other result.
 *
 * @see docs/sources/claude-code.md#changes
 */
export function readChange(result: unknown): RecordedChange | null {
  const record = asObject(result)
  const path = record?.['filePath']
  const recorded = record?.['structuredPatch']
  if (record === null || typeof path !== 'string' || path === '' || !Array.isArray(recorded)) return null
  const change = (fit: ChangeFit, hunks: ChangeHunk[]): RecordedChange => ({
    path,
    fit,
    hunks,
    additions: count(hunks, '+'),
    deletions: count(hunks, '-'),
  })
  const original = record['originalFile'] ?? record['originalFileContents']
  const content = record['content']
  if (record['type'] === 'create' && typeof original !== 'string' && typeof content === 'string') {
    const lines = linesOf(content).map((line): ChangeLine => ({ sign: '+', ...line }))
    return change('created', lines.length === 0 ? [] : [{ oldStart: 0, newStart: 1, lines }])
  }
  const read = recorded.map(readHunk)
  const hunks = read.filter((hunk) => hunk !== null)
  if (hunks.length < read.length) return change('does-not-fit', hunks)
  if (typeof original !== 'string') return change('no-original', hunks)
  if (hunks.length === 0) return change('no-lines', hunks)
  const found = inFiles(hunks, linesOf(original), afterOf(record, original))
  return found === null
    ? change('does-not-fit', hunks)
    : change(found.isExact ? 'fits' : 'blanks', found.hunks)
}

/** What the file held after it, where the result says; null where it does not. */
function afterOf(record: JsonObject, original: string): TextLine[] | null {
  const content = record['content']
  const after = typeof content === 'string' ? content : afterEdit(original, record)
  return after === null ? null : linesOf(after)
}

const count = (hunks: readonly ChangeHunk[], sign: ChangeLine['sign']): number =>
  hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.sign === sign).length, 0)

const place = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null

function readHunk(value: unknown): ChangeHunk | null {
  const hunk = asObject(value)
  const [oldStart, newStart, recorded] = [
    place(hunk?.['oldStart']),
    place(hunk?.['newStart']),
    hunk?.['lines'],
  ]
  if (oldStart === null || newStart === null || !Array.isArray(recorded)) return null
  const lines: ChangeLine[] = []
  for (const line of recorded) {
    if (typeof line !== 'string' || line.includes('\n')) return null
    const sign = line.charAt(0)
    if (sign === ' ' || sign === '-' || sign === '+') lines.push({ sign, text: line.slice(1), ended: true })
    else if (sign === '\\' && lines.length > 0) lines[lines.length - 1]!.ended = false
    else return null
  }
  return { oldStart, newStart, lines }
}

const withBlanks = (text: string): string => text.replaceAll('\t', '  ')

/**
 * The hunks with the lines that the files have at their places; null when these are not the recorded ones, tabs apart.
 *
 * @param after null where it is not known: added lines are then those that were recorded
 */
function inFiles(
  hunks: readonly ChangeHunk[],
  before: readonly TextLine[],
  after: readonly TextLine[] | null,
): { hunks: ChangeHunk[]; isExact: boolean } | null {
  let isExact = true
  const placed: ChangeHunk[] = []
  for (const hunk of hunks) {
    // A hunk without lines of one side names the line before it.
    let old = hunk.oldStart - (hunk.lines.some(({ sign }) => sign !== '+') ? 1 : 0)
    let fresh = hunk.newStart - (hunk.lines.some(({ sign }) => sign !== '-') ? 1 : 0)
    const lines: ChangeLine[] = []
    for (const line of hunk.lines) {
      const sides = [
        ...(line.sign === '+' ? [] : [before[old++]]),
        ...(line.sign === '-' || after === null ? [] : [after[fresh++]]),
      ]
      for (const side of sides) {
        if (side === undefined || withBlanks(side.text) !== withBlanks(line.text)) return null
        if (side.text !== line.text) isExact = false
      }
      lines.push(sides.length === 0 ? line : { sign: line.sign, ...sides[0]! })
    }
    placed.push({ ...hunk, lines })
  }
  return { hunks: placed, isExact }
}
