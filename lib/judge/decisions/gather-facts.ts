import { attemptsInARow, isCut } from './budget'
import type { ContractReader } from './contract-reader'
import type { DecisionFacts } from './decide'
import type { GateFacts } from './gates'
import type { ParsedStdout } from './parse-stdout'
import { contaminatedPath, writeWarnings } from './paths-outside'
import { allFound } from './patterns'
import { strip, truncate } from './python-text'
import { isTruthy, PeerRaises } from './python-values'
import { recoverSession, writeCountOf } from './recover'
import type { RunContext, WriteExpectation } from './run-evidence'
import { exhaustionBy, exhaustionSignsOf, hasBlankResult, resultKindOf, type Session } from './session'
import type { ProcessFacts, VerdictFacts } from './verdict-facts'

/** What a decision is made of, with the texts that belong to the result. */
export interface Gathered {
  facts: DecisionFacts
  /** As the guards see it, after recovery; of a stale attempt that may have ended as it was read; null when none is looked at. */
  session: Session | null
  /** The final text; null when a fixed notice stands for it, or nothing that was said. */
  text(): string | null
  exitCode: number
  warnings: string[]
}

/** Gathers the facts of one attempt, for the process and the contract as they were or as they might have been. */
export type Gather = (process: ProcessFacts, contract: ContractReader) => Gathered

/** What nobody looks at in an attempt that stood still. */
const NO_GATES = { contaminated: null, warnings: 0, writeCount: 0, expectsWrites: false } as const

/**
 * Never throws: where the source of the rules would raise, the way is `crashed`.
 *
 * @see docs/sources/decisions.md
 */
export function gatherer(
  context: Omit<RunContext, keyof ProcessFacts | 'marker' | 'patterns'>,
  parsed: ParsedStdout,
): Gather {
  const budget = {
    maxConsecutiveRetries: context.maxConsecutiveRetries,
    commandIsCut: isCut(context.command),
    earlierInARow:
      Array.isArray(context.history) && context.command !== ''
        ? attemptsInARow(context.history, context.command)
        : null,
  }
  const warnings = writeWarnings(parsed.paths, context.cwd)
  const gates: GateFacts = {
    ...NO_GATES,
    ...budget,
    // What recovery changes is not what the agent said.
    contaminated: contaminatedPath(parsed.session.assistantMessages, context.cwd),
    warnings: warnings.length,
    writeCount: writeCountOf(parsed.session),
  }
  const still = (way: DecisionFacts['way'], exitCode: number, session: Session | null = null): Gathered => ({
    facts: { way, gates: { ...NO_GATES, ...budget } },
    session,
    text: () => null,
    exitCode,
    warnings: [],
  })

  const gatherSession = (process: ProcessFacts, contract: ContractReader): Gathered => {
    const timedOut = process.termination === 'timed_out'
    const exitCode = timedOut ? -1 : process.exitCode
    const { session, steps } = recoverSession(
      timedOut ? timedOutSession(parsed, context) : parsed.session,
      process.channel,
      contract,
    )
    const verdict = factsOf(session, { ...process, exitCode }, contract)
    const text = (): string | null =>
      resultKindOf(verdict) === 'text' ? contract.withoutMarker(truncate(session.result)) : null
    const expectsWrites = isWriteExpected(context.writeExpectation, text, contract)
    return {
      facts: { way: { kind: 'session', recovery: steps, verdict }, gates: { ...gates, expectsWrites } },
      session,
      text,
      exitCode,
      warnings,
    }
  }

  return (process, contract) => {
    if (process.termination === 'idle_stall') return still({ kind: 'idle_stall' }, process.exitCode)
    try {
      if (parsed.raises !== null) throw new PeerRaises(parsed.raises)
      if (process.termination !== 'stale') return gatherSession(process, contract)
      return still(
        { kind: 'stale', verdict: staleFacts(parsed.session, process, contract) },
        process.exitCode,
        parsed.session,
      )
    } catch (error) {
      if (!(error instanceof PeerRaises)) throw error
      return still({ kind: 'crashed', why: error.message }, -1, parsed.session)
    }
  }
}

/** @throws PeerRaises where the source of the rules would */
export function factsOf(
  session: Session,
  { exitCode, termination, channel }: ProcessFacts,
  contract: ContractReader,
): VerdictFacts {
  const { result, subtype } = session
  const text = strip(result)
  const isError = isTruthy(session.isError)
  const exhaustionSigns = exhaustionSignsOf(session)
  const markerInResult = contract.holdsMarker(result)
  return {
    exitCode,
    termination,
    channel,
    subtype,
    isError,
    blank: text === '',
    exhaustion: exhaustionBy(exhaustionSigns, { isError, subtype }),
    exhaustionSigns,
    markerSet: contract.markerSet,
    markerInResult,
    markerInText: markerInResult && contract.holdsMarker(text),
    onlyMarker: contract.holdsNothingElse(result),
    patterns: contract.find(text),
  }
}

/** Blank output tells nothing; of other output only a success is doubted. */
function timedOutSession(
  { session, blank }: ParsedStdout,
  { transportSessionId, channelBSessionId }: Pick<RunContext, 'transportSessionId' | 'channelBSessionId'>,
): Session {
  if (blank)
    return {
      ...session,
      subtype: 'timeout',
      isError: true,
      sessionId: transportSessionId || channelBSessionId,
    }
  return session.subtype === 'success' ? { ...session, subtype: 'timeout', isError: true } : session
}

/** Judged as if it had completed, and without its patterns; null when it cannot have ended. */
function staleFacts(session: Session, process: ProcessFacts, contract: ContractReader): VerdictFacts | null {
  const mayHaveEnded = session.subtype === 'success' && !hasBlankResult(session) && !isTruthy(session.isError)
  return mayHaveEnded
    ? factsOf(
        session,
        { ...process, termination: 'completed' },
        { ...contract, patterns: [], find: () => [] },
      )
    : null
}

function isWriteExpected(
  expectation: WriteExpectation | null,
  text: () => string | null,
  contract: ContractReader,
): boolean {
  if (expectation?.mode === 'always') return true
  return (
    expectation?.mode === 'conditional' &&
    expectation.expectedWhen.length > 0 &&
    allFound(contract.findOthers(expectation.expectedWhen, text() ?? ''))
  )
}
