/**
 * Facets whose values are kept as marks (`marks.ts`): an execution may have none or, of its failure classes, several.
 * All but attention, the class and the silence of its receipts belong to the decision.
 */
export const MARKED_FACETS = [
  'attention',
  'class',
  'state',
  'reason',
  'help',
  'decided',
  'differs',
  'attempts',
  'silence',
] as const
export type MarkedFacet = (typeof MARKED_FACETS)[number]

/** The fields a list of executions can be filtered by; each is also a facet. */
export const FACETS = ['outcome', 'source', ...MARKED_FACETS, 'repository', 'branch'] as const
export type Facet = (typeof FACETS)[number]

export const isMarked = (facet: string): facet is MarkedFacet =>
  (MARKED_FACETS as readonly string[]).includes(facet)

/**
 * A filter: values of one facet are alternatives, facets and words are all required.
 * `lib/views/executions/filter.ts` reads it from `?q=outcome:failed class:exit_code repository:"a b" "read first"` and writes it back.
 */
export interface ExecutionFilter {
  facets: Record<Facet, string[]>
  /** Free text: each entry is a word or a quoted phrase. */
  words: string[]
}
