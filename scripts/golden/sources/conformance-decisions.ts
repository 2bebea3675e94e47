import { join } from 'node:path'
import { readContract } from '@/lib/judge/decisions/contract-reader'
import { factsOf } from '@/lib/judge/decisions/gather-facts'
import { POLICIES, type Policy } from '@/lib/judge/decisions/policies'
import { concludeVerdict } from '@/lib/judge/decisions/verdict'
import { judgeRun } from '@/lib/formats/claude/run-verdict'
import { readResultRecord } from '@/lib/formats/claude/result-record'
import { lineOf } from '@/lib/formats/claude/testing/fold'
import { readCases } from '../../conformance/read-cases'
import {
  evidenceOf,
  processOf,
  sessionOf,
  type EndToEndCase,
  type OutcomeCase,
} from '../../conformance/suites/content-state'
import { noConclusions, type Conclusions, type PolicyVerdictRow } from '../product-rows'
import { hasShared, sharedFolder, type Source } from './source'
import { judgeAttempt, parseStdout } from '@/lib/judge/decisions/testing/whole-output'

const casesOf = <Case>(path: string): Case[] => readCases<Case>(join(sharedFolder, path))

/** A source of recorded cases that needs no database. */
const ofCases = <Case>(path: string, add: (found: Conclusions, one: Case) => void): Source => ({
  name: path,
  conclude: async () => {
    const found = noConclusions()
    for (const one of casesOf<Case>(path)) add(found, one)
    return found
  },
})

/** What code of today throws to say that its original would have raised; that it raises is the answer. */
const RAISES = {
  contentState: null,
  outcome: 'failed',
  success: false,
  needsRetry: false,
  retryReason: 'none',
  subtype: 'raises',
  trace: [],
} as const

function underEachPolicy(
  of: string,
  verdictOf: (policy: Policy) => Omit<PolicyVerdictRow, 'of' | 'policy'>,
): PolicyVerdictRow[] {
  return POLICIES.map((policy) => ({ of, policy: policy.name, ...verdictOf(policy) }))
}

const outcome = ofCases<OutcomeCase>('conformance/content-state/outcome.jsonl', (found, { id, input }) => {
  const contract = readContract({ marker: input.completion_marker, patterns: input.expected_output_patterns })
  const facts = factsOf(sessionOf(input), processOf(input), contract)
  found.policyVerdict.push(...underEachPolicy(id, (policy) => concludeVerdict(facts, policy)))
})

interface ParseCase {
  id: string
  input: { stdout: string }
}

const parse = ofCases<ParseCase>('conformance/content-state/parse.jsonl', (found, { id, input }) => {
  const { session, raises } = parseStdout(input.stdout)
  const { subtype, isError, exhaustedFlag, toolUses, errors, result, sessionId, assistantMessages } = session
  const answer = {
    raises: raises !== null,
    subtype,
    isError,
    exhaustedFlag,
    tools: toolUses.length,
    errors: Array.isArray(errors) ? errors.length : null,
    result: typeof result === 'string' ? result : null,
    sessionId,
    messages: assistantMessages.length,
  }
  found.answer.push({ of: id, operation: 'parse_stdout', answer })
})

const endToEnd = ofCases<EndToEndCase>('conformance/content-state/e2e.jsonl', (found, one) => {
  found.policyVerdict.push(
    ...underEachPolicy(one.id, (policy) => {
      const judged = judgeAttempt(evidenceOf(one.input), policy)
      return 'decided' in judged ? judged.decided : RAISES
    }),
  )
})

interface SignalCase {
  id: string
  input: { exit_code: number; result_event: Record<string, unknown> | null }
}

const failureSignal = ofCases<SignalCase>(
  'conformance/failure-signal/cases.jsonl',
  (found, { id, input: { exit_code: exitCode, result_event: record } }) => {
    const { failed, kind, detail } = judgeRun(
      exitCode,
      record === null ? null : readResultRecord(record, lineOf(record), { wrong: [] }),
    )
    found.failureSignal.push({
      of: id,
      failed,
      kind,
      exitCode: detail !== null && 'exitCode' in detail ? detail.exitCode : null,
    })
  },
)

export const decisionSources: readonly Source[] = hasShared ? [outcome, parse, endToEnd, failureSignal] : []
