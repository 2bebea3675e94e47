import type { ContractReader } from './contract-reader'
import { allFound } from './patterns'
import { strip } from './python-text'
import { step, type RuleStep } from '../../model/rule-step'
import { isChannelRecoverable, isComplete, type Session } from './session'
import { WRITE_TOOLS } from './vocabulary'

/** A pattern that asks for a line `word = /…`, whatever it wants of the path; its word. */
const PATH_PATTERN = /^([\p{L}\p{N}_]+)\\s\*=\\s\*\/./u

export interface Recovered {
  session: Session
  steps: RuleStep[]
}

/**
 * Puts together an answer that the agent gave but the result record does not hold, as the source does before it judges. The given session
 * is not changed.
 */
export function recoverSession(given: Session, channel: string, contract: ContractReader): Recovered {
  const { marker, patterns } = contract
  const holdsAll = (text: string): boolean => allFound(contract.find(text))
  const steps: RuleStep[] = []
  let session = given
  const takeMessages = (): boolean => {
    const joined = joinedBehindMarker(session, contract)
    if (joined === null) return false
    steps.push(
      step(
        'recovery',
        'recover:separate_marker',
        {
          marker,
          messages: session.assistantMessages.length,
          chars_before: session.result.length,
          chars_after: joined.length,
        },
        'the result is replaced by what the agent said',
      ),
    )
    session = { ...session, result: joined }
    return true
  }

  if (
    (channel === 'channel_b' || channel === 'dir_missing') &&
    isChannelRecoverable(session.subtype) &&
    contract.markerSet
  ) {
    const inputs = { subtype: session.subtype, messages: session.assistantMessages.length }
    if (takeMessages()) {
      session = { ...session, subtype: 'success', isError: false }
      steps.push(step('recovery', `recover:${channel}_promoted`, inputs, 'read as a success'))
    } else if (channel === 'dir_missing')
      steps.push(step('recovery', 'recover:dir_missing_failed', inputs, 'none'))
  }
  if (isComplete(session) && contract.markerSet) takeMessages()

  const lacks = (): boolean => isComplete(session) && patterns.length > 0 && !holdsAll(strip(session.result))
  if (channel !== 'unmonitored' && lacks()) {
    const joined = joinedMessages(session.assistantMessages)
    if (session.assistantMessages.length > 0 && holdsAll(joined)) {
      steps.push(
        step(
          'recovery',
          'recover:pattern_block',
          { patterns, messages: session.assistantMessages.length },
          'what the agent said is added to the result',
        ),
      )
      session = { ...session, result: session.result === '' ? joined : `${session.result}\n\n${joined}` }
    }
  }
  if (channel === 'unmonitored' && writeCountOf(session) > 0 && lacks()) {
    const lines = synthesisedLines(session, contract)
    if (lines.length > 0) {
      steps.push(
        step(
          'recovery',
          'recover:artifact_synthesis',
          { lines, writes: writeCountOf(session) },
          'lines made from calls are put in front of the result: synthetic',
        ),
      )
      session = { ...session, result: `${lines.join('\n')}\n${session.result}` }
    }
  }
  return { session, steps }
}

/** Calls of tools that count as writing, in or out of the working directory. */
export const writeCountOf = ({ toolUses }: Pick<Session, 'toolUses'>): number =>
  toolUses.filter(({ name }) => typeof name === 'string' && WRITE_TOOLS.has(name)).length

const joinedByMessages = new WeakMap<readonly string[], string>()

/** All the agent said; remembered, since a session is recovered again for each way in which it might have ended. */
export function joinedMessages(messages: readonly string[]): string {
  const joined = joinedByMessages.get(messages) ?? messages.join('\n\n')
  joinedByMessages.set(messages, joined)
  return joined
}

/** All the agent said, when the marker is alone in some message and something besides it is left. */
function joinedBehindMarker({ assistantMessages }: Session, contract: ContractReader): string | null {
  if (!contract.standsAloneIn(assistantMessages)) return null
  const joined = joinedMessages(assistantMessages)
  return contract.holdsNothingElse(joined) ? null : joined
}

/** A line for each path that was asked for and is not there, naming the file that was written last. */
function synthesisedLines({ toolUses, result }: Session, contract: ContractReader): string[] {
  const path = toolUses
    .map(({ filePath }) => filePath)
    .findLast((one): one is string => typeof one === 'string' && one.startsWith('/'))
  if (path === undefined) return []
  return contract.findPlainly(result).flatMap(({ pattern, state }) => {
    const word = state === 'found' ? undefined : PATH_PATTERN.exec(pattern)?.[1]
    return word === undefined ? [] : [`${word} = ${path}`]
  })
}
