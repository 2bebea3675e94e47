/** A place in a document: the key or index below another place; null is its root. */
export type Path = { up: Path; token: string | number } | null

export function tokensOf(path: Path): (string | number)[] {
  const tokens: (string | number)[] = []
  for (let at = path; at !== null; at = at.up) tokens.push(at.token)
  return tokens.reverse()
}

/** The RFC 6901 pointer to a place. */
export const pointerOf = (tokens: readonly (string | number)[]): string =>
  tokens.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
