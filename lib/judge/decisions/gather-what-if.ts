import { readContract } from './contract-reader'
import type { DecisionFacts } from './decide'
import { gatherer } from './gather-facts'
import type { ParsedStdout } from './parse-stdout'
import type { RunContext } from './run-evidence'
import type { ProcessFacts } from './verdict-facts'
import { CHANNELS, type Channel } from './vocabulary'
import type { WhatIf } from './what-if'
import { withChannel } from './what-if-edits'

/** Ends that an attempt did not come to by itself, and by which its output is read otherwise. */
const STOPPED: ReadonlySet<string> = new Set(['timed_out', 'stale', 'idle_stall'])

/** What is kept of an attempt to see what would have been; see `WhatIf`. */
export function gatherWhatIf(context: RunContext, parsed: ParsedStdout): WhatIf {
  const { exitCode, termination, channel } = context
  const contract = readContract(context)
  const gather = gatherer(context, parsed)
  const factsFor = (process: ProcessFacts): DecisionFacts => gather(process, contract).facts
  const actual = factsFor({ exitCode, termination, channel })
  const byChannel = otherChannels(factsFor, { exitCode, termination, channel }, actual)
  if (!STOPPED.has(termination)) return { actual, byChannel }
  const byItself = { exitCode: 0, termination: 'natural_exit', channel }
  const ended = factsFor(byItself)
  return { actual, byChannel, ended, endedByChannel: otherChannels(factsFor, byItself, ended) }
}

function otherChannels(
  factsFor: (process: ProcessFacts) => DecisionFacts,
  process: ProcessFacts,
  facts: DecisionFacts,
): Partial<Record<Channel, DecisionFacts>> {
  const others = CHANNELS.filter((channel) => channel !== process.channel).map(
    (channel) => [channel, factsFor({ ...process, channel })] as const,
  )
  return Object.fromEntries(
    others.filter(
      ([channel, other]) => JSON.stringify(other) !== JSON.stringify(withChannel(facts, channel)),
    ),
  )
}
