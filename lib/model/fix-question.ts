/** What a list of fixes is narrowed to; an empty list of values is all. */
export interface FixQuestion {
  states: string[]
  origins: string[]
  safety: string[]
  evidence: string[]
  signals: string[]
}

export const FIX_FACETS = ['state', 'origin', 'safety', 'evidence', 'signal'] as const
export type FixFacet = (typeof FIX_FACETS)[number]

export const SAFETY_VALUES = ['blocked', 'warned', 'clear'] as const

const values = (text: string | null): string[] =>
  [
    ...new Set(
      (text ?? '')
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '' && one.length <= 100),
    ),
  ].slice(0, 20)

/** Reads the address of a list of fixes; never fails, an unknown value finds nothing. */
export const readFixQuestion = (query: URLSearchParams): FixQuestion => ({
  states: values(query.get('state')),
  origins: values(query.get('origin')),
  safety: values(query.get('safety')),
  evidence: values(query.get('evidence')),
  signals: values(query.get('signal')),
})
