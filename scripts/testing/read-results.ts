import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Counts } from './second-try'

/** How long one file of tests took, all its tests together. */
export interface FileTime {
  file: string
  seconds: number
}

export interface RunnerResult extends Counts {
  times: FileTime[]
}

interface VitestResult {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    status: string
    message: string
    startTime: number
    endTime: number
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

interface PlaywrightSuite {
  specs: {
    file: string
    title: string
    ok: boolean
    tests: { results: { duration: number; errors: { message?: string }[] }[] }[]
  }[]
  suites?: PlaywrightSuite[]
}

interface PlaywrightResult {
  stats: { expected: number; unexpected: number; flaky: number }
  suites: PlaywrightSuite[]
}

interface ConformanceResult {
  passed: number
  failed: number
  files: { file: string; failed: number; failing: string[] }[]
}

const LINES_OF_A_FAILURE = 12
const LINE_CHARS = 300

/** The name of what failed, and the first lines of why. */
const describe = (name: string, why: string | undefined): string =>
  [
    name,
    ...stripVTControlCharacters(why ?? '')
      .split('\n')
      .slice(0, LINES_OF_A_FAILURE),
  ]
    .map((line) => line.slice(0, LINE_CHARS))
    .join('\n    ')

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T

/** What Vitest's JSON reporter wrote. A skipped case is not a pass. */
export function readVitest(path: string): RunnerResult {
  const result = readJson<VitestResult>(path)
  const nameOf = (file: { name: string }): string => relative('.', file.name)
  // A file that could not be loaded holds no tests, so it is counted by itself.
  const broken = result.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  const failed = result.testResults.flatMap((file) =>
    file.assertionResults
      .filter((one) => one.status === 'failed')
      .map((one) => ({
        file: nameOf(file),
        text: describe(`${nameOf(file)} › ${one.fullName}`, one.failureMessages[0]),
      })),
  )
  return {
    passed: result.numPassedTests,
    failed: result.numFailedTests + broken.length,
    failures: [
      ...failed,
      ...broken.map((file) => ({ file: nameOf(file), text: describe(nameOf(file), file.message) })),
    ],
    times: result.testResults.map((file) => ({
      file: nameOf(file),
      seconds: (file.endTime - file.startTime) / 1000,
    })),
  }
}

const specsOf = (suite: PlaywrightSuite): PlaywrightSuite['specs'] => [
  ...suite.specs,
  ...(suite.suites ?? []).flatMap(specsOf),
]

/** What Playwright's JSON reporter wrote. */
export function readPlaywright(path: string): RunnerResult {
  const { stats, suites } = readJson<PlaywrightResult>(path)
  const specs = suites.flatMap(specsOf)
  const times = new Map<string, number>()
  for (const { file, tests } of specs)
    for (const { duration } of tests.flatMap(({ results }) => results))
      times.set(file, (times.get(file) ?? 0) + duration / 1000)
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    failures: specs
      .filter(({ ok }) => !ok)
      .map(({ file, title, tests }) => ({
        file,
        text: describe(`${file} › ${title}`, tests[0]?.results[0]?.errors[0]?.message),
      })),
    times: [...times].map(([file, seconds]) => ({ file, seconds })),
  }
}

/** What `scripts/conformance.ts --output` wrote. */
export function readConformance(path: string): RunnerResult {
  const { passed, failed, files } = readJson<ConformanceResult>(path)
  const failures = files
    .filter((one) => one.failed > 0)
    .map((one) => ({ file: one.file, text: describe(one.file, one.failing.join('\n')) }))
  return { passed, failed, failures, times: [] }
}

export const sumResults = (all: readonly RunnerResult[]): RunnerResult => ({
  passed: all.reduce((sum, one) => sum + one.passed, 0),
  failed: all.reduce((sum, one) => sum + one.failed, 0),
  failures: all.flatMap(({ failures }) => failures),
  times: all.flatMap(({ times }) => times),
})
