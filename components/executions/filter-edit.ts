import { FACETS, type ExecutionFilter, type Facet } from '@/lib/model/filter-types'

export interface Term {
  facet: Facet | null
  value: string
}

/** Every single condition of a filter, in the order the query writes them. */
export const termsOf = (filter: ExecutionFilter): Term[] => [
  ...FACETS.flatMap((facet) => filter.facets[facet].map((value) => ({ facet, value }))),
  ...filter.words.map((value) => ({ facet: null, value })),
]

/** Adds the term when it is missing, takes it out when it is there. The given filter stays as it is. */
export function toggleTerm(filter: ExecutionFilter, { facet, value }: Term): ExecutionFilter {
  const flip = (values: string[]): string[] =>
    values.includes(value) ? values.filter((v) => v !== value) : [...values, value]
  return facet === null
    ? { facets: filter.facets, words: flip(filter.words) }
    : { facets: { ...filter.facets, [facet]: flip(filter.facets[facet]) }, words: filter.words }
}
