/**
 * Index of the first thing whose place is behind `place`, by halving; the length of the list when there is none.
 *
 * @param list in the order of its places
 */
export function firstAfter<T>(list: readonly T[], place: number, placeOf: (one: T) => number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (placeOf(list[middle]!) > place) high = middle
    else low = middle + 1
  }
  return low
}
