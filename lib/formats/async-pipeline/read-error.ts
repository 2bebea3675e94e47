import type { TaskFailure } from '../../model/pipeline-facts'

export interface ReadError {
  failure: TaskFailure
  /** The tool writes none: it is in the words of the error. A timeout is 124 inside of the step. */
  exitCode: number | null
}

const PATTERNS: readonly [RegExp, TaskFailure, exitCode?: number][] = [
  [/^Command failed with exit code (-?\d{1,9}):/, 'command'],
  [/^Agent step failed with exit code (-?\d{1,9})\b/, 'agent_step'],
  [/^Task "[^"]*" timed out after \d+ms/, 'timeout', 124],
  [/^Required tool /, 'tool'],
  [/^Required secret /, 'secret'],
  [/^Required variable /, 'variable'],
  [/ resolved agent profile "[^"]*", which is not declared/, 'agent_profile'],
]

/** What the words of a task's error say. The preparation of a source is a task that the tool makes up, `<source>:prepare`. */
export function readError(text: string, task: string): ReadError {
  const found = PATTERNS.map(([words, failure, code]) => ({ match: words.exec(text), failure, code })).find(
    ({ match }) => match !== null,
  )
  const said = found?.match?.[1]
  const exitCode = said === undefined ? (found?.code ?? null) : Number(said)
  return { failure: task.endsWith(':prepare') ? 'prepare' : (found?.failure ?? 'other'), exitCode }
}
