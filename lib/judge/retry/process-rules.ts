import { decisiveLine, isErrorLike } from '../../text/decisive-line'
import { messageText } from '../message-text'
import type { DecidedFacts } from './decided-facts'
import { noParams } from './no-params'
import { answer, type RunRules } from './run-answer'
import type { RunFact } from '../../model/run-facts'

/** The process whose end is what broke, as its recorder saw it; null where a source recorded its own verdict. */
const brokenRun = ({ category, basis, run }: DecidedFacts): RunFact | null =>
  basis !== 'recorded' && (category === 'process' || category === 'limit') ? run : null

const isSilent = ({ stderrTail }: RunFact): boolean => stderrTail.trim() === ''
/** Of what it printed at all, no line says that anything went wrong. */
const saysNothing = ({ stderrTail, stdoutTail = '' }: RunFact): boolean =>
  stderrTail.trim() === '' && !isErrorLike(decisiveLine(stdoutTail)?.text ?? '')
const commandOf = ({ command }: RunFact): string => messageText(command.join(' '))
const isNotRun = (code: number | null): code is 126 | 127 => code === 126 || code === 127

/** Failures of the process itself, which another attempt may or may not meet again. */
export const PROCESS_RULES: RunRules<DecidedFacts> = [
  {
    id: 'recorded_timeout',
    when: ({ category, basis, subtype }) =>
      category !== null && basis === 'recorded' && subtype === 'timeout',
    verdict: answer('unclear', { id: 'check_recorded_timeout', params: {} }),
    params: noParams,
  },
  {
    id: 'recorded_crash',
    when: ({ category, basis, subtype }) =>
      category !== null && basis === 'recorded' && subtype === 'crashed',
    verdict: answer('unclear', { id: 'fix_exception', params: {} }),
    params: noParams,
  },
  {
    id: 'process_timeout',
    when: (facts) => brokenRun(facts)?.termination === 'timed_out',
    verdict: (facts) =>
      answer('unclear', {
        id: 'check_timeout',
        params: { timeline: brokenRun(facts)!.stdout.kind !== null },
      }),
    params: noParams,
  },
  {
    id: 'process_killed',
    when: (facts) => (brokenRun(facts)?.signal ?? null) !== null,
    verdict: (facts) =>
      answer('unclear', { id: 'find_killer', params: { signal: brokenRun(facts)!.signal! } }),
    params: (facts) => ({ lastOutput: !isSilent(brokenRun(facts)!) }),
  },
  {
    id: 'command_not_run',
    when: (facts) => isNotRun(brokenRun(facts)?.exitCode ?? null),
    verdict: (facts) =>
      answer('wont_help', { id: 'fix_command', params: { command: commandOf(brokenRun(facts)!) } }),
    params: (facts) => ({ exitCode: brokenRun(facts)!.exitCode as 126 | 127 }),
  },
  {
    id: 'exit_without_stderr',
    when: (facts) => {
      const run = brokenRun(facts)
      return run !== null && saysNothing(run)
    },
    verdict: (facts) => {
      const run = brokenRun(facts)!
      const params = { command: commandOf(run), output: run.stdout.bytes !== 0 }
      return answer('unclear', { id: 'run_command_by_hand', params })
    },
    params: noParams,
  },
  {
    id: 'exit_with_stderr',
    when: (facts) => brokenRun(facts) !== null,
    verdict: answer('unclear', { id: 'fix_error_above', params: {} }),
    params: noParams,
  },
]
