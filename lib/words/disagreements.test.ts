import { expect, test } from 'vitest'
import { DISAGREEMENT_WORDS, disagreementFact } from './disagreements'
import { wordedSamples } from './samples.support'

test('the fact that sources say differently', () =>
  expect(
    wordedSamples(DISAGREEMENT_WORDS, {
      run_status: [{}],
      outcome: [{}],
      call_refused: [{ callId: 'toolu_01' }],
      call_fact: [{ callId: 'toolu_01', fact: 'exitCode' }],
      recorded_fact: [
        { fact: 'cliSubtype', run: null },
        { fact: 'success', run: 'session-1_later' },
      ],
    }),
  ).toMatchInlineSnapshot(`
    {
      "call_fact": [
        "call toolu_01 exitCode",
      ],
      "call_refused": [
        "call toolu_01 refused",
      ],
      "outcome": [
        "outcome",
      ],
      "recorded_fact": [
        "recorded cli subtype",
        "recorded success of session-1_later",
      ],
      "run_status": [
        "status of the run",
      ],
    }
  `))

test('of a row of an older version, and of a newer one, the stored text', () => {
  expect(disagreementFact({ fact: 'status of the run' })).toBe('status of the run')
  expect(disagreementFact({ rule: 'brand_new', params: {}, fact: 'its weather' })).toBe('its weather')
})
