import { isTruthy } from '@/lib/judge/decisions/python-values'
import { isObject, member, memberAt, type ExactJson, type ExactObject } from '@/lib/text/exact-json'
import { runIdOf } from '@/lib/formats/noetl/dispatch-handle'
import { readStatusDocument } from './status-document'
import { isCompleteDiagnosis } from '@/lib/formats/noetl/validate-diagnosis'
import { isTroubleshootOn, TROUBLESHOOTER_PATH } from './troubleshoot'
import { fetchDiagnosis, fetchSettings } from './waiting'

/** What the source's executor met when it ran an agent, in place of the requests that it would make. */
export interface AgentRun {
  entrypoint: string
  task: unknown
  /** Value of the environment switch for diagnoses; null when it is not set. */
  autoTroubleshoot: string | null
  /** The reply to the dispatch of the child. */
  dispatch: ExactJson
  /** The status document that the wait for the child ended with; null when nothing was waited for. */
  terminal: ExactJson
  /** Result of the child's last completing step. */
  childResult: ExactJson
  troubleshoot: { dispatch: ExactJson; dispatchRaises: boolean; terminal: ExactJson; persisted: ExactJson }
  workflowPluginAvailable: boolean
}

const NO_CAUSE = 'sub-playbook returned non-success status'

/**
 * The envelope that the source's executor returns for a child run, and the paths that it dispatched. Texts that it words itself for
 * failures of its own are left out.
 *
 * @see docs/parity.md#envelopes
 */
export function assembleEnvelope(run: AgentRun): { envelope: ExactObject; dispatched: string[] } {
  const { entrypoint, dispatch, terminal } = run
  const failedWith = (kind: string, code: string): ExactObject => ({
    status: 'error',
    framework: 'noetl',
    entrypoint,
    error: { kind, code, retryable: false },
  })
  if (!run.workflowPluginAvailable)
    return { envelope: failedWith('agent.dependency', 'WORKFLOW_PLUGIN_UNAVAILABLE'), dispatched: [] }
  if (!isObject(dispatch))
    return { envelope: failedWith('agent.execution', 'UNEXPECTED_RESULT_SHAPE'), dispatched: [entrypoint] }
  const executionId = childIdOf(dispatch)
  const word = member(dispatch, 'status')
  const waited = word === 'success' && executionId !== null && isObject(terminal) ? terminal : null
  const status = waited === null ? statusOf(word) : (readStatusDocument(waited).agentStatus ?? 'error')
  const envelope: ExactObject = {
    status,
    framework: 'noetl',
    entrypoint,
    data:
      firstTrue(executionId === null ? null : run.childResult, waited) ?? member(dispatch, 'data') ?? null,
    execution_id: executionId,
    duration: member(dispatch, 'duration') ?? null,
  }
  if (status === 'ok') return { envelope, dispatched: [entrypoint] }
  const message = firstTrue(member(waited, 'error'), member(dispatch, 'error')) ?? NO_CAUSE
  const error: ExactObject = { kind: 'agent.execution', code: 'PLAYBOOK_FAILED', message, retryable: false }
  const troubleshooter = memberAt(run.task, 'on_failure', 'troubleshoot_path')
  const path =
    typeof troubleshooter === 'string' && troubleshooter !== '' ? troubleshooter : TROUBLESHOOTER_PATH
  const isAsked = executionId !== null && isTroubleshootOn(run.task, run.autoTroubleshoot, entrypoint, path)
  if (!isAsked) return { envelope: { ...envelope, error }, dispatched: [entrypoint] }
  const diagnosis = diagnosisOf(run)
  return {
    envelope: { ...envelope, error: diagnosis === null ? error : { ...error, diagnosis } },
    dispatched: [entrypoint, path],
  }
}

/** The first value that Python takes for true; null when there is none. */
const firstTrue = (...values: (ExactJson | undefined)[]): ExactJson => values.find(isTruthy) ?? null

/** Of a dispatch that nothing was waited for behind. */
const statusOf = (word: ExactJson | undefined): ExactJson =>
  word === 'success' ? 'ok' : (firstTrue(word) ?? 'error')

const childIdOf = (reply: ExactObject): string | null => {
  const data = member(reply, 'data')
  return runIdOf(reply) ?? (isObject(data) ? runIdOf(data) : null)
}

/** The diagnosis that gets attached; null when anything went wrong on the way, of which no envelope tells. */
function diagnosisOf({
  task,
  troubleshoot: { dispatch, dispatchRaises, terminal, persisted },
}: AgentRun): ExactJson {
  const word = member(dispatch, 'status')
  if (dispatchRaises || !isObject(dispatch) || (word !== 'success' && word !== 'ok')) return null
  const answered = member(dispatch, 'data')
  // One that answers at once is taken as it is.
  if (answered !== undefined && isCompleteDiagnosis(answered)) return answered
  if (childIdOf(dispatch) === null || !readStatusDocument(terminal).mayFetchDiagnosis) return null
  if (!isObject(persisted) || !isCompleteDiagnosis(persisted)) return null
  const { pollCount, elapsedSeconds, deadlineSeconds, hitDeadline } = fetchDiagnosis(
    0,
    fetchSettings(member(task, 'on_failure')),
  )
  const own = member(persisted, '_meta')
  const fetch = {
    poll_count: pollCount,
    elapsed_seconds: elapsedSeconds,
    deadline_seconds: deadlineSeconds,
    hit_deadline: hitDeadline,
  }
  return { ...persisted, _meta: { ...(isObject(own) ? own : {}), diagnosis_fetch: fetch } }
}
