import type { FailedTask } from '../model/messages/failed-task'
import { oneLine } from '../text/visible'
import { capital, count, quoted } from './phrases'

/** What happened to a failed task, without its error: `Task “lint” failed with exit code 2 in all 3 attempts`. */
export function taskFailureWords({
  task: id,
  failure,
  exitCode,
  attempts: n,
}: Omit<FailedTask, 'error'>): string {
  const task = `task ${quoted(oneLine(id), 60)}`
  const attempts = (n ?? 0) > 1 ? ` in all ${count(n!)} attempts` : ''
  switch (failure) {
    case 'command':
      return `${capital(task)} failed with exit code ${exitCode}${attempts}`
    case 'agent_step':
      return `The agent of ${task} failed with exit code ${exitCode}${attempts}`
    case 'timeout':
      return `${capital(task)} timed out${attempts}`
    case 'tool':
      return `${capital(task)} never started: a required tool is missing`
    case 'secret':
      return `${capital(task)} never started: a required secret is missing`
    case 'variable':
      return `${capital(task)} never started: a required variable is missing`
    case 'agent_profile':
      return `${capital(task)} never started: its agent profile is unknown`
    case 'prepare':
      return `The source of ${task} could not be prepared`
    case null:
      return `${capital(task)} failed${attempts}; no reason was recorded`
    default:
      return `${capital(task)} failed${attempts}`
  }
}
