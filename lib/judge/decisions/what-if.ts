import { decide, type DecisionFacts } from './decide'
import type { Policy } from './policies'
import { CHANNELS, type Channel } from './vocabulary'
import { editsOf, withChannel, withVerdict, type Change } from './what-if-edits'

/**
 * The facts of an attempt, and what they would have been with another channel or another end: those two decide what is put together out
 * of the output, so they cannot be changed in the facts alone. Made by `gatherWhatIf`, where the output is at hand.
 */
export interface WhatIf {
  actual: DecisionFacts
  /** Left out where the channel is all that differs. */
  byChannel: Partial<Record<Channel, DecisionFacts>>
  /** As if an attempt that was stopped had ended by itself, with exit code 0. */
  ended?: DecisionFacts
  endedByChannel?: Partial<Record<Channel, DecisionFacts>>
}

/** The changes that mean something on top of the chosen ones, each by itself; what is chosen already is not among them. */
export function changesOf(whatIf: WhatIf, chosen: readonly Change[] = []): Change[] {
  const facts = applyChanges(whatIf, chosen)
  const taken = new Set(chosen.map(({ of }) => of))
  return [...endsOf(whatIf), ...channelsOf(whatIf), ...editsOf(facts)].filter(({ of }) => !taken.has(of))
}

/** The facts with the given changes, in whatever order they are given; of those that change the same thing the last counts. */
export function applyChanges(whatIf: WhatIf, changes: readonly Change[]): DecisionFacts {
  const last = new Map(changes.map((change) => [change.of, change]))
  return [...last.values()]
    .sort((one, other) => one.order - other.order)
    .reduce((facts, change) => change.apply(facts), whatIf.actual)
}

const SET_MAX = 4

/**
 * Every smallest set of changes under which the attempt succeeds: the empty one alone when it does so as it is, and no set when it would
 * take more than four. All sets are tried, size by size.
 */
export function smallestSuccess(whatIf: WhatIf, policy: Policy): Change[][] {
  const found: Change[][] = []
  let size = SET_MAX
  for (const base of basesOf(whatIf)) {
    // A pattern that is left missing, or made so, makes every other change vain: they all have to be found.
    const edits = editsOf(applyChanges(whatIf, base))
    const patterns = edits.filter(({ of, id }) => of.startsWith('pattern') && id.endsWith(':found'))
    const start = [...base, ...patterns]
    if (start.length > size) continue
    const others = edits.filter(({ of }) => !of.startsWith('pattern'))
    for (const set of setsOf(others, size - start.length)) {
      const changes = [...start, ...set]
      if (changes.length > size) break
      if (!decide(applyChanges(whatIf, changes), policy).success) continue
      if (changes.length < size) found.length = 0
      size = changes.length
      found.push(changes)
    }
  }
  return found
}

/** The sets of changes that say which facts everything else starts from. */
function basesOf(whatIf: WhatIf): Change[][] {
  const ends = [[], ...endsOf(whatIf).map((change) => [change])]
  const channels = [[], ...channelsOf(whatIf).map((change) => [change])]
  return ends.flatMap((end) => channels.map((channel) => [...end, ...channel]))
}

/** All sets of at most `sizeMax`, the smaller ones first. */
function* setsOf<T>(items: readonly T[], sizeMax: number): Generator<T[]> {
  let last: { set: T[]; next: number }[] = [{ set: [], next: 0 }]
  for (let size = 0; size <= sizeMax && last.length > 0; size++) {
    for (const { set } of last) yield set
    last = last.flatMap(({ set, next }) =>
      items.slice(next).map((item, i) => ({ set: [...set, item], next: next + i + 1 })),
    )
  }
}

const BY_ITSELF = { id: 'ended', of: 'end', message: { id: 'ended_by_itself', params: {} } } as const

function endsOf({ actual: { way }, ended }: WhatIf): Change[] {
  if (ended !== undefined) return [{ ...BY_ITSELF, order: 0, apply: () => ended }]
  if (way.kind !== 'session' || way.verdict.termination !== 'completed') return []
  // Its output is read as it was, so that it can be said of the facts of any channel.
  return [
    {
      ...BY_ITSELF,
      order: 2,
      apply: (facts) =>
        withVerdict(facts, (verdict) => ({ ...verdict, termination: 'natural_exit', exitCode: 0 })),
    },
  ]
}

function channelsOf(whatIf: WhatIf): Change[] {
  const { actual, byChannel, ended, endedByChannel } = whatIf
  const channel = channelIn(actual) ?? (ended === undefined ? null : channelIn(ended))
  // Facts that do not tell their channel depend on it only where others were kept.
  const others = CHANNELS.filter((other) =>
    channel === null ? other in byChannel || other in (endedByChannel ?? {}) : other !== channel,
  )
  return others.map((other) => ({
    id: `channel:${other}`,
    of: 'channel',
    order: 1,
    message: { id: 'channel', params: { channel: other } },
    // Nothing but the end is changed before it, so that the facts are one of two.
    apply: (facts) => (facts === ended ? endedByChannel : byChannel)?.[other] ?? withChannel(facts, other),
  }))
}

const channelIn = ({ way }: DecisionFacts): string | null =>
  way.kind === 'session' || way.kind === 'stale' ? (way.verdict?.channel ?? null) : null
