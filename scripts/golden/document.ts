import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { gzipSync } from 'fflate'
import { gunzipSync } from 'node:zlib'
import { VOCABULARY, type Entity, type Entry, type Value } from './vocabulary'

const goldenFolder = resolve(import.meta.dirname, '../../golden')
const ENDING = '.golden.gz'

/** A golden file: one entry a line, the entity, its key, and its values in the order of the vocabulary. */
export function documentText(entries: readonly Entry[]): string {
  return entries
    .map(
      ({ entity, key, fields }) =>
        `${JSON.stringify([entity, key, ...VOCABULARY[entity].map((field) => fields[field] ?? null)])}\n`,
    )
    .join('')
}

export function parseDocument(text: string): Entry[] {
  return text.split('\n').flatMap((line): Entry[] => {
    if (line === '') return []
    const [entity, key, ...values] = JSON.parse(line) as [Entity, string[], ...Value[]]
    const fields = VOCABULARY[entity] as readonly string[] | undefined
    // An entity or a field that the vocabulary no longer has is shown by the place that it had.
    const named = values.map((value, i) => [fields?.[i] ?? `field ${i + 1}`, value] as const)
    return [{ entity, key, fields: Object.fromEntries(named) }]
  })
}

const pathOf = (name: string): string => join(goldenFolder, `${name}${ENDING}`)

/** What is recorded of a source; null: nothing yet. */
export const readRecorded = (name: string): Entry[] | null =>
  existsSync(pathOf(name)) ? parseDocument(gunzipSync(readFileSync(pathOf(name))).toString('utf8')) : null

/**
 * Writes with a compressor in JavaScript and without a time, so that equal entries are equal bytes on every
 * machine.
 */
export function writeRecorded(name: string, entries: readonly Entry[]): void {
  const path = pathOf(name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, gzipSync(new TextEncoder().encode(documentText(entries)), { level: 9, mtime: 0 }))
}

export const removeRecorded = (name: string): void => rmSync(pathOf(name))

/** Names of all sources that something is recorded of. */
export function recordedNames(): string[] {
  if (!existsSync(goldenFolder)) return []
  return readdirSync(goldenFolder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ENDING))
    .map((entry) =>
      relative(goldenFolder, join(entry.parentPath, entry.name))
        .split('\\')
        .join('/')
        .slice(0, -ENDING.length),
    )
    .sort()
}
