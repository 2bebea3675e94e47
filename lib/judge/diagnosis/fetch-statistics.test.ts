import { expect, test } from 'vitest'
import { readFetchStatistics } from './fetch-statistics'

test('statistics keep the digits they were written with', () => {
  expect(
    readFetchStatistics(
      '{"diagnosis_fetch":{"poll_count":12,"elapsed_seconds":4.0370,"deadline_seconds":60.0,"hit_deadline":false}}',
    ),
  ).toEqual({
    pollCount: '12',
    elapsedSeconds: '4.0370',
    deadlineSeconds: '60.0',
    hitDeadline: false,
  })
})

test.each(['null', '7', '{}', '{"diagnosis_fetch":3}', '{"diagnosis_fetch":{"poll_count":"12"}}', '{'])(
  '%s tells nothing of the fetch',
  (json) => {
    expect(readFetchStatistics(json)).toBeNull()
  },
)
