/**
 * Whether the last write that failed did so because the disk is full. Each bundled route is a module graph of its own, so
 * they meet at a registered symbol.
 */
const KEY = Symbol.for('inquest.store-full')
const holder = globalThis as { [KEY]?: boolean }

export const noteStoreFull = (): void => void (holder[KEY] = true)
export const wasStoreFull = (): boolean => holder[KEY] === true
export const forgetStoreFull = (): void => void (holder[KEY] = false)
