/** The fields a list of executions can be filtered by; each is also a facet. */
export const FACETS = ['outcome', 'source', 'class', 'repository', 'branch'] as const
export type Facet = (typeof FACETS)[number]

/**
 * A filter: values of one facet are alternatives, facets and words are all required.
 * `lib/executions/filter.ts` reads it from `?q=outcome:failed class:exit_code repository:"a b" "read first"` and writes it back.
 */
export interface ExecutionFilter {
  facets: Record<Facet, string[]>
  /** Free text: each entry is a word or a quoted phrase. */
  words: string[]
}
