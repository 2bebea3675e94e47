import type { PipelineDetail, PipelineTaskDetail } from '@/lib/model/pipeline'

/** A task as 0.1.0 stored it. */
type FormerTask = PipelineTaskDetail & { attemptsTold?: number }

/**
 * A pipeline run with the count of attempts in each log under today's name and under `attemptsTold`, its name in 0.1.0.
 *
 * @see docs/api.md#deprecated-names
 */
export const withAttemptsAlias = (run: PipelineDetail): PipelineDetail => ({
  ...run,
  tasks: run.tasks.map((task: FormerTask) => {
    const attemptsInLog = task.attemptsInLog ?? task.attemptsTold
    return { ...task, attemptsInLog, attemptsTold: attemptsInLog }
  }),
})
