import type { After } from './advise-failure'
import type { WorkedAttempt } from './merge-calls'
import type { HeldStream, Place } from './merge-streams'

/** Words of a person or of the agent, with their place. */
export interface Words {
  place: Place
  text: string
}

/** How many further results may stand between a failure and the words that are taken for the agent's answer to it: parallel calls come together. */
const ANSWERED_WITHIN = 8

/** Things of each stream in its order; sorted when first asked, because most runs are never asked. */
const inStreams = <T>(all: readonly T[], placeOf: (one: T) => Place): ((stream: HeldStream) => readonly T[]) => {
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

/** Index of the first thing behind an offset, by halving. */
const firstAfter = <T>(list: readonly T[], offset: number, placeOf: (one: T) => Place): number => {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (placeOf(list[middle]!).offset > offset) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * What a person and the agent said next after a call, in the same stream; the agent only before the person's next words, and soon.
 * And what a person said last between two calls.
 */
export function afterOf(
  prompts: readonly Words[],
  sayings: readonly Words[],
  attempts: readonly WorkedAttempt[],
): { after: (a: WorkedAttempt) => After; saidBetween: (from: WorkedAttempt, to: WorkedAttempt) => string | null } {
  const place = (one: { place: Place }): Place => one.place
  const lastPlace = (a: WorkedAttempt): Place => a.lastPlace
  const byPerson = inStreams(prompts, place)
  const byAgent = inStreams(sayings, place)
  const results = inStreams(attempts, lastPlace)
  const saidBetween = ({ lastPlace: from }: WorkedAttempt, { lastPlace: to }: WorkedAttempt): string | null => {
    if (from.stream !== to.stream) return null
    const last = byPerson(to.stream)[firstAfter(byPerson(to.stream), to.offset, place) - 1]
    return last && last.place.offset > from.offset ? last.text : null
  }
  const after = ({ lastPlace: { stream, offset } }: WorkedAttempt): After => {
    const person = byPerson(stream)[firstAfter(byPerson(stream), offset, place)]
    const agent = byAgent(stream)[firstAfter(byAgent(stream), offset, place)]
    const done = results(stream)
    const between = agent ? firstAfter(done, agent.place.offset, lastPlace) - firstAfter(done, offset, lastPlace) : 0
    const answers = agent !== undefined && between <= ANSWERED_WITHIN && (person === undefined || agent.place.offset < person.place.offset)
    return { person: person?.text ?? null, agent: answers ? agent.text : null }
  }
  return { after, saidBetween }
}
