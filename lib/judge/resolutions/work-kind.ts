import { memoize } from '../../text/memoize'
import { stepsOfCall } from '../calls/command-steps'
import type { WorkedCall } from '../calls/merge-calls'
import { CHANGES_FILES } from '../calls/retry-chain'

/** `notes`: the agent's own list or a question; it does none of the work. */
export type WorkKind = 'look' | 'edit' | 'command' | 'notes' | 'other'

const LOOKS: ReadonlySet<string> = new Set([
  'Read',
  'Glob',
  'Grep',
  'LS',
  'NotebookRead',
  'WebFetch',
  'WebSearch',
  'TaskOutput',
  'BashOutput',
])
const NOTES: ReadonlySet<string> = new Set([
  'TodoWrite',
  'TodoRead',
  'AskUserQuestion',
  'TaskUpdate',
  'TaskCreate',
  'TaskList',
])
const LOOKING_TOOL = /^(?:get|list|search|read|find|fetch|query|describe|view)(?:[_-]|[A-Z]|$)/

/** What a call is for, by its tool and its command line alone. */
export const workKindOf = memoize((call: WorkedCall): WorkKind => {
  const { tool, target, looseTarget } = call
  if (CHANGES_FILES.has(tool)) return 'edit'
  if (LOOKS.has(tool)) return 'look'
  if (NOTES.has(tool)) return 'notes'
  if (looseTarget !== null && target !== null)
    return stepsOfCall(call).every(({ looks }) => looks) ? 'look' : 'command'
  const own = /^mcp__.+?__(.+)$/.exec(tool)?.[1]
  return own !== undefined && LOOKING_TOOL.test(own) ? 'look' : 'other'
})

const CHECKS =
  /(?:^|[ :_/.-])(?:tests?|pytest|lint|check|verify|validate|typecheck|tsc|vet|clippy|eslint|mypy|ruff|build|compile|ci)(?:$|[ :_.-])/i

/** Whether a command is there to pass or fail: a test, a lint run, a build, a check. */
export const isCheck = (call: WorkedCall): boolean => CHECKS.test(stepsOfCall(call).at(-1)?.name ?? '')
