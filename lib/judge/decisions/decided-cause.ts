import { UNKNOWN, type Decision } from './decision'
import { patternReadings, readWhatIf, verdictFactsOf } from './kept'
import { durationWords, timeUpWords } from '../../text/duration'
import { cutAtWord, oneLine } from '../../text/visible'
import type { CauseCategory } from '../../model/cause-categories'
import { CAUSE_CHARS_MAX, sentence } from '../causes/cause-found'
import { lastRun } from './decide-execution'
import { quoted, some } from '../causes/phrases'
import { recordedCause } from './recorded-cause'
import type { ExecutionSummary } from '../../model/summary'
import type { Cause } from '../../model/execution'
import type { RunFact } from '../../model/run-facts'

export type DecidedCause = Cause & { category: CauseCategory }

/**
 * What broke, where it is a decision that says that anything did. The sentence stands in the result record where there is one, else in the
 * record of the process.
 *
 * @see docs/sources/cause.md
 */
export function decidedCause(summary: ExecutionSummary, decision: Decision): DecidedCause {
  const { recorded, result } = summary.evidence
  if (decision.basis === 'recorded' && recorded)
    return { ...recordedCause(recorded.fact, decision), pointer: recorded.pointer }
  const run = lastRun(summary)
  const ended = run && processCause(run.fact, decision)
  if (ended) return { ...ended, pointer: run.pointer }
  return { ...contentCause(decision), pointer: result?.pointer ?? run?.pointer ?? null }
}

type Said = Omit<DecidedCause, 'pointer'>
const said = (category: CauseCategory, text: string): Said => ({
  category,
  text: cutAtWord(text, CAUSE_CHARS_MAX),
})

/** How the process ended, where that is what broke; null where it is what it delivered. */
export function processCause(run: RunFact, decision: Decision): Said | null {
  const { termination, signal, exitCode, stdout, command } = run
  const after = afterWords(run)
  const noResult =
    decision.contentState === UNKNOWN ||
    decision.subtype === 'unparseable' ||
    decision.subtype === 'empty_output'
  const left =
    stdout.bytes === 0
      ? ' It printed nothing.'
      : decision.subtype === 'unparseable'
        ? ' It printed no result.'
        : ''
  const last = oneLine(run.stderrTail.trim().split('\n').at(-1)!)
  const withLast = (category: CauseCategory, text: string): Said => ({
    category,
    text: last === '' ? said(category, text.replace(/\.$/, '')).text : sentence(`${text} Last output`, last),
  })
  if (termination === 'timed_out')
    return withLast('limit', `${timeUpWords(run.timeoutS)}: the process was stopped${after}.${left}`)
  if (termination === 'stale' || termination === 'idle_stall')
    return withLast(
      'process',
      `The run ${termination === 'stale' ? 'went silent' : 'stalled'} and was stopped${after}.${left}`,
    )
  if (signal !== null && noResult)
    return withLast('process', `The process was killed by ${signal}${after}.${left}`)
  if (exitCode === null || exitCode === 0) return null
  if ((exitCode === 127 || exitCode === 126) && noResult)
    return withLast(
      'process',
      `The command ${quoted(command.join(' '), 60)} could not be started (exit code ${exitCode}).`,
    )
  if (noResult) return withLast('process', `The process exited with code ${exitCode}.${left}`)
  return decision.contentState === 'complete'
    ? withLast('process', `The process exited with code ${exitCode}, although its result is complete.`)
    : null
}

/** ` after 15 min 00 s`; nothing when the times do not tell. */
function afterWords({ startedAt, endedAt }: RunFact): string {
  const seconds =
    startedAt === null || endedAt === null ? NaN : (Date.parse(endedAt) - Date.parse(startedAt)) / 1000
  return seconds >= 0 ? ` after ${durationWords(seconds)}` : ''
}

const PATTERNS_NAMED = 2

/** What was delivered, against what was asked for. */
function contentCause(decision: Decision): Said {
  const { contentState, evidence, retryReason, rule, because } = decision
  const facts = readWhatIf(decision.whatIf)?.actual ?? null
  const verdict = facts === null ? null : verdictFactsOf(facts)
  if (rule === 'peer_parse_exception') {
    const why = decision.trace.find((fired) => fired.rule === rule)?.inputs['why']
    return said(
      'result_unreadable',
      `The output cannot be judged: AutoSkillit’s own parser crashes on it${typeof why === 'string' ? ` (${oneLine(why)})` : ''}`,
    )
  }
  // Nothing tells which of the patterns are missing.
  if (rule === 'pattern_engine_differs') return said('contract', because)
  switch (contentState) {
    case 'contract_violation': {
      const patterns = patternReadings(decision, facts)
      const lacking = patterns.filter(({ state }) => state !== 'found')
      const named = lacking
        .slice(0, PATTERNS_NAMED)
        .map(({ pattern }) => quoted(oneLine(pattern), 80))
        .join(' or ')
      const more =
        lacking.length > PATTERNS_NAMED ? ` or ${some(lacking.length - PATTERNS_NAMED, 'more pattern')}` : ''
      return said(
        'contract',
        `The result does not match ${named}${more} (${patterns.length - lacking.length} of ${some(patterns.length, 'expected pattern')} found)`,
      )
    }
    case 'absent': {
      if (verdict?.blank ?? evidence['result_chars'] === 0)
        return said(
          'contract',
          `The result is blank${evidence['exit_code'] === 0 ? ', although the process exited with code 0' : ''}`,
        )
      const marker = `completion marker ${quoted(String(evidence['marker']), 60)}`
      return said(
        'contract',
        retryReason === 'drain_race'
          ? `The result lacks the ${marker}, although ${evidence['channel'] === 'channel_b' ? 'the agent’s own log shows its end (channel B)' : 'a result was seen in the output (channel A)'}: output was lost`
          : `The agent stopped without printing its ${marker}`,
      )
    }
    case 'session_error':
      return said(
        'cli_error',
        `The result record reports an error (subtype ${oneLine(String(evidence['subtype'] ?? decision.subtype))})`,
      )
    default:
      return said(
        rule === 'exit_code' ? 'process' : 'contract',
        because.replace(/ Another try is not asked for\.$/, '').replace(/\.$/, ''),
      )
  }
}
