/** A stretch of time in epoch milliseconds; a moment has `to === from`. */
export interface Stretch {
  from: number
  to: number
}

export interface TimeScale {
  /** Place of a moment between 0 and 1; moments outside are put at the ends. */
  place: (at: number) => number
  /** The moment at a place; inside a cut it is one within the idle stretch. */
  moment: (place: number) => number
  /** Idle stretches that were drawn narrow: where, and how long they really are. */
  cuts: { from: number; to: number; ms: number }[]
  from: number
  to: number
}

/** Width of a cut, as a share of the busy time. */
const CUT_SHARE = 0.03

/**
 * Maps time to width. Agents wait for people for hours between two seconds of work; with a linear axis all work would be a hairline.
 * Idle stretches longer than `idleMs` are therefore drawn narrow, and reported so that the picture can say so.
 * `Infinity` gives the plain linear axis.
 */
export function timeScale(stretches: readonly Stretch[], idleMs: number): TimeScale {
  const busy = joinStretches(stretches, idleMs)
  if (busy.length === 0) return { place: () => 0, moment: () => 0, cuts: [], from: 0, to: 0 }
  const busyMs = busy.reduce((sum, s) => sum + (s.to - s.from), 0)
  const cutMs = Math.max(1, busyMs * CUT_SHARE)
  const knots: { at: number; width: number }[] = []
  let width = 0
  busy.forEach((s, index) => {
    if (index > 0) width += cutMs
    knots.push({ at: s.from, width })
    width += s.to - s.from
    knots.push({ at: s.to, width })
  })
  const total = Math.max(1, width)
  const place = (at: number): number => between(knots, 'at', 'width', at) / total
  return {
    place,
    moment: (p) => between(knots, 'width', 'at', p * total),
    cuts: busy
      .slice(1)
      .map((s, index) => ({ from: place(busy[index]!.to), to: place(s.from), ms: s.from - busy[index]!.to })),
    from: busy[0]!.from,
    to: busy.at(-1)!.to,
  }
}

/** Sorted stretches without overlap; those nearer than `idleMs` to each other are one. */
export function joinStretches(stretches: readonly Stretch[], idleMs: number): Stretch[] {
  const sorted = stretches
    .filter((s) => Number.isFinite(s.from) && Number.isFinite(s.to) && s.to >= s.from)
    .sort((a, b) => a.from - b.from)
  const joined: Stretch[] = []
  for (const s of sorted) {
    const last = joined.at(-1)
    if (last && s.from - last.to <= idleMs) last.to = Math.max(last.to, s.to)
    else joined.push({ ...s })
  }
  return joined
}

function between(
  knots: { at: number; width: number }[],
  x: 'at' | 'width',
  y: 'at' | 'width',
  value: number,
): number {
  const first = knots[0]!
  if (value <= first[x]) return first[y]
  for (let i = 1; i < knots.length; i++) {
    const a = knots[i - 1]!
    const b = knots[i]!
    if (value > b[x]) continue
    return b[x] === a[x] ? b[y] : a[y] + ((value - a[x]) / (b[x] - a[x])) * (b[y] - a[y])
  }
  return knots.at(-1)![y]
}
