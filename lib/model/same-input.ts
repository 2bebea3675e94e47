const kindOf = (digest: string): string => digest.slice(0, digest.indexOf(':') + 1)

/** Digest of an unknown input, such as that of a call known only from a receipt without `parameters_hash`. */
export const NO_INPUT = ''

/**
 * Whether two calls had the same input, by its digests; null where that is not known: no digest was recorded (empty), or they are of two kinds,
 * as a receipt (`sha256:…` over its canonical form) and a transcript have them.
 */
export const isSameInput = (a: string, b: string): boolean | null =>
  a === NO_INPUT || b === NO_INPUT || kindOf(a) !== kindOf(b) ? null : a === b
