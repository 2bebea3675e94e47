import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkTable } from './conformance/check-table'
import { findFiles, runFile, type FileResult } from './conformance/run-files'
import { routeTable } from './conformance/route-table'
import { suites } from './conformance/suites'

/**
 * `npm run conformance -- DIR…` runs every recorded case that a suite recognises below the given folders. A line for each file, a line
 * for each script of a source whose checks were recorded, a table of what ran through the product and what through reference code, then `N passed, N failed`; with `--json` the same as JSON, with `--output FILE`
 * that goes into a file. Exit status 1 when a case failed, 2 when there was nothing to run.
 *
 * @see docs/sources/decisions.md#recorded-cases
 */
const { values, positionals } = readArgs()

const results: FileResult[] = []
try {
  for (const { file, suite } of findFiles(
    positionals.map((path) => resolve(path)),
    suites,
  )) {
    const result = await runFile(file, suite).catch((error: unknown) => {
      throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    })
    results.push(result)
    if (!values.json) tell(result)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(2)
}

const sum = (key: 'passed' | 'failed'): number => results.reduce((total, result) => total + result[key], 0)
const [passed, failed] = [sum('passed'), sum('failed')]
const report = JSON.stringify({
  files: results.map(({ differences: _, ...result }) => result),
  passed,
  failed,
})
if (values.output !== undefined) writeFileSync(values.output, report)
if (values.json) console.log(report)
else
  console.log(
    [...checkTable(results), ...routeTable(results), `${passed} passed, ${failed} failed`].join('\n'),
  )
if (results.length === 0) {
  console.error('no file of a known suite was found')
  process.exit(2)
}
process.exitCode = failed > 0 ? 1 : 0

function tell({ file, suite, passed, failed, differences }: FileResult): void {
  console.log(`${suite}: ${passed} passed, ${failed} failed (${file})`)
  for (const { id, difference } of differences) console.log(`  ${id} ${difference}`)
}

function readArgs(): { values: { json?: boolean; output?: string }; positionals: string[] } {
  try {
    const args = parseArgs({
      options: { json: { type: 'boolean' }, output: { type: 'string' } },
      allowPositionals: true,
    })
    if (args.positionals.length > 0) return args
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
  }
  console.error('usage: npm run conformance -- [--json] [--output FILE] DIR…')
  process.exit(2)
}
