import { readFileSync, writeFileSync } from 'node:fs'
import { listAddresses } from './addresses'
import { expectationsPath } from './archive'
import { listTables } from './catalogue'
import { listDownloads } from './downloads'
import type { Json, Probe, Reading } from './probe'
import { listVerdicts } from './verdicts'

/** A few at once: the database is asked by each, and this machine has other work. */
const AT_ONCE = 4

/**
 * Everything that is to be the same after a restore. What there is to read is found in the database itself,
 * so what is gone is missing.
 */
export async function listProbes(reading: Reading): Promise<Probe[]> {
  const groups = await Promise.all([
    listCounts(reading),
    listVerdicts(reading),
    listDownloads(reading),
    listAddresses(reading),
  ])
  return groups.flat()
}

const listCounts = async ({ sql }: Reading): Promise<Probe[]> =>
  (await listTables(sql)).map(({ name }) => ({
    key: `count ${name}`,
    read: async () =>
      (await sql.unsafe<{ rows: number }[]>(`select count(*)::int as rows from "${name}"`))[0]!.rows,
  }))

/** @param wanted only probes whose key fits */
export async function readProbes(reading: Reading, wanted = /^/): Promise<Map<string, Json>> {
  const probes = (await listProbes(reading)).filter(({ key }) => wanted.test(key))
  const values = new Map<string, Json>()
  let next = 0
  const work = async (): Promise<void> => {
    for (let probe = probes[next++]; probe !== undefined; probe = probes[next++]) {
      const { key, read } = probe
      values.set(
        key,
        await read().catch((error: unknown) => ({
          error: error instanceof Error ? error.message : String(error),
        })),
      )
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return new Map([...values].sort(([a], [b]) => (a < b ? -1 : 1)))
}

export const writeExpectations = (version: string, values: ReadonlyMap<string, Json>): void =>
  writeFileSync(expectationsPath(version), [...values].map((entry) => `${JSON.stringify(entry)}\n`).join(''))

export function readExpectations(version: string, wanted = /^/): Map<string, Json> {
  const lines = readFileSync(expectationsPath(version), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  return new Map(lines.map((line) => JSON.parse(line) as [string, Json]).filter(([key]) => wanted.test(key)))
}

/** Each difference in a line: what, where in it, and both values. */
export function compareReadings(
  expected: ReadonlyMap<string, Json>,
  found: ReadonlyMap<string, Json>,
): string[] {
  const keys = [...new Set([...expected.keys(), ...found.keys()])].sort()
  return keys.flatMap((key) => {
    if (!found.has(key)) return [`${key}: missing`]
    if (!expected.has(key)) return [`${key}: not expected`]
    return differences(expected.get(key), found.get(key)).map((difference) => `${key}${difference}`)
  })
}

const isObject = (value: unknown): value is Record<string, Json> =>
  typeof value === 'object' && value !== null

function differences(expected: Json | undefined, found: Json | undefined, at = ''): string[] {
  if (isObject(expected) && isObject(found) && Array.isArray(expected) === Array.isArray(found)) {
    const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])]
    return names.flatMap((name) =>
      differences(
        (expected as Record<string, Json>)[name],
        (found as Record<string, Json>)[name],
        `${at}/${name}`,
      ),
    )
  }
  return Object.is(expected, found)
    ? []
    : [`${at === '' ? '' : ` ${at}`}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`]
}
