/** One session that continues from another. */
export interface Resumed {
  session: string
  from: string
}

/** The chain that a session is in: named by its first session, and where it comes there. */
export interface ResumePlace {
  first: string
  /** ISO 8601. Behind whatever it continues from, although a forked session holds copies that are as old. */
  sortAt: string
}

/**
 * Sorts sessions that continue from one another into chains: whatever hangs together is one. The first session is the one that continues from none; of
 * several, and of none where sessions continue from each other in a ring, the first by name, so that the order in which they came does not matter.
 *
 * @param times start of each session that is known
 * @see docs/sources/attempts.md#chains
 */
export function resumeChains(
  links: readonly Resumed[],
  times: ReadonlyMap<string, string>,
): Map<string, ResumePlace> {
  const sessions = new Set(links.flatMap(({ session, from }) => [session, from]))
  const none = (): Map<string, string[]> => new Map([...sessions].map((key) => [key, []]))
  const [before, after] = [none(), none()]
  for (const { session, from } of links) {
    before.get(session)!.push(from)
    after.get(from)!.push(session)
  }
  const sortAt = orderInTime(before, after, times)
  const places = new Map<string, ResumePlace>()
  for (const key of sessions) {
    if (places.has(key)) continue
    const chain = hangingOn(key, before, after)
    const firsts = chain.filter((one) => before.get(one)!.length === 0)
    const first = (firsts.length > 0 ? firsts : chain).sort()[0]!
    for (const one of chain) places.set(one, { first, sortAt: sortAt.get(one)! })
  }
  return places
}

type Neighbours = ReadonlyMap<string, readonly string[]>

function hangingOn(key: string, before: Neighbours, after: Neighbours): string[] {
  const found = new Set([key])
  for (const one of found) for (const next of [...before.get(one)!, ...after.get(one)!]) found.add(next)
  return [...found]
}

/** Each session a moment behind those it continues from, at the earliest; sessions of a ring are at their own time. */
function orderInTime(
  before: Neighbours,
  after: Neighbours,
  times: ReadonlyMap<string, string>,
): Map<string, string> {
  const sortAt = new Map([...before.keys()].map((key) => [key, times.get(key) ?? new Date(0).toISOString()]))
  const waiting = new Map([...before].map(([key, from]) => [key, from.length]))
  const ready = [...before.keys()].filter((key) => waiting.get(key) === 0)
  for (const key of ready) {
    const next = new Date(Date.parse(sortAt.get(key)!) + 1).toISOString()
    for (const one of after.get(key)!) {
      if (sortAt.get(one)! < next) sortAt.set(one, next)
      waiting.set(one, waiting.get(one)! - 1)
      if (waiting.get(one) === 0) ready.push(one)
    }
  }
  return sortAt
}
