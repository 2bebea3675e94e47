import { firstAfter } from '../../text/first-after'
import type { WorkedCall } from '../calls/merge-calls'
import type { HeldStream, Place } from '../calls/merge-streams'

/** What the record holds about the time after a failure. */
export interface After {
  /** The next words of a person. */
  person: string | null
  /** The next words of the agent, when they come soon. */
  agent: string | null
}

/** Words of a person or of the agent, with their place. */
export interface Words {
  place: Place
  text: string
}

/**
 * How many further results may be between a failure and the words that are taken for the agent's answer to it: parallel calls come
 * together.
 */
const ANSWERED_WITHIN = 8

/** Things of each stream in its order; sorted when first asked, because most runs are never asked. */
const inStreams = <T>(
  all: readonly T[],
  placeOf: (one: T) => Place,
): ((stream: HeldStream) => readonly T[]) => {
  let streams: Map<HeldStream, T[]> | null = null
  return (stream) => {
    if (!streams) {
      streams = new Map()
      for (const one of all) {
        const list = streams.get(placeOf(one).stream)
        if (list) list.push(one)
        else streams.set(placeOf(one).stream, [one])
      }
      for (const list of streams.values()) list.sort((a, b) => placeOf(a).offset - placeOf(b).offset)
    }
    return streams.get(stream) ?? []
  }
}

/**
 * What a person and the agent said next after a call, in the same stream; the agent only before the person's next words, and soon.
 * And what a person said last between two calls.
 */
export function afterOf(
  prompts: readonly Words[],
  sayings: readonly Words[],
  calls: readonly WorkedCall[],
): {
  after: (a: WorkedCall) => After
  saidBetween: (from: WorkedCall, to: WorkedCall) => string | null
} {
  const offsetOf = (one: { place: Place }): number => one.place.offset
  const endOf = (a: WorkedCall): number => a.lastPlace.offset
  const byPerson = inStreams(prompts, (one) => one.place)
  const byAgent = inStreams(sayings, (one) => one.place)
  const results = inStreams(calls, (a) => a.lastPlace)
  const saidBetween = ({ lastPlace: from }: WorkedCall, { lastPlace: to }: WorkedCall): string | null => {
    if (from.stream !== to.stream) return null
    const last = byPerson(to.stream)[firstAfter(byPerson(to.stream), to.offset, offsetOf) - 1]
    return last && last.place.offset > from.offset ? last.text : null
  }
  const after = ({ lastPlace: { stream, offset } }: WorkedCall): After => {
    const person = byPerson(stream)[firstAfter(byPerson(stream), offset, offsetOf)]
    const agent = byAgent(stream)[firstAfter(byAgent(stream), offset, offsetOf)]
    const done = results(stream)
    const between = agent ? firstAfter(done, agent.place.offset, endOf) - firstAfter(done, offset, endOf) : 0
    const answers =
      agent !== undefined &&
      between <= ANSWERED_WITHIN &&
      (person === undefined || agent.place.offset < person.place.offset)
    return { person: person?.text ?? null, agent: answers ? agent.text : null }
  }
  return { after, saidBetween }
}
