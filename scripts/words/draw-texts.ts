/** `count` of the items, drawn without repetition. The same items and seed give the same draw in the same order. */
export function drawTexts<T>(items: readonly T[], seed: number, count: number): T[] {
  const pool = [...items]
  const random = mulberry32(seed)
  const drawn: T[] = []
  while (drawn.length < count && pool.length > 0) {
    const [item] = pool.splice(Math.floor(random() * pool.length), 1)
    drawn.push(item as T)
  }
  return drawn
}

/** Numbers in [0, 1) from a seed of 32 bits. */
function mulberry32(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
