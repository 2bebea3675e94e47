import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBrowser } from './ensure-browser'

/**
 * Every check of the project, from types to browser journeys, each step run even when an earlier one failed.
 * The last line is `N passed, N failed`; a step that yields no count of its own counts as one.
 */
const out = mkdtempSync(join(tmpdir(), 'inquest-test-'))
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' }
const tally = { passed: 0, failed: 0 }

function run(title: string, command: string, args: string[], extra: Record<string, string> = {}): number {
  console.log(`\n== ${title}`)
  const started = Date.now()
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', env: { ...env, ...extra } })
  if (error) console.error(String(error))
  console.log(`== ${title}: ${status === 0 ? 'fine' : 'FAILED'} after ${Math.round((Date.now() - started) / 1000)} s`)
  return status ?? 1
}

function single(title: string, command: string, args: string[]): void {
  if (run(title, command, args) === 0) tally.passed += 1
  else tally.failed += 1
}

/** A runner that writes counts into a file: a crash without a file, or a run without a test, is a failure. */
function counted(
  title: string,
  command: string,
  args: string[],
  extra: Record<string, string>,
  read: () => { passed: number; failed: number },
): void {
  const status = run(title, command, args, extra)
  let counts = { passed: 0, failed: 0 }
  try {
    counts = read()
  } catch (error) {
    console.error(`${title}: no result could be read (${String(error)})`)
  }
  if (counts.failed === 0 && (status !== 0 || counts.passed === 0)) counts.failed = 1
  tally.passed += counts.passed
  tally.failed += counts.failed
}

const readJson = (file: string) => JSON.parse(readFileSync(join(out, file), 'utf8'))

single('types', 'npx', ['tsc', '--noEmit'])
single('unused code', 'npx', ['knip', '--no-progress'])
counted(
  'unit and database tests',
  'npx',
  ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${join(out, 'vitest.json')}`],
  {},
  () => {
    const r = readJson('vitest.json')
    // A skipped case is not a pass; a file that could not be loaded holds no tests, so it is counted by itself.
    const broken = r.testResults.filter(
      (file: { status: string; assertionResults: unknown[] }) => file.status === 'failed' && file.assertionResults.length === 0,
    )
    return { passed: r.numPassedTests, failed: r.numFailedTests + broken.length }
  },
)
const browser = ensureBrowser()
if (browser === null) {
  tally.failed += 1
} else {
  counted(
    'browser journeys',
    'npx',
    ['playwright', 'test', '--reporter=line,json'],
    { PLAYWRIGHT_CHROMIUM: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: join(out, 'playwright.json') },
    () => {
      const { stats } = readJson('playwright.json')
      return { passed: stats.expected, failed: stats.unexpected + stats.flaky }
    },
  )
}

rmSync(out, { recursive: true, force: true })
console.log(`\n${tally.passed} passed, ${tally.failed} failed`)
process.exitCode = tally.failed === 0 ? 0 : 1
