/**
 * A function of an object that works out each answer once, for as long as the object lives. What it reads of the
 * object must not change.
 */
export function memoize<K extends object, V>(of: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { value: V }>()
  return (key) => {
    let held = known.get(key)
    if (held === undefined) known.set(key, (held = { value: of(key) }))
    return held.value
  }
}
