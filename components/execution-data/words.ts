import type { EventItem } from '@/lib/api/schemas'
import { classWords, failureWords } from '@/lib/words/failures'
import type { Counts } from '@/lib/model/execution'
import { retryReasonWords } from '@/lib/words/decision-values'
import type { Facet } from '@/lib/model/filter-types'
import { oddWords } from '@/lib/words/odd-records'
import { codeWords } from '@/lib/text/code-words'
import { formatCount, plural } from '../shared/format'
import { stateWord } from '../shared/glyphs'

export const FACET_WORDS: Record<Facet, string> = {
  outcome: 'Outcome',
  attention: 'Needs attention',
  source: 'Source',
  class: 'Failure class',
  state: 'Content state',
  reason: 'Retry reason',
  help: 'Would a retry help',
  decided: 'Decided by',
  differs: 'Recorded vs recomputed',
  attempts: 'Attempts',
  silence: 'Receipt problems',
  repository: 'Repository',
  branch: 'Branch',
}

/** Short words that continue where the name of the facet ends; a value that is not here is shown as itself. */
const VALUE_WORDS: Partial<Record<Facet, Record<string, string>>> = {
  help: { helped: 'Helped', 'could-help': 'May help', 'cannot-help': "Won't help", unknown: 'Unclear' },
  decided: { recorded: 'The source', recomputed: 'Recomputation', inferred: 'Inference' },
  differs: { yes: 'Differ' },
  attempts: { '5+': '5 or more' },
  silence: {
    broken: 'Chain broken',
    gap: 'Receipts missing',
    dropped: 'Events lost',
    retry: 'Retry without a failure',
    disagrees: 'Failure reported as success',
    unanswered: 'No answer',
    unproven: 'Not proven',
  },
}
/** What a value of a facet is called wherever one filters by it. */
export function valueWords(facet: Facet, value: string): string {
  if (facet === 'class') return classWords(value)
  if (facet === 'state') return stateWord(value)
  return facet === 'reason' ? retryReasonWords(value) : (VALUE_WORDS[facet]?.[value] ?? value)
}

/** The line of a record for lists, with the words of its failure; a record without a line says what it is. */
export function summaryWords(record: Pick<EventItem, 'summary' | 'type' | 'failureClass' | 'oddReason'>): {
  text: string
  code: string | null
} {
  const { summary, type, failureClass, oddReason } = record
  // Lines of older versions hold the code of the class.
  const failure = failureClass === null ? null : /^([^:]*?) failed(?: \([a-z_]+\))?: ?(.*)$/s.exec(summary)
  if (failure && failureClass !== null) {
    const [, tool = '', errorText = ''] = failure
    return {
      text: `${tool} failed (${failureWords({ tool, failureClass, errorText })}): ${errorText}`,
      code: failureClass,
    }
  }
  return {
    text:
      summary ||
      type ||
      (oddReason === null ? 'A record without a type' : `Not understood: ${oddWords(oddReason)}`),
    code: null,
  }
}

const INPUT_CHANNEL_WORDS: Record<string, string> = {
  transcript: 'transcript',
  stream: 'output stream',
  hook: 'hook frames',
  record: 'record of the process',
  log: 'session log',
  receipt: 'receipt',
  rows: 'event log',
  result: 'result record',
  list: 'list of runs',
  detail: 'document of the run',
  status: 'status document',
  table: 'table of runs',
  pipeline: 'run folder',
}
export const inputChannelWords = (channel: string): string => INPUT_CHANNEL_WORDS[channel] ?? channel

const RULE_WORDS: Record<string, string> = {
  same_target: 'same tool, same target',
  same_loose_target: 'same tool, same first words',
  same_input: 'same input',
  asserted: 'stated by the source',
  named_chain: 'linked by --chain',
  resumed_session: 'resumed sessions',
  ci_run_attempts: 'attempts of one CI run',
  same_ci_job_command: 'same job and command of one CI run',
  same_pipeline_job_task: 'same pipeline, job and task',
  same_kitchen_order_step_command: 'same kitchen, order, step and command',
}
export const linkRuleWords = (rule: string): string => RULE_WORDS[rule] ?? codeWords(rule)

const MADE_WORDS: Record<string, string> = {
  resumed_session: 'an earlier session was resumed',
  ci_run_attempts: 'CI reran the job',
  same_pipeline_job_task: 'the job was rerun',
}
/** Why an attempt was made that nobody asked for in so many words; null where the rule of its chain does not say. */
export const attemptMadeWords = (rule: string): string | null => MADE_WORDS[rule] ?? null

const SMALL = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const small = (n: number): string => SMALL[n] ?? formatCount(n)

/** The counts as one sentence: "3 of 41 calls failed; all three fixed on retry". */
export function countsSentence(
  counts: Pick<Counts, 'calls' | 'failedCalls' | 'chains' | 'recoveredChains' | 'callsWithoutResult'>,
): string {
  const { calls, failedCalls, chains, recoveredChains, callsWithoutResult } = counts
  if (calls === 0) return 'No tool was called'
  const parts: string[] = []
  if (failedCalls === 0)
    parts.push(calls === 1 ? 'The only call did not fail' : `None of ${formatCount(calls)} calls failed`)
  else {
    parts.push(`${formatCount(failedCalls)} of ${plural(calls, 'call')} failed`)
    if (chains > 0)
      parts.push(
        failedCalls === chains ? eachRepeated(chains, recoveredChains) : inChains(chains, recoveredChains),
      )
  }
  if (callsWithoutResult > 0)
    parts.push(`${plural(callsWithoutResult, 'call')} ${callsWithoutResult === 1 ? 'has' : 'have'} no result`)
  return parts.join('; ')
}

/** For a narrow column, below the failed calls: of how many the same call had success later, each piece of work counted once. */
export function laterWords({ chains, recoveredChains }: Pick<Counts, 'chains' | 'recoveredChains'>): string {
  if (recoveredChains === 0) return chains === 1 ? 'no later success' : 'none worked later'
  if (recoveredChains < chains)
    return `${formatCount(recoveredChains)} of ${formatCount(chains)} worked later`
  return chains === 1 ? 'worked later' : 'all worked later'
}

function eachRepeated(chains: number, recovered: number): string {
  if (recovered === 0) return chains === 1 ? 'not fixed on retry' : 'none fixed on retry'
  if (recovered < chains) return `${small(recovered)} fixed on retry`
  return `${chains === 1 ? '' : chains === 2 ? 'both ' : `all ${small(chains)} `}fixed on retry`
}

function inChains(chains: number, recovered: number): string {
  return `${plural(chains, 'problem')}, ${eachRepeated(chains, recovered)}`
}
