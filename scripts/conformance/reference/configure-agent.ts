import { isTruthy } from '@/lib/judge/decisions/python-values'
import { isObject, member, type ExactJson, type ExactObject } from '@/lib/text/exact-json'
import { statusWord } from '@/lib/formats/noetl/dispatch-handle'
import { FRAMEWORKS, isOneOf } from '@/lib/model/diagnosis-lists'

/** What comes of an entry point of a Python framework: what it returned, or the class of what it raised. */
export type EntryPointOutcome = { data: ExactJson } | { raises: string }

/** Runs an entry point, in place of the interpreter. */
export type RunEntryPoint = (module: string, attribute: string, payload: ExactJson) => EntryPointOutcome

/** What the executor answers before it dispatches anything; `raises`: that is an error of the tool, no envelope. */
export type Configured = { envelope: ExactObject } | { raises: 'ValueError' } | { dispatches: string }

/**
 * What the source's executor makes of the configuration of an agent step. Failures of the configuration name neither framework nor entry
 * point.
 */
export function configureAgent(task: unknown, run: RunEntryPoint): Configured {
  const named = member(task, 'framework')
  const framework = isTruthy(named) ? statusWord(named) : 'custom'
  if (!isOneOf(FRAMEWORKS, framework)) return { raises: 'ValueError' }
  const failed = (code: string): Configured => ({
    envelope: { status: 'error', error: { kind: 'agent.configuration', code, retryable: false } },
  })
  const mode = member(task, 'entrypoint_mode')
  if (mode !== undefined && !isOneOf(['factory', 'callable'], statusWord(mode)))
    return failed('INVALID_ENTRYPOINT_MODE')
  if (!isObjectOrNothing(member(task, 'entrypoint_args'))) return failed('INVALID_ENTRYPOINT_ARGS')
  if (!isObjectOrNothing(member(task, 'invoke_kwargs'))) return failed('INVALID_INVOKE_KWARGS')
  const entrypoint = member(task, 'entrypoint') ?? null
  if (framework === 'noetl') {
    return typeof entrypoint === 'string' && entrypoint !== ''
      ? { dispatches: entrypoint }
      : failed('INVALID_ENTRYPOINT')
  }
  const outcome = outcomeOf(entrypoint, member(task, 'payload') ?? member(task, 'input') ?? null, run)
  if ('data' in outcome) return { envelope: { status: 'ok', framework, entrypoint, data: outcome.data } }
  const error = { kind: 'agent.execution', code: outcome.raises, retryable: false }
  return { envelope: { status: 'error', framework, entrypoint, error } }
}

const isObjectOrNothing = (value: unknown): boolean => isObject(value) || !isTruthy(value)

function outcomeOf(entrypoint: ExactJson, payload: ExactJson, run: RunEntryPoint): EntryPointOutcome {
  const [, module, attribute] =
    (typeof entrypoint === 'string' ? /^([^:]+):(.+)$/s.exec(entrypoint) : null) ?? []
  return module === undefined || attribute === undefined
    ? { raises: 'ValueError' }
    : run(module, attribute, payload)
}
