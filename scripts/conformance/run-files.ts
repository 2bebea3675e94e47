import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ReferenceCase } from './reference-cases'
import type { CaseResult, Suite } from './suite'

export interface FileResult {
  file: string
  suite: string
  passed: number
  failed: number
  /** Ids of the cases that failed, in the order of the file. */
  failing: string[]
  /** How the first few of them differ. */
  differences: CaseResult[]
  /** Checks of the source that cases stand for, with whether all of these passed; left out where there are none. */
  checks?: Record<string, boolean>
  /** How many of the cases ran reference code, by their kind; left out where none did. */
  reference?: Partial<Record<ReferenceCase, number>>
}

const DIFFERENCES_SHOWN = 5

/** Every file below the given folders (or each given file) that some suite knows, in the order of their names. */
export function findFiles(
  paths: readonly string[],
  suites: readonly Suite[],
): { file: string; suite: Suite }[] {
  return [...new Set(paths.flatMap(filesBelow))].sort().flatMap((file) => {
    const suite = suites.find((one) => one.recognises(file.replaceAll('\\', '/')))
    return suite === undefined ? [] : [{ file, suite }]
  })
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() || entry.isFile() ? filesBelow(join(path, entry.name)) : [],
  )
}

export async function runFile(file: string, suite: Suite): Promise<FileResult> {
  const result: FileResult = { file, suite: suite.name, passed: 0, failed: 0, failing: [], differences: [] }
  for await (const one of suite.run(file)) {
    if (one.reference !== undefined)
      (result.reference ??= {})[one.reference] = (result.reference[one.reference] ?? 0) + 1
    if (one.check !== undefined)
      (result.checks ??= {})[one.check] = (result.checks[one.check] ?? true) && one.difference === null
    if (one.difference === null) result.passed++
    else {
      result.failed++
      result.failing.push(one.id)
      if (result.differences.length < DIFFERENCES_SHOWN) result.differences.push(one)
    }
  }
  return result
}
