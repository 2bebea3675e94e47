import { expect, test } from 'vitest'
import type { PipelineDetail } from '@/lib/model/pipeline'
import { withAttemptsAlias } from './attempts-alias'

test('a task has the count of its attempts under both names, whichever of them is stored', () => {
  const runOf = (...tasks: object[]) => ({ tasks }) as unknown as PipelineDetail
  expect(withAttemptsAlias(runOf({ attemptsInLog: 2 }, { attemptsTold: 3 }))).toEqual(
    runOf({ attemptsInLog: 2, attemptsTold: 2 }, { attemptsInLog: 3, attemptsTold: 3 }),
  )
})
