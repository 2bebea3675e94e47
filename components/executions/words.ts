import type { EventItem } from '@/lib/api/schemas'
import { failureWords } from '@/lib/attempts/failure-words'
import type { Counts } from '@/lib/executions/types'
import type { Facet } from '@/lib/executions/filter-types'
import { codeWords } from '@/lib/text/code-words'
import { formatCount, plural } from '../shared/format'

export const FACET_WORDS: Record<Facet, string> = {
  outcome: 'Outcome',
  source: 'Source',
  class: 'Failure class',
  repository: 'Repository',
  branch: 'Branch',
}

const BASIS_WORDS: Record<string, string> = {
  recorded: 'Recorded by the source',
  recomputed: 'Recomputed by Inquest',
  inferred: 'Inferred by Inquest',
}
export const basisWords = (basis: string): string => BASIS_WORDS[basis] ?? basis

const RETRY_WORDS: Record<string, string> = {
  helped: 'A retry helped',
  'could-help': 'A retry could help',
  'cannot-help': 'A retry cannot help',
  unknown: 'Not known whether a retry could help',
}
const retryWords = (retry: string): string => RETRY_WORDS[retry] ?? retry
/** The answer to "could a retry have helped?", in the words of the advice where it has its own. */
export const verdictWords = ({ verdict, retry }: { verdict?: string; retry: string }): string => verdict ?? retryWords(retry)

const ODD_WORDS: Record<string, string> = {
  not_json: 'not JSON',
  not_an_object: 'not a JSON object',
  too_deep: 'nested too deep',
  invalid_utf8: 'not UTF-8',
  no_session: 'names no session',
  wrong_type: 'a field of the wrong type',
  gap: 'bytes before it are missing',
}
/** Why a record is odd. */
export const oddWords = (reason: string): string => ODD_WORDS[reason] ?? codeWords(reason)

/** The line of a record for lists, with the words of its failure in place of the code; a record without a line says what it is. */
export function summaryWords(record: Pick<EventItem, 'summary' | 'type' | 'failed' | 'oddReason'>): { text: string; code: string | null } {
  const { summary, type, oddReason } = record
  const failure = record.failed ? /^(.*?) failed \(([a-z_]+)\): ?(.*)$/s.exec(summary) : null
  if (failure) {
    const [, tool = '', failureClass = '', errorText = ''] = failure
    return { text: `${tool} failed (${failureWords({ tool, failureClass, errorText })}): ${errorText}`, code: failureClass }
  }
  return {
    text: summary || type || (oddReason === null ? 'A record without a type' : `Not understood: ${oddWords(oddReason)}`),
    code: null,
  }
}

const DOOR_WORDS: Record<string, string> = {
  transcript: 'transcript',
  stream: 'output stream',
  hook: 'hook frames',
  result: 'result record',
}
export const doorWords = (door: string): string => DOOR_WORDS[door] ?? door

const RULE_WORDS: Record<string, string> = {
  same_target: 'same tool, same target',
  same_loose_target: 'same tool, same first words',
  same_input: 'same input',
  asserted: 'said by the source',
}
export const linkRuleWords = (rule: string): string => RULE_WORDS[rule] ?? codeWords(rule)

const SMALL = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const small = (n: number): string => SMALL[n] ?? formatCount(n)

/** The counts as one sentence: "3 of 41 calls failed; all three were repeated with success". */
export function countsSentence(
  counts: Pick<Counts, 'calls' | 'failedCalls' | 'chains' | 'recoveredChains' | 'callsWithoutResult'>,
): string {
  const { calls, failedCalls, chains, recoveredChains, callsWithoutResult } = counts
  if (calls === 0) return 'No tool was called'
  const parts: string[] = []
  if (failedCalls === 0) parts.push(calls === 1 ? 'The only call did not fail' : `None of ${formatCount(calls)} calls failed`)
  else {
    parts.push(`${formatCount(failedCalls)} of ${plural(calls, 'call')} failed`)
    if (chains > 0) parts.push(failedCalls === chains ? eachRepeated(chains, recoveredChains) : inChains(chains, recoveredChains))
  }
  if (callsWithoutResult > 0) parts.push(`${plural(callsWithoutResult, 'call')} ${callsWithoutResult === 1 ? 'has' : 'have'} no result`)
  return parts.join('; ')
}

/** For a narrow column, below the failed calls: of how many the same call had success later, each piece of work counted once. */
export function laterWords({ chains, recoveredChains }: Pick<Counts, 'chains' | 'recoveredChains'>): string {
  if (recoveredChains === 0) return chains === 1 ? 'did not work later' : 'none worked later'
  if (recoveredChains < chains) return `${formatCount(recoveredChains)} of ${formatCount(chains)} worked later`
  return chains === 1 ? 'worked later' : 'all worked later'
}

function eachRepeated(chains: number, recovered: number): string {
  if (recovered === 0) return chains === 1 ? 'it was not repeated with success' : 'none was repeated with success'
  if (recovered < chains) return `${small(recovered)} of them ${recovered === 1 ? 'was' : 'were'} repeated with success`
  return chains === 1
    ? 'it was repeated with success'
    : chains === 2
      ? 'both were repeated with success'
      : `all ${small(chains)} were repeated with success`
}

function inChains(chains: number, recovered: number): string {
  const where = `in ${plural(chains, 'chain')}`
  if (recovered === 0) return `${where}, ${chains === 1 ? 'which did not end' : 'none of which ended'} in success`
  if (recovered < chains) return `${where}, ${small(recovered)} of which ended in success`
  return `${where}, ${chains === 1 ? 'which ended' : chains === 2 ? 'both of which ended' : 'all of which ended'} in success`
}
