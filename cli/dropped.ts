import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countOf, formatBytes } from '@/lib/text/amounts'
import { spoolText } from '@/lib/words/cli/spool'
import { stateFolder } from './settings'
import type { Environment } from './settings'
import { logLine } from './state-log'

/** What the spool had no room for. */
export interface Dropped {
  frames: number
  records: number
  bytes: number
  /** When the first of it was dropped, and the last. */
  since: string
  until: string
}

interface Note {
  at: string
  what: 'frames' | 'records'
  count: number
  bytes: number
}

export const droppedFile = (env: Environment): string => join(stateFolder(env), 'dropped.jsonl')

/** Contains how much of the notes was reported to a server. */
const reportedFile = (env: Environment): string => join(stateFolder(env), 'dropped-told')

/** Enough for a long time: each note stands for many frames. What comes later is added to the last ones. */
const NOTES_BYTES_MAX = 256 * 1024

/** Notes what was dropped, for the next one who sends and for `doctor`. */
export function noteDropped(
  env: Environment,
  { what, count, bytes, oldest }: { what: Note['what']; count: number; bytes: number; oldest: number },
): void {
  const note: Note = { at: new Date().toISOString(), what, count, bytes }
  const file = droppedFile(env)
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > NOTES_BYTES_MAX) condense(env)
  appendFileSync(file, `${JSON.stringify(note)}\n`, { mode: 0o600 })
  logLine(
    env,
    spoolText.spoolFull({ count, kind: what.slice(0, -1), bytes, oldest: new Date(oldest).toISOString() }),
  )
}

/** One note of each kind in place of all, reported or not: better reported twice than never. */
function condense(env: Environment): void {
  const all = sum(readNotes(env, 0).notes)
  if (all === null) return
  const notes = (['frames', 'records'] as const).flatMap((what, index) =>
    all[what] === 0
      ? []
      : [
          `${JSON.stringify({ at: all.since, what, count: all[what], bytes: index === 0 ? all.bytes : 0 })}\n`,
        ],
  )
  writeFileSync(droppedFile(env), notes.join(''), { mode: 0o600 })
  writeFileSync(reportedFile(env), '0', { mode: 0o600 })
}

/** Everything that was dropped; null: nothing was. */
export const readDropped = (env: Environment): Dropped | null => sum(readNotes(env, 0).notes)

/** What was not reported to a server yet, with a function to call when it was. */
export function readUnreported(env: Environment): (Dropped & { markReported: () => void }) | null {
  if (statSync(droppedFile(env), { throwIfNoEntry: false }) === undefined) return null
  let reportedEnd = 0
  try {
    reportedEnd = Number(readFileSync(reportedFile(env), 'utf8')) || 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const { notes, end } = readNotes(env, reportedEnd)
  const found = sum(notes)
  return (
    found && { ...found, markReported: () => writeFileSync(reportedFile(env), String(end), { mode: 0o600 }) }
  )
}

/** @param from byte behind which to read; a file that is shorter was deleted meanwhile, and is read whole */
function readNotes(env: Environment, from: number): { notes: Note[]; end: number } {
  let bytes: Buffer
  try {
    bytes = readFileSync(droppedFile(env))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return { notes: [], end: 0 }
  }
  const text = bytes.subarray(from > bytes.length ? 0 : from).toString('utf8')
  return { notes: text.split('\n').flatMap(parseNote), end: bytes.length }
}

/** A machine may stop in the middle of a line. */
function parseNote(line: string): Note[] {
  try {
    const note = JSON.parse(line) as Note
    return Number.isFinite(note.count) && Number.isFinite(note.bytes) && typeof note.at === 'string'
      ? [note]
      : []
  } catch {
    return []
  }
}

function sum(notes: Note[]): Dropped | null {
  if (notes.length === 0) return null
  const of = (what: Note['what']): number =>
    notes.reduce((total, note) => total + (note.what === what ? note.count : 0), 0)
  return {
    frames: of('frames'),
    records: of('records'),
    bytes: notes.reduce((total, { bytes }) => total + bytes, 0),
    since: notes[0]!.at,
    until: notes.at(-1)!.at,
  }
}

/** `12 frames and 1 record (3.4 MB) since 2026-…`. */
export function droppedWords({ frames, records, bytes, since }: Dropped): string {
  const what = [
    ...(frames > 0 ? [countOf(frames, 'frame')] : []),
    ...(records > 0 ? [countOf(records, 'record')] : []),
  ]
  return `${what.join(' and ')} (${formatBytes(bytes)}) since ${since}`
}
