import { contentStateOf } from '@/lib/judge/decisions/content-state'
import { readContract } from '@/lib/judge/decisions/contract-reader'
import { factsOf } from '@/lib/judge/decisions/gather-facts'
import { createStdoutParser } from '@/lib/judge/decisions/parse-stdout'
import { PeerRaises } from '@/lib/judge/decisions/python-values'
import { recoverSession } from '@/lib/judge/decisions/recover'
import type { VerdictFacts } from '@/lib/judge/decisions/verdict-facts'
import { recordEndText } from '@/lib/words/cli/record-end'

/** How the output of a run meets its contract. */
export interface ContractFinding {
  broken: boolean
  /** What the operator reads. */
  text: string | null
}

export interface ContractJudge {
  /** The next bytes of standard output, cut anywhere. */
  push(bytes: Uint8Array): void
  /** @param run.plain it printed no records: all that it printed is its answer */
  finish(run: {
    exitCode: number
    channel: 'channel_a' | 'unmonitored'
    hasResult: boolean
    plain: boolean
  }): ContractFinding
}

const KEPT: ContractFinding = { broken: false, text: null }
const broken = (text: string): ContractFinding => ({ broken: true, text })

/**
 * Compares the final text with the marker and the patterns that were asked for, by the content state of the recovered session, which is the one
 * that a decision sees. A text that is absent or lacks something breaks the contract, and so does the output of an agent without any result
 * record; an error that the agent itself reports does not: that is what `cli-status` is for.
 *
 * @see docs/sources/record.md
 */
export function judgeContract(contract: { marker: string; patterns: readonly string[] }): ContractJudge {
  const parser = createStdoutParser()
  const reader = readContract(contract)
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return {
    push: (bytes) => parser.push(decoder.decode(bytes, { stream: true })),
    finish({ exitCode, channel, hasResult, plain }) {
      parser.push(decoder.decode())
      const parsed = parser.finish()
      if (!hasResult && !plain) return broken(recordEndText.noResultRecord)
      if (parsed.tooLong) return broken(recordEndText.outputTooLong)
      try {
        if (parsed.raises !== null && !plain) throw new PeerRaises(parsed.raises)
        const answer = plain ? { ...parsed.session, subtype: 'success', isError: false } : parsed.session
        const process = { exitCode, channel, termination: 'natural_exit' }
        const { session } = recoverSession(answer, channel, reader)
        return read(factsOf(session, process, reader), contract.marker)
      } catch (error) {
        if (!(error instanceof PeerRaises)) throw error
        return broken(recordEndText.outputNotChecked({ reason: error.message }))
      }
    },
  }
}

function read(facts: VerdictFacts, marker: string): ContractFinding {
  switch (contentStateOf(facts)) {
    case 'absent':
      return broken(facts.blank ? recordEndText.emptyResult : recordEndText.markerMissing({ marker }))
    case 'contract_violation': {
      const missing = facts.patterns.filter(({ state }) => state !== 'found')
      return broken(
        recordEndText.patternsMissing({
          missing: missing.map(({ pattern, state }) =>
            state === 'missing' ? pattern : `${pattern} (${WORDS[state]})`,
          ),
        }),
      )
    }
    default:
      return KEPT
  }
}

const WORDS: Record<string, string> = {
  invalid: 'not a regular expression',
  differs: 'unsupported pattern',
}
