import type { CauseMessages, PrintedNothing } from '../../model/messages/cause'
import type { RunFact } from '../../model/run-facts'
import { isErrorLike } from '../../text/decisive-line'
import { oneLine } from '../../text/visible'
import { blamed, type CauseTable } from '../causes/cause-found'
import { lineOf } from '../calls/call-ref'
import { messageText } from '../message-text'
import { UNKNOWN, type Decision } from './decision'

interface ProcessFacts {
  run: RunFact
  decision: Decision
}

/** It printed no records, so that how it ended says more than what it printed. */
const isPlain = ({ run: { stdout } }: ProcessFacts): boolean => stdout.kind === null

const hasNoResult = (facts: ProcessFacts): boolean => {
  const { contentState, subtype } = facts.decision
  return (
    contentState === UNKNOWN ||
    subtype === 'unparseable' ||
    subtype === 'empty_output' ||
    (contentState !== 'complete' && isPlain(facts))
  )
}

const exitOf = ({ run: { exitCode } }: ProcessFacts): number => exitCode ?? 0

function printed({ run, decision }: ProcessFacts): PrintedNothing {
  if (run.stdout.bytes === 0) return 'nothing'
  return decision.subtype === 'unparseable' ? 'no_result' : null
}

/** The line of its output that says why, the most error-like and not the last; else the last of standard error. */
function decisiveOutput({ run }: ProcessFacts): string {
  const line = lineOf(`${run.stdoutTail ?? ''}\n${run.stderrTail}`)
  return messageText(isErrorLike(line) ? line : lastLineOf(run.stderrTail))
}

const lastLineOf = (text: string): string => oneLine(text.trim().split('\n').at(-1)!)

/** Null when the times do not tell. */
function secondsOf({ run: { startedAt, endedAt } }: ProcessFacts): number | null {
  const seconds =
    startedAt === null || endedAt === null ? NaN : (Date.parse(endedAt) - Date.parse(startedAt)) / 1000
  return seconds >= 0 ? seconds : null
}

const processEnd = (facts: ProcessFacts) => ({
  afterS: secondsOf(facts),
  printed: printed(facts),
  // Of a process that was stopped, what it wrote last says what it was doing.
  lastOutput: decisiveOutput(facts) || messageText(lastLineOf(facts.run.stdoutTail ?? '')),
})

const failed = (facts: ProcessFacts, resultComplete: boolean): CauseMessages['process_failed'] => ({
  exitCode: exitOf(facts),
  resultComplete,
  printed: resultComplete ? null : printed(facts),
  lastOutput: decisiveOutput(facts),
})

/** How the process ended, where that is what broke. */
export const PROCESS_CAUSES: CauseTable<
  ProcessFacts,
  'process_timed_out' | 'process_silent' | 'process_killed' | 'command_not_started' | 'process_failed'
> = [
  {
    id: 'process_timed_out',
    when: ({ run }) => run.termination === 'timed_out',
    verdict: blamed('limit'),
    params: (facts) => ({ limitS: facts.run.timeoutS ?? null, ...processEnd(facts) }),
  },
  {
    id: 'process_silent',
    when: ({ run }) => run.termination === 'stale' || run.termination === 'idle_stall',
    verdict: blamed('process'),
    params: (facts) => ({ stalled: facts.run.termination === 'idle_stall', ...processEnd(facts) }),
  },
  {
    id: 'process_killed',
    when: (facts) => facts.run.signal !== null && hasNoResult(facts),
    verdict: blamed('process'),
    params: (facts) => ({ signal: messageText(facts.run.signal!), ...processEnd(facts) }),
  },
  {
    id: 'command_not_started',
    when: (facts) => (exitOf(facts) === 127 || exitOf(facts) === 126) && hasNoResult(facts),
    verdict: blamed('process'),
    params: (facts) => ({
      command: messageText(facts.run.command.join(' ')),
      exitCode: exitOf(facts),
      lastOutput: decisiveOutput(facts),
    }),
  },
  {
    id: 'process_failed',
    when: (facts) => exitOf(facts) !== 0 && hasNoResult(facts),
    verdict: blamed('process'),
    params: (facts) => failed(facts, false),
  },
  {
    id: 'process_failed',
    when: (facts) => exitOf(facts) !== 0 && facts.decision.contentState === 'complete',
    verdict: blamed('process'),
    params: (facts) => failed(facts, true),
  },
]
