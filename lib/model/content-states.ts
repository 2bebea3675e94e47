/** Between the content states of one word: the evidence leaves open which of them it is. */
const OR = '|'

/** One word for what the content state is, or for what it can be. */
export const contentStateWord = (states: readonly string[]): string => states.join(OR)

/** The content states that a word leaves open; of a known one, it alone. */
export const contentStatesOf = (word: string): string[] => word.split(OR)
