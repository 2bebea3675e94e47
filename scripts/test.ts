import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ensureBrowser } from './ensure-browser'
import {
  readConformance,
  readPlaywright,
  readVitest,
  sumResults,
  type RunnerResult,
} from './testing/read-results'
import { runStep, steps } from './testing/run-step'
import { withSecondTry, type Counts } from './testing/second-try'

/**
 * `npm test`: every check of the project, from types to browser journeys, each run even when an earlier one
 * failed. `npm run check` (`--quick`) leaves out what needs a database or a browser.
 *
 * Steps that wait (journeys) run beside steps that compute (docs/decisions/0026). The last line is
 * `N passed, N failed`; a step that counts no cases is one. Above it are all failures with their first lines,
 * since of a long log often only the end is kept, and where the time went. What failed in a few files gets a
 * second try with nothing beside it (docs/decisions/0015).
 */
const quick = process.argv.includes('--quick')
const started = Date.now()
const out = mkdtempSync(join(tmpdir(), 'inquest-test-'))
const tally = { passed: 0, failed: 0 }
const failures: string[] = []
const unstable: string[] = []
const times: RunnerResult['times'] = []

async function single(title: string, command: string, args: string[]): Promise<void> {
  if ((await runStep(title, command, args)) === 0) tally.passed += 1
  else {
    tally.failed += 1
    failures.push(title)
  }
}

/** A runner that writes counts into a file: a crash without one, or a run without a test, is a failure. */
async function count(
  title: string,
  command: string,
  args: string[],
  extra: Record<string, string>,
  read: () => RunnerResult,
): Promise<RunnerResult> {
  const status = await runStep(title, command, args, extra)
  let result: RunnerResult = { passed: 0, failed: 0, failures: [], times: [] }
  try {
    result = read()
  } catch (error) {
    console.error(`${title}: no result could be read (${String(error)})`)
  }
  if (result.failed === 0 && (status !== 0 || result.passed === 0)) result.failed = 1
  times.push(...result.times)
  return result
}

function add(title: string, counts: Counts): void {
  tally.passed += counts.passed
  tally.failed += counts.failed
  if (counts.failed > 0)
    failures.push(`${title}: ${counts.failed}`, ...counts.failures.map(({ text }) => `  ${text}`))
}

/** First runs of all suites that are under way: a second try waits until the machine is quiet. */
const firstRuns: Promise<unknown>[] = []
let lastSecondTry: Promise<unknown> = Promise.resolve()

async function counted(
  title: string,
  runner: (title: string, files: string[]) => Promise<RunnerResult>,
): Promise<void> {
  const run = (files: string[]): Promise<RunnerResult> => {
    if (files.length === 0) {
      const first = runner(title, files)
      firstRuns.push(first)
      return first
    }
    const second = Promise.allSettled([...firstRuns, lastSecondTry]).then(() =>
      runner(`${title}, second try of ${files.join(', ')}`, files),
    )
    lastSecondTry = second
    return second
  }
  const { unstable: passedLater, ...counts } = await withSecondTry(run)
  unstable.push(...passedLater.map((text) => `  ${text}`))
  add(title, counts)
}

let runs = 0
const vitest = (title: string, args: string[]): Promise<RunnerResult> => {
  const file = join(out, `vitest-${++runs}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  return count(title, 'npx', ['vitest', 'run', ...args, ...reporters], {}, () => readVitest(file))
}

/** One run of journeys: it starts a server of its own, so that several can run side by side. */
const journeys = (title: string, browser: string, args: string[]): Promise<RunnerResult> => {
  const name = `journeys-${++runs}`
  const file = join(out, `${name}.json`)
  const command = ['playwright', 'test', ...args, `--output=test-results/${name}`, '--reporter=line,json']
  const extra = { PLAYWRIGHT_CHROMIUM: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: file }
  return count(title, 'npx', command, extra, () => readPlaywright(file))
}

const SHARDS = 2

async function staticChecks(): Promise<void> {
  await single('types', 'npx', ['tsc', '--noEmit'])
  await single('format and lint', 'npx', ['biome', 'check', '--error-on-warnings'])
  await single('unused code', 'npx', ['knip', '--no-progress'])
  await single('code the product does not run', 'npx', [
    'knip',
    '--production',
    '--config',
    'knip.product.json',
    '--no-progress',
  ])
}

/** Cases that were recorded where the rules come from; they are not part of the repository. */
async function recordedCases(): Promise<void> {
  const recorded = resolve('..', 'shared', 'conformance')
  if (!existsSync(recorded)) return
  const file = join(out, 'conformance.json')
  const args = ['tsx', 'scripts/conformance.ts', '--output', file, recorded]
  add('recorded cases', await count('recorded cases', 'npx', args, {}, () => readConformance(file)))
}

async function browserJourneys(browser: string | null): Promise<void> {
  if (browser === null) {
    tally.failed += 1
    failures.push('browser journeys: there is no browser')
    return
  }
  await counted('browser journeys', async (title, files) => {
    if (files.length > 0) return journeys(title, browser, [...files, '--trace=retain-on-failure'])
    const shards = Array.from({ length: SHARDS }, (_, i) =>
      journeys(`journeys ${i + 1}`, browser, [`--shard=${i + 1}/${SHARDS}`]),
    )
    return sumResults(await Promise.all(shards))
  })
}

if (quick)
  await Promise.all([
    staticChecks(),
    counted('unit tests', (title, files) => vitest(title, ['--project=unit', ...files])),
  ])
else {
  const browser = ensureBrowser()
  const checked = staticChecks().then(recordedCases)
  await single('pages', 'npx', ['tsx', 'scripts/build-pages.ts'])
  await Promise.all([checked, counted('unit and database tests', vitest), browserJourneys(browser)])
}

rmSync(out, { recursive: true, force: true })
const slowest = times.toSorted((a, b) => b.seconds - a.seconds).slice(0, 12)
console.log(
  `\n== time: ${Math.round((Date.now() - started) / 1000)} s\n${[
    ...steps.map(({ title, seconds }) => `  ${seconds} s  ${title}`),
    '  slowest files:',
    ...slowest.map(({ file, seconds }) => `  ${seconds.toFixed(1)} s  ${file}`),
  ].join('\n')}`,
)
if (unstable.length > 0)
  console.log(`\n== unstable: failed once, passed at a second try\n${unstable.join('\n')}`)
if (failures.length > 0) console.log(`\n== failures\n${failures.join('\n')}`)
console.log(`\n${tally.passed} passed, ${tally.failed} failed`)
process.exitCode = tally.failed === 0 ? 0 : 1
