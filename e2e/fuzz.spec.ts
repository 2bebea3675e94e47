import { closingOf, findingsOf, isClean, tableOf } from '../scripts/fuzz/report'
import { fuzzServer } from '../scripts/fuzz/run'
import { expect, ownTest as test } from './support/test'

/** Fixed, so that a red run can be repeated. */
const SEED = 1
/** Of each endpoint. `npm run fuzz` sends more. */
const INPUTS = 6

test('no odd request and no mutated body is answered by a fault', async ({ own }, { outputDir }) => {
  test.setTimeout(300_000)
  const inquest = await own.start()
  const report = await fuzzServer(
    { ...inquest, pid: inquest.child.pid! },
    { seed: SEED, inputs: INPUTS, looksForSlow: false },
  )
  console.log(`${tableOf(report.results).split('\n').at(-1)}\n${closingOf(report)}`)
  expect(findingsOf(report, outputDir)).toBe('')
  expect(isClean(report)).toBe(true)
  expect(report.results.length).toBeGreaterThan(100)
  const answered = report.results.filter(
    ({ statuses }) => (statuses['2xx'] ?? 0) + (statuses['3xx'] ?? 0) > 0,
  )
  expect(answered.length, 'most endpoints were got through to').toBeGreaterThan(report.results.length / 2)
})
