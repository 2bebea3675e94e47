import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide } from './decide'
import { gatherWhatIf } from './gather-what-if'
import { CURRENT_POLICY } from './policies'
import { arbitraryEvidence, decidedOn, EMPTY_RUN, MARKER, messageLine } from './testing/arbitrary-evidence'
import { applyChanges, changesOf } from './what-if'
import { parseStdout } from './testing/whole-output'
import type { RunEvidence } from './testing/whole-output'

const whatIfOf = (evidence: RunEvidence) => gatherWhatIf(evidence, parseStdout(evidence.stdout))

/** The decision with the changes of these ids, as far as they are offered one on top of the other. */
function changed(evidence: RunEvidence, ids: readonly string[]) {
  const whatIf = whatIfOf(evidence)
  const changes = ids.flatMap((id) => changesOf(whatIf).find((one) => one.id === id) ?? [])
  return {
    offered: changes.length === ids.length,
    decided: decide(applyChanges(whatIf, changes), CURRENT_POLICY),
  }
}

const channel = fc.constantFrom(
  'channel_a' as const,
  'channel_b' as const,
  'unmonitored' as const,
  'dir_missing' as const,
)

describe('what would have been is what a judge of the changed evidence says', () => {
  test('through another channel', () => {
    fc.assert(
      fc.property(arbitraryEvidence, channel, (evidence, other) => {
        expect(changed(evidence, [`channel:${other}`]).decided).toEqual(
          decidedOn({ ...evidence, channel: other }),
        )
      }),
      { numRuns: 500 },
    )
  })

  test('when it had ended by itself, through its channel and through others', () => {
    fc.assert(
      fc.property(arbitraryEvidence, channel, (evidence, other) => {
        const byItself = { ...evidence, termination: 'natural_exit', exitCode: 0 }
        const { offered, decided } = changed(evidence, ['ended'])
        // One whose output cannot be read ends there, however the process went on.
        if (decidedOn(evidence).subtype !== 'crashed')
          expect(offered).toBe(evidence.termination !== 'natural_exit')
        expect(decided).toEqual(decidedOn(offered ? byItself : evidence))
        if (offered)
          expect(changed(evidence, ['ended', `channel:${other}`]).decided).toEqual(
            decidedOn({ ...byItself, channel: other }),
          )
      }),
      { numRuns: 500 },
    )
  })

  test('with another exit code, and with another budget', () => {
    fc.assert(
      fc.property(arbitraryEvidence, (evidence) => {
        const other =
          evidence.exitCode === 0 ? { id: 'exit:other', exitCode: 1 } : { id: 'exit:zero', exitCode: 0 }
        expect(changed(evidence, [other.id]).decided).toEqual(
          decidedOn({ ...evidence, exitCode: other.exitCode }),
        )
        const { offered, decided } = changed(evidence, ['budget:left'])
        if (offered)
          expect(decided).toEqual(
            decidedOn({ ...evidence, maxConsecutiveRetries: evidence.maxConsecutiveRetries + 9 }),
          )
      }),
      { numRuns: 500 },
    )
  })
})

describe('what is kept', () => {
  const evidence: RunEvidence = { ...EMPTY_RUN, marker: MARKER }
  const said = messageLine(`done\n${MARKER}`)

  test('nothing of a channel that is all that differs', () =>
    expect(whatIfOf({ ...evidence, marker: '' })).toEqual({ actual: expect.anything(), byChannel: {} }))

  test('facts of their own for the channels that make up for lost output', () => {
    expect(Object.keys(whatIfOf({ ...evidence, stdout: said }).byChannel)).toEqual([
      'channel_b',
      'dir_missing',
    ])
  })

  test('the end that a stopped attempt did not come to', () => {
    const { actual, ended, endedByChannel } = whatIfOf({
      ...evidence,
      stdout: said,
      termination: 'timed_out',
      exitCode: -9,
    })
    expect(actual.way).toMatchObject({ verdict: { termination: 'timed_out', exitCode: -1 } })
    expect(ended!.way).toMatchObject({ verdict: { termination: 'natural_exit', exitCode: 0 } })
    expect(Object.keys(endedByChannel!)).toEqual(['channel_b', 'dir_missing'])
  })
})
