/** Sentences of pages that are not in a component. */
export const pageText = {
  description: 'Why agent runs failed, down to the raw records.',
}
