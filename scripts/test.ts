import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ensureBrowser } from './ensure-browser'
import { withSecondTry, type Counts } from './second-try'

/**
 * Every check of the project, from types to browser journeys, each step run even when an earlier one failed.
 * The last line is `N passed, N failed`; a step that yields no count of its own counts as one. Above it stands every failure with its
 * first lines, since of a long log often only the end is kept. What failed in a few files gets a second try, with nothing beside it: what
 * fails again is a failure, what passes is told by name as unstable (docs/decisions/0015).
 */
const out = mkdtempSync(join(tmpdir(), 'inquest-test-'))
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' }
const tally = { passed: 0, failed: 0 }
const failures: string[] = []
const unstable: string[] = []

async function run(
  title: string,
  command: string,
  args: string[],
  extra: Record<string, string> = {},
): Promise<number> {
  console.log(`\n== ${title}`)
  const started = Date.now()
  const status = await new Promise<number>((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...env, ...extra } })
    child.once('error', (error) => {
      console.error(String(error))
      resolve(1)
    })
    child.once('close', (code) => resolve(code ?? 1))
  })
  console.log(
    `== ${title}: ${status === 0 ? 'fine' : 'FAILED'} after ${Math.round((Date.now() - started) / 1000)} s`,
  )
  return status
}

async function single(title: string, command: string, args: string[]): Promise<void> {
  if ((await run(title, command, args)) === 0) tally.passed += 1
  else {
    tally.failed += 1
    failures.push(title)
  }
}

const LINES_OF_A_FAILURE = 12
const LINE_CHARS = 300

/** The name of what failed, and the first lines of why. */
const failure = (name: string, why: string | undefined): string =>
  [
    name,
    ...stripVTControlCharacters(why ?? '')
      .split('\n')
      .slice(0, LINES_OF_A_FAILURE),
  ]
    .map((line) => line.slice(0, LINE_CHARS))
    .join('\n    ')

/** A runner that writes counts into a file: a crash without a file, or a run without a test, is a failure. */
async function count(
  title: string,
  command: string,
  args: string[],
  extra: Record<string, string>,
  read: () => Counts,
): Promise<Counts> {
  const status = await run(title, command, args, extra)
  let counts: Counts = { passed: 0, failed: 0, failures: [] }
  try {
    counts = read()
  } catch (error) {
    console.error(`${title}: no result could be read (${String(error)})`)
  }
  if (counts.failed === 0 && (status !== 0 || counts.passed === 0)) counts.failed = 1
  return counts
}

function add(title: string, counts: Counts): void {
  tally.passed += counts.passed
  tally.failed += counts.failed
  if (counts.failed > 0)
    failures.push(`${title}: ${counts.failed}`, ...counts.failures.map(({ text }) => `  ${text}`))
}

async function counted(
  title: string,
  runner: (title: string, files: string[]) => Promise<Counts>,
): Promise<void> {
  const { unstable: passedLater, ...counts } = await withSecondTry((files) =>
    runner(files.length === 0 ? title : `${title}, a second try: ${files.join(', ')}`, files),
  )
  unstable.push(...passedLater.map((text) => `  ${text}`))
  add(title, counts)
}

interface VitestFile {
  name: string
  status: string
  message: string
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
}

interface PlaywrightSuite {
  specs: {
    file: string
    title: string
    ok: boolean
    tests: { results: { errors: { message?: string }[] }[] }[]
  }[]
  suites?: PlaywrightSuite[]
}

const failedSpecs = (suite: PlaywrightSuite): Counts['failures'] => [
  ...suite.specs
    .filter((one) => !one.ok)
    .map((one) => {
      const name = `${one.file} › ${one.title}`
      return { file: one.file, text: failure(name, one.tests[0]?.results[0]?.errors[0]?.message) }
    }),
  ...(suite.suites ?? []).flatMap(failedSpecs),
]

