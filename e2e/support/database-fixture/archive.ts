import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

/** A table as it was saved: text of COPY, rows in the order of their primary key. */
export interface SavedTable {
  name: string
  columns: string[]
  rows: number
  bytes: number
  sha256: string
}

export interface Manifest {
  version: string
  /** The last migration that this version had, and all that it had run. */
  migration: { idx: number; tag: string }
  migrations: { hash: string; createdAt: string }[]
  partitions: { name: string; parent: string; bound: string }[]
  sequences: { table: string; column: string; lastValue: string; isCalled: boolean }[]
  tables: SavedTable[]
  /** What opens this database: invented people and keys, of no use anywhere else. */
  access: FixtureAccess
}

export interface FixtureAccess {
  email: string
  password: string
  /** `Cookie` of people whose sessions are stored. */
  cookies: Record<string, string>
  keys: Record<string, string>
  /** Tokens of links that need no account. */
  sharedPatch: string
}

const folder = path.resolve(import.meta.dirname, '../../fixtures')
export const archivePath = (version: string): string => path.join(folder, `database-${version}.copy.br`)
/** What is to be read from it: one line of JSON for each thing that is compared. */
export const expectationsPath = (version: string): string =>
  path.join(folder, `database-${version}.expected.jsonl`)

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** One line of JSON, then the tables one after the other. */
export function packArchive(manifest: Manifest, tables: readonly Buffer[]): Buffer {
  const whole = Buffer.concat([Buffer.from(`${JSON.stringify(manifest)}\n`), ...tables])
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: whole.length,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  }
  return brotliCompressSync(whole, { params })
}

/** @throws when the bytes of a table are not those that were saved */
export function readArchive(version: string): { manifest: Manifest; tables: Map<string, Buffer> } {
  const file = archivePath(version)
  if (!existsSync(file))
    throw new Error(
      `${path.basename(file)} is missing: it was written once by version ${version} and belongs to the repository`,
    )
  const whole = brotliDecompressSync(readFileSync(file))
  const end = whole.indexOf('\n')
  const manifest = JSON.parse(whole.subarray(0, end).toString('utf8')) as Manifest
  let at = end + 1
  const tables = new Map<string, Buffer>()
  for (const table of manifest.tables) {
    const bytes = whole.subarray(at, (at += table.bytes))
    if (sha256(bytes) !== table.sha256) throw new Error(`the saved rows of ${table.name} are damaged`)
    tables.set(table.name, bytes)
  }
  return { manifest, tables }
}
