/** How much of an execution can be found by free text, and how long one word may be. */
const TOKENS_MAX = 200
const TOKEN_CHARS_MAX = 64

const WORD = /[\p{L}\p{N}]+/gu

const clip = (word: string): string => [...word].slice(0, TOKEN_CHARS_MAX).join('')

function* wordsOf(text: string): Generator<string> {
  // Compatibility forms and case are folded so that what looks the same is found the same.
  for (const match of text.normalize('NFKC').toLowerCase().matchAll(WORD)) yield clip(match[0])
}

/**
 * The words an execution can be found by: letters and digits of any script, lower case, each once, in the order of the texts, at most
 * 200 of 64 characters. Put what matters most first.
 */
export function searchTokens(texts: readonly string[]): string[] {
  const tokens = new Set<string>()
  for (const text of texts)
    for (const word of wordsOf(text.slice(0, 20_000))) {
      if (tokens.size >= TOKENS_MAX) return [...tokens]
      tokens.add(word)
    }
  return [...tokens]
}

/** The same for what a reader typed: every token must be the start of a word of the execution. */
export const queryTokens = (words: readonly string[]): string[] => searchTokens(words)
