const BASIS_WORDS: Record<string, string> = {
  recorded: 'Recorded by the source',
  recomputed: 'Recomputed by Inquest',
  inferred: 'Inferred by Inquest',
}

/** What a verdict rests on; a basis that only another version knows reads as itself. */
export const basisWords = (basis: string): string => BASIS_WORDS[basis] ?? basis
