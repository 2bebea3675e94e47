import type { OddDetails, WrongField, WrongFieldProblem } from '../../model/messages/odd-details'

/**
 * Total readers for foreign JSON. They never throw; a value of the wrong type reads as absent and is noted,
 * while absent and `null` are never wrong. Written by hand because every line of every file goes through them.
 */
export type JsonObject = Record<string, unknown>

/** What was wrong with fields while one record was read. */
export interface Notes {
  wrong: WrongField[]
  /** It holds too many events in one record. */
  tooMany?: OddDetails['too_many_events']
}

export const asObject = (value: unknown): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null

/** Notes one oddity; the first few of a record are enough. */
export function noteWrong(notes: Notes, path: string, problem: WrongFieldProblem): void {
  if (notes.wrong.length < 5) notes.wrong.push({ path, problem })
}

const note = (notes: Notes, path: string, problem: WrongFieldProblem): null => {
  noteWrong(notes, path, problem)
  return null
}

/** Reads own properties only: a key like `constructor` must not find what no record holds. */
const own = (record: JsonObject, key: string): unknown =>
  Object.hasOwn(record, key) ? record[key] : undefined

export function textAt(record: JsonObject, key: string, notes: Notes, path = ''): string | null {
  const value = own(record, key)
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : note(notes, `${path}/${key}`, 'not_text')
}

/** Finite numbers only: `1e400` reads as infinity and cannot be stored. */
export function numberAt(record: JsonObject, key: string, notes: Notes, path = ''): number | null {
  const value = own(record, key)
  if (value === undefined || value === null) return null
  return typeof value === 'number' && Number.isFinite(value)
    ? value
    : note(notes, `${path}/${key}`, 'not_number')
}

export function flagAt(record: JsonObject, key: string, notes: Notes, path = ''): boolean | null {
  const value = own(record, key)
  if (value === undefined || value === null) return null
  return typeof value === 'boolean' ? value : note(notes, `${path}/${key}`, 'not_flag')
}

export function objectAt(record: JsonObject, key: string, notes: Notes, path = ''): JsonObject | null {
  const value = own(record, key)
  if (value === undefined || value === null) return null
  return asObject(value) ?? note(notes, `${path}/${key}`, 'not_object')
}

export function listAt(record: JsonObject, key: string, notes: Notes, path = ''): unknown[] | null {
  const value = own(record, key)
  if (value === undefined || value === null) return null
  return Array.isArray(value) ? value : note(notes, `${path}/${key}`, 'not_list')
}

/** Reads what may have any type, without a note. */
export const anyAt = own

/** A record under its names in lower case, the last of equal ones counting, and how each was spelled: some producers ignore case. */
export function foldNames(raw: JsonObject): { record: JsonObject; spelled: Map<string, string> } {
  const spelled = new Map<string, string>()
  for (const key of Object.keys(raw))
    spelled.set(
      key.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
      key,
    )
  return { record: Object.fromEntries([...spelled].map(([name, key]) => [name, raw[key]])), spelled }
}
