import { basename } from 'node:path'
import { member, type ExactJson } from '@/lib/text/exact-json'
import { assembleEnvelope } from '../reference/assemble-envelope'
import { configureAgent, type EntryPointOutcome } from '../reference/configure-agent'
import { forwardedInput, isTroubleshootOn, stepAfterTriage } from '../reference/troubleshoot'
import { fetchDiagnosis, pollUntilTerminal } from '../reference/waiting'
import { workerOutcome } from '../reference/worker-outcome'
import type { Operations } from './exact-cases'

/** What the source itself does with envelopes, rows and diagnoses, in the spelling of the recorded cases. */
export const producerOperations: Operations = {
  worker_outcome: ({ tool_kind, response, raised }) => {
    const reply = raised === undefined ? { response } : { raised: (raised as { message: string }).message }
    const { toolError, events } = workerOutcome(tool_kind, reply)
    return {
      tool_error: toolError,
      is_tool_error: toolError !== null,
      parent_step_continues: toolError === null,
      events: events.map(({ eventType, rowStatus }) => ({ event_type: eventType, row_status: rowStatus })),
    }
  },
  route_after_triage: ({ confidence, threshold, escalate_to }) => ({
    next_step: stepAfterTriage(confidence as number, threshold as number, escalate_to),
  }),
  auto_troubleshoot_enabled: ({ task, env, entrypoint, troubleshoot_path }) => ({
    enabled: isTroubleshootOn(task, env as string | null, entrypoint as string, troubleshoot_path as string),
  }),
  forwarded_input: ({ on_failure, failed_execution_id }) => ({
    input: forwardedInput(on_failure, failed_execution_id as ExactJson),
  }),
  poll_until_terminal: ({ replies, timeout_seconds, interval_seconds, last_reply_repeats }) => {
    const list = replies as ExactJson[]
    const replyTo = (n: number): ExactJson | undefined =>
      list[n] ?? (last_reply_repeats === true ? list.at(-1) : undefined)
    const { document, polls, waitedSeconds } = pollUntilTerminal(
      replyTo,
      timeout_seconds as number,
      interval_seconds as number,
    )
    return { document, polls, waited_seconds: waitedSeconds }
  },
  diagnosis_backoff: (input) => {
    const fetched = fetchDiagnosis(input.available_after_seconds as number | null, {
      deadlineSeconds: input.deadline_seconds as number,
      initialSleepSeconds: input.initial_sleep_seconds as number,
      multiplier: input.multiplier as number,
      maxSleepSeconds: input.max_sleep_seconds as number,
    })
    const fetch_meta = {
      poll_count: fetched.pollCount,
      elapsed_seconds: fetched.elapsedSeconds,
      deadline_seconds: fetched.deadlineSeconds,
      hit_deadline: fetched.hitDeadline,
    }
    return { found: fetched.found, poll_times: fetched.pollTimes, fetch_meta }
  },
  assemble_envelope: (input) => {
    const troubleshoot = input.troubleshoot as Record<string, ExactJson>
    return assembleEnvelope({
      entrypoint: input.entrypoint as string,
      task: input.task,
      autoTroubleshoot: (member(input.env, 'NOETL_AGENT_AUTO_TROUBLESHOOT') ?? null) as string | null,
      dispatch: input.dispatch as ExactJson,
      terminal: input.terminal as ExactJson,
      childResult: input.child_result as ExactJson,
      troubleshoot: {
        dispatch: troubleshoot.dispatch ?? null,
        dispatchRaises: troubleshoot.dispatch_raises !== undefined,
        terminal: troubleshoot.terminal ?? null,
        persisted: troubleshoot.persisted ?? null,
      },
      workflowPluginAvailable: input.workflow_plugin_available !== false,
    })
  },
  configure_agent: ({ task }) => {
    const configured = configureAgent(task, runEntryPoint)
    if ('raises' in configured) return { raises: configured.raises, envelope: null, is_envelope: false }
    return 'envelope' in configured
      ? { raises: null, envelope: configured.envelope, is_envelope: true }
      : configured
  },
}

/** Of the standard library that the cases were recorded with, the modules that they name. */
const PYTHON: Record<string, Record<string, (payload: ExactJson) => ExactJson>> = {
  json: {},
  posixpath: { basename: (path) => basename(String(path)) },
}

function runEntryPoint(module: string, attribute: string, payload: ExactJson): EntryPointOutcome {
  const found = Object.hasOwn(PYTHON, module) ? PYTHON[module] : undefined
  if (found === undefined) return { raises: 'ModuleNotFoundError' }
  const call = Object.hasOwn(found, attribute) ? found[attribute] : undefined
  return call === undefined ? { raises: 'AttributeError' } : { data: call(payload) }
}
