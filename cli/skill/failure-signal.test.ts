import { expect, test } from 'vitest'
import { scanFailureSignal } from '@/lib/formats/claude/failure-signal'
import { FAILURE_TAG } from '@/lib/formats/claude/failure-tag'
import { runCli } from '../testing/run-cli'
import { failureSignalSkill } from '@/lib/words/failure-signal-skill'

test('the text is printed as it is, and with --json as a document', async () => {
  expect((await runCli(['skill', 'failure-signal'], {})).out).toBe(failureSignalSkill(FAILURE_TAG))
  expect(JSON.parse((await runCli(['skill', 'failure-signal', '--json'], {})).out)).toEqual({
    skill: 'failure-signal',
    text: failureSignalSkill(FAILURE_TAG),
  })
})

test('it teaches the tag that the environment names, and refuses a name that cannot be one', async () => {
  expect((await runCli(['skill', 'failure-signal'], { INQUEST_FAILURE_TAG: 'x-failed' })).out).toBe(
    failureSignalSkill('x-failed'),
  )
  const run = await runCli(['skill', 'failure-signal'], { INQUEST_FAILURE_TAG: '<x>' })
  expect([run.code, run.out, run.err]).toEqual([
    2,
    '',
    expect.stringMatching(/^inquest: INQUEST_FAILURE_TAG is "<x>"; it must be the name of a tag: .*\n$/),
  ])
})

test('a skill that there is not is a mistake of the command line', async () => {
  const run = await runCli(['skill', 'juggling'], {})
  expect([run.code, run.out, run.err]).toEqual([
    2,
    '',
    'inquest: Unknown skill juggling. Available: failure-signal.\n',
  ])
})

test('the block that it shows is one that is found, with the tag that is looked for', () => {
  const found = scanFailureSignal(failureSignalSkill(FAILURE_TAG))!
  expect(found.reason).toBe(
    'One or two sentences for the person who reads the log: what is wrong, and where.',
  )
  expect(failureSignalSkill('x-failed')).not.toContain(FAILURE_TAG)
})
