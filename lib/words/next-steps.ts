import type { CallRef } from '../model/messages/call-ref'
import type { NextStep, NextSteps, StartingPoint } from '../model/messages/next-steps'
import { cutAtWord, oneLine } from '../text/visible'
import { programName } from './call-retry'
import { textOf, type Catalogue } from './catalogue'
import { callName, callWithNumber, otherRecords, quoted, targetName } from './phrases'

const quote = (error: string): string => quoted(error, 120)
const errorOrCall = ({ error, call }: { error: string; call: CallRef }): string =>
  quote(error) || callName(call)
/** The end of a sentence; a quote may bring its own mark along. */
const ended = (text: string): string => (/[.?!]”$/.test(text) ? text : `${text}.`)
const pipelineError = (error: string): string => quoted(error, 160)

const RESUME = 'If the session is still running, import the file again later. Otherwise resume the session.'
const noPlace = (cut: boolean): string => `The error${cut ? ' (truncated here)' : ''} names no file or line`
const code = (exitCode: number | null): string => (exitCode === null ? '' : ` (exit code ${exitCode})`)
const again = ({ receiptOnly, call }: { receiptOnly: boolean; call: CallRef }): string =>
  receiptOnly ? 'let the agent retry the call' : `rerun ${callName(call)}`
const rerunTask = (command: string): string => `run ${quoted(command, 120)}`
const inputIn = (callId: string): string =>
  `The receipt does not include the input. Look in ${otherRecords(callId)}.`

