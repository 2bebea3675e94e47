/**
 * A map that forgets its oldest entries, as plain JSON: it lives in the context of a stream and is stored between parts.
 * Names carry a mark in front, so that no key of a record can mean something to JavaScript.
 */
export interface Memory {
  order: string[]
  values: Record<string, string>
}

export const newMemory = (): Memory => ({ order: [], values: {} })

export const recall = (memory: Memory, key: string): string | null => memory.values[`$${key}`] ?? null

/** Remembers a value; above `max` entries the oldest is forgotten. */
export function remember(memory: Memory, key: string, value: string, max: number): void {
  const name = `$${key}`
  if (memory.values[name] === undefined) {
    memory.order.push(name)
    if (memory.order.length > max) delete memory.values[memory.order.shift()!]
  }
  memory.values[name] = value
}