const sum = (all: Counts[]): Counts => ({
  passed: all.reduce((passed, one) => passed + one.passed, 0),
  failed: all.reduce((failed, one) => failed + one.failed, 0),
  failures: all.flatMap(({ failures }) => failures),
})

/** Journeys wait most of their time: as many runs of them stand side by side. */
const SHARDS = 2

const readJson = (file: string) => JSON.parse(readFileSync(join(out, file), 'utf8'))

await single('types', 'npx', ['tsc', '--noEmit'])
await single('format and lint', 'npx', ['biome', 'check', '--error-on-warnings'])
await single('unused code', 'npx', ['knip', '--no-progress'])
await counted('unit and database tests', (title, files) => {
  const args = [
    'vitest',
    'run',
    ...files,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${join(out, 'vitest.json')}`,
  ]
  return count(title, 'npx', args, {}, () => {
    const r = readJson('vitest.json')
    // A skipped case is not a pass; a file that could not be loaded holds no tests, so it is counted by itself.
    const broken = r.testResults.filter(
      (file: VitestFile) => file.status === 'failed' && file.assertionResults.length === 0,
    )
    const failed = r.testResults.flatMap((file: VitestFile) =>
      file.assertionResults
        .filter((one) => one.status === 'failed')
        .map((one) => {
          const name = `${relative('.', file.name)} › ${one.fullName}`
          return { file: relative('.', file.name), text: failure(name, one.failureMessages[0]) }
        }),
    )
    return {
      passed: r.numPassedTests,
      failed: r.numFailedTests + broken.length,
      failures: [
        ...failed,
        ...broken.map((file: VitestFile) => {
          const name = relative('.', file.name)
          return { file: name, text: failure(name, file.message) }
        }),
      ],
    }
  })
})
// Cases that were recorded where the rules come from; they are not part of the repository.
const recorded = resolve('..', 'shared', 'conformance')
if (existsSync(recorded)) {
  const file = join(out, 'conformance.json')
  const cases = await count(
    'recorded cases',
    'npx',
    ['tsx', 'scripts/conformance.ts', '--output', file, recorded],
    {},
    () => {
      const { passed, failed, files } = readJson('conformance.json')
      const failing = files.filter((one: { failed: number }) => one.failed > 0)
      const told = failing.map((one: { file: string; failing: string[] }) => ({
        file: one.file,
        text: failure(one.file, one.failing.join('\n')),
      }))
      return { passed, failed, failures: told }
    },
  )
  add('recorded cases', cases)
}
const browser = ensureBrowser()
if (browser === null) {
  tally.failed += 1
  failures.push('browser journeys: there is no browser')
} else {
  /** One run of journeys: it starts a server of its own, so that several can stand side by side. */
  const journeys = (title: string, name: string, args: string[]): Promise<Counts> => {
    const extra = { PLAYWRIGHT_CHROMIUM: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: join(out, `${name}.json`) }
    return count(
      title,
      'npx',
      ['playwright', 'test', ...args, `--output=test-results/${name}`, '--reporter=line,json'],
      extra,
      () => {
        const { stats, suites } = readJson(`${name}.json`)
        return {
          passed: stats.expected,
          failed: stats.unexpected + stats.flaky,
          failures: suites.flatMap(failedSpecs),
        }
      },
    )
  }
  await counted('browser journeys', async (title, files) => {
    if (files.length > 0) return journeys(title, 'second', files)
    const shards = Array.from({ length: SHARDS }, (_, i) =>
      journeys(`${title}, ${i + 1} of ${SHARDS}`, `shard-${i + 1}`, [`--shard=${i + 1}/${SHARDS}`]),
    )
    return sum(await Promise.all(shards))
  })
}

rmSync(out, { recursive: true, force: true })
if (unstable.length > 0)
  console.log(`\n== unstable: failed once, passed at a second try\n${unstable.join('\n')}`)
if (failures.length > 0) console.log(`\n== what failed\n${failures.join('\n')}`)
console.log(`\n${tally.passed} passed, ${tally.failed} failed`)
process.exitCode = tally.failed === 0 ? 0 : 1