/** What to do about a failure. */
export const NEXT_STEP_WORDS: Catalogue<NextSteps> = {
  no_action: () => 'No action needed.',
  check_workaround: ({ call, other }) =>
    `Check that ${callWithNumber(other)} did all that ${callName(call)} was for.`,
  no_action_read_first: () =>
    'No action needed. Telling the agent to read files before editing them avoids this.',
  no_action_prompt: () => 'No action needed. Next time, put what the person wanted in the prompt.',
  no_action_parallel: () => 'No action needed. Only the call that failed in parallel matters.',
  no_action_requests: () => 'No action needed. If this happens often, check the status of the model service.',

  ask_person: () => 'Ask the person what they wanted and add it to the prompt.',
  follow_person: ({ said }) =>
    `Check if the agent followed the person’s next message: ${quoted(oneLine(said), 160)}.`,
  do_as_asked: ({ error }) =>
    /\?\s*$/.test(error)
      ? `Answer the person’s question: ${ended(quote(error))}`
      : `Do what the person asked: ${ended(quote(error))}`,
  ask_why_interrupted: ({ call }) =>
    `Ask the person why. Rerun ${callName(call)} only if the interruption was a mistake.`,
  read_then_retry: ({ call }) =>
    `Check if the file has the change ${callName(call)} was to make. If not, read the file and retry.`,
  edit_with_new_text: ({ call }) =>
    `If ${targetName(call)} already has the change, no action is needed. Otherwise edit with the new text.`,
  edit_current_text: ({ call }) =>
    `Read the file. If the change from ${callName(call)} is still missing, edit with the current text.`,
  widen_edit: ({ call }) => `Retry ${callName(call)} with more surrounding text, or replace all matches.`,
  find_path: ({ call }) =>
    `Find the right path to ${targetName(call)} or the step that should have created it. No action needed if the agent was only exploring.`,
  read_file_in_folder: ({ call }) => `List ${targetName(call)} and read the right file.`,
  fix_parallel_call: ({ call, cause }) =>
    `Fix ${cause === null ? 'the call that failed in parallel' : callWithNumber(cause)} first, then check if ${callName(call)} is still needed.`,
  narrow_result: ({ call }) => `Use an offset and a limit, or a narrower search, for ${callName(call)}.`,
  grant_call: ({ call }) =>
    `Grant permission for ${callName(call)}, or tell the agent how to work without it. Check that what it reports as done was actually written.`,
  satisfy_hook: ({ error }) => `Do what the hook says (${quote(error)}), or change the hook.`,
  send_valid_input: ({ call, error }) => `Retry ${callName(call)} with valid input: ${ended(quote(error))}`,
  use_task_result: () => 'Use the result of the call that started the task, or start a new task.',
  find_agent_run: () =>
    'Find the agent’s run by path and time (its ID was not recorded). Its first failed event has the cause.',
  open_agent_run: ({ run }) =>
    `Open the agent’s own run, ${cutAtWord(oneLine(run), 40)}. Its first failed event has the cause.`,
  configure_agent: ({ message }) => `Fix the step’s settings${agentMessage(message)}; then rerun.`,
  install_agent_dependency: ({ message }) =>
    `Install what the worker lacks${agentMessage(message)}; then rerun.`,
  check_step_host: ({ error }) =>
    `Check that the step’s host name is right and resolves on the worker, then rerun: ${ended(quote(error))}`,
  rerun_step: ({ error }) =>
    `Rerun. If it fails again, check that the service the step calls is up: ${ended(quote(error))}`,
  fix_step_credential: ({ error }) =>
    `Fix the step’s credential or its permissions, then rerun: ${ended(quote(error))}`,
  fix_step_request: ({ error }) =>
    `Fix what the error names in the step’s request or its input, then rerun: ${ended(quote(error))}`,
  read_step_events: ({ call }) =>
    `Read the events of ${stepName(call)}. The first one has its input; there is no error message.`,
  read_step_input: ({ call, error }) =>
    `Read the events and input of ${stepName(call)}, starting from ${quote(error)}. Fix that and rerun.`,
  use_existing_name: ({ error }) =>
    `Use an existing name or option: ${quote(error)}. If a program made the call, fix the program. No action needed if the call was meant to fail.`,
  merge_then_push: ({ error }) =>
    `Fetch, rebase or merge the remote branch, then push again: ${ended(quote(error))}`,
  pass_by_file: ({ error }) =>
    `Pass the text in a file or on stdin; this means changing the program: ${ended(quote(error))}`,
  rerun_after_connection: ({ error }) =>
    `Rerun it. If it fails again, check that the service it calls is up: ${ended(quote(error))}`,
  unignore_path: ({ error }) =>
    `Remove the path from .gitignore, or use git add -f if it belongs in the repository: ${ended(quote(error))}`,
  use_make_target: ({ error }) => `Use a target the makefile has, or add this one: ${ended(quote(error))}`,
  install_program: ({ program, error }) =>
    `Install ${programName(program)} or use its full path${program === null ? ' (the error does not name it)' : ''}: ${ended(quote(error))}`,
  find_creator: ({ error }) =>
    `Find what should have created the missing file, or the right path: ${ended(quote(error))}`,
  find_creator_of: ({ thing }) => `Find what should have created ${thingName(thing)}, or the right path.`,
  check_options: ({ thing }) =>
    `Check the program’s options: ${thingName(thing)} is not passed the way it expects.`,
  absolute_path_before_cd: ({ thing }) =>
    `Use an absolute path for ${thingName(thing)}, or call it before the cd.`,
  absolute_path_after_cd: ({ thing }) =>
    `Use an absolute path for ${thingName(thing)}, or change back to the first folder.`,
  grant_account: ({ error }) =>
    `Grant the account the permission, or use a writable path: ${ended(quote(error))}`,
  fix_work_or_check: ({ at, ...of }) =>
    `Decide if the work or the check is wrong${at === null ? '' : ` (start at ${placeName(at)})`}, fix it and ${again(of)}: ${ended(errorOrCall(of))}`,
  find_exception: ({ cut, ...of }) =>
    `${noPlace(cut)}. Find what raises ${errorOrCall(of)} (check settings and versions too), fix it and ${again(of)}.`,
  fix_program: ({ at, ...of }) =>
    `Fix the program${at === null ? '' : ` at ${placeName(at)}`}: ${errorOrCall(of)}. Then ${again(of)}.`,
  fix_code: ({ at, ...of }) =>
    `Fix ${at === null ? 'the code' : placeName(at)}: ${errorOrCall(of)}. Then ${again(of)}.`,
  run_by_hand: ({ call, error, exitCode, cut }) =>
    error === ''
      ? `There is no error message. Run ${callName(call)} by hand and read its full output${code(exitCode)}.`
      : `${noPlace(cut)}. Run ${callName(call)} by hand and start from ${quote(error)}${code(exitCode)}.`,
  run_unclear_by_hand: ({ call, error }) =>
    `Run ${callName(call)} by hand and read its full output; ${error === '' ? 'there is no error message to start from' : `the error alone, ${quote(error)}, does not say what to fix`}.`,
  look_in_other_records: ({ error, callId }) =>
    error === ''
      ? `The receipt includes neither the error nor the input. Look in ${otherRecords(callId)}.`
      : `The error alone, ${quote(error)}, does not say what to fix. ${inputIn(callId)}`,
  check_mcp_server: (of) => `Check the server’s log and version: ${ended(errorOrCall(of))}`,
  with_input_elsewhere: ({ step, callId }) => `${nextStepWords(step)} ${inputIn(callId)}`,

  read_signal: () =>
    'Read the session to see what it found. Ask it to give a reason in its failure block, then rerun.',
  fix_signal: () => 'Fix what the agent reported, then rerun the same prompt.',
  wait_for_limit: () => 'Wait for the limit to reset, then resume the session with the same prompt.',
  resume_later: () =>
    'Resume the session with the same prompt in a few minutes. If it fails again, check the status of the model service.',
  fix_request: () => 'Fix what the error names (key, account, model or conversation length), then resume.',
  raise_limit: () => 'Raise the limit or split the task, then resume the session.',
  new_session: () => 'Start a new session, or resume on the machine and in the folder where it was created.',
  fix_settings: () => 'Fix the settings named in the error, then rerun.',
  read_step_log: () =>
    'Read the end of the step’s log: it names what failed outside the agent, such as its turn limit, a missing structured output or a crash.',
  rerun_cancelled: () => 'If nobody cancelled it on purpose, check the job’s time limit and rerun it.',
  read_result_record: () => 'Read the result record and the failed calls before it.',
  find_step_run: () =>
    'Find the run that the step started, by path and time. Its own events show how it ended.',
  check_effects_elsewhere: ({ call, callId }) =>
    `Check the effects of ${callName(call)}. Its outcome may be in ${otherRecords(callId)}.`,
  check_result_writer: () =>
    'Open the raw record and check if the program that wrote it truncated or changed it.',
  change_before_rerun: () =>
    'Change something before you start it again: the prompt, the input or the environment.',
  satisfy_hook_and_resume: () => 'Do what the hook asks, or fix the hook command, then resume the session.',
  allow_tool: () =>
    'Allow the tool (permission mode or allow list) or remove the need for it from the prompt, then rerun.',
  ask_who_stopped: () =>
    'Ask who stopped it, or check what happened just before. Resume if it was stopped by mistake.',
  check_parent: () => 'Check in the parent execution if the call that started this agent returned.',
  resume_session: () => RESUME,
  check_effects: ({ call }) => `Check the effects of ${callName(call)}. ${RESUME}`,
  read_last_events: () => 'Check the last events of the run.',
  resume_same_prompt: () => 'Resume the session with the same prompt.',

  import_again: () =>
    'Import the folder again once the run has ended. If its process is dead, the run crashed: rerun the job.',
  read_pipeline_files: () => 'Read the files of the run.',
  provide_requirement: ({ command, error }) =>
    `Provide what the error names where the pipeline runs, then ${rerunTask(command)}: ${ended(pipelineError(error))}`,
  declare_profile: ({ command, error }) =>
    `Declare the profile or use a declared one, then ${rerunTask(command)}: ${ended(pipelineError(error))}`,
  fix_source: ({ task }) =>
    `Read the log of ${quoted(oneLine(task), 60)}, fix the step that prepares the source, then rerun the job.`,
  raise_task_limit: ({ command }) =>
    `Read the end of its log. Raise the limit or fix what hangs, then ${rerunTask(command)}.`,
  fix_task: ({ command, start }) =>
    `Fix what the task checks or the task itself; ${start === null ? '' : `${startWords(start)}; `}then ${rerunTask(command)}.`,
  reproduce_task: ({ command, start }) =>
    `To reproduce, ${rerunTask(command)}; ${start === null ? 'start at the end of its log' : startWords(start)}.`,

  check_output_and_effects: () => 'Check its output and its effects. Rerun it if the work is not done.',
  fix_result_writer: () => 'Read the raw result, fix the program that wrote it, then rerun it.',
  compare_attempts: () => 'Compare the attempts and fix what they have in common.',
  compare_with_request: () =>
    'Compare the result with what was asked for, fix the prompt or the contract, then rerun it.',
  fix_pattern: ({ pattern }) =>
    `Fix the pattern ${quoted(oneLine(pattern), 80)}: it is not a valid regular expression, so nothing can match it.`,
  ask_for_pattern: ({ pattern }) =>
    `Ask for a line that matches ${quoted(oneLine(pattern), 80)} in the prompt, or fix the pattern. Then rerun it.`,
  resume_or_raise_limit: () => 'Resume the session. Raise the limit if it stops at the same place again.',
  ask_for_rest: () => 'Resume the session and ask for the remaining work, or rerun it.',
  rerun_lost_answer: () => 'Rerun it: the answer was lost in transit.',
  check_stderr: () => 'Check the end of its stderr, then rerun it.',
  ask_for_lines: () => 'Resume the session and ask only for the missing lines.',
  review_outside_writes: () =>
    'Review and fix what was written outside the working directory, then rerun it.',
  name_files: () => 'Name the files to write in the prompt, then rerun it.',
  rerun_silent: () => 'Rerun it. If it goes silent again, find out what it is waiting for.',
  rerun: () => 'Rerun it.',
  check_recorded_timeout: () =>
    'If the transcript is here, check what it was doing at the end. Raise the time limit or split the task, then rerun it.',
  fix_exception: () => 'Fix the exception where the source runs, then rerun it.',
  check_timeout: ({ timeline }) =>
    `Check ${timeline ? 'the last events' : 'the end of its output'} for what it was doing at the timeout. Raise the limit if it was working; otherwise fix what it was waiting for.`,
  find_killer: ({ signal }) =>
    `Find out who sent ${signal}: ${signal === 'SIGKILL' ? 'the system (out of memory), ' : ''}a job limit or a person. Fix that, then rerun it.`,
  fix_command: ({ command }) =>
    `Install ${quoted(oneLine(command), 80)}, or fix its path or permissions, then rerun it.`,
  run_command_by_hand: ({ command, output }) =>
    `Run ${quoted(oneLine(command), 80)} by hand in the same place.${output ? ' Compare the output with the recorded one.' : ''}`,
  fix_error_above: () => 'Fix the error above, then rerun it.',
  read_output_end: () => 'Read the end of the output.',
}

export const nextStepWords = (step: NextStep): string => textOf(NEXT_STEP_WORDS, step)

const thingName = (thing: string): string => quoted(oneLine(thing), 80)
const stepName = (call: CallRef): string => `step ${quoted(callName(call), 60)}`
const agentMessage = (message: string | null): string =>
  message === null ? '' : `: ${quoted(oneLine(message), 120)}`

/** The last three names of a path. */
const shortPath = (path: string): string => {
  const names = path.split(/[\\/]/).filter((n) => n !== '')
  return names.length <= 3 ? path : names.slice(-3).join('/')
}
const placeName = ({ file, line }: { file: string; line: number }): string =>
  `${oneLine(shortPath(file))} line ${line}`

function startWords({ paths, more }: StartingPoint): string {
  if (paths.length === 0) return 'inputs are unchanged since it last passed, so check everything else'
  const shown = paths.map((path) => quoted(path, 60)).join(', ')
  return `start with what changed since it last passed: ${shown}${more ? ' and more' : ''}`
}
