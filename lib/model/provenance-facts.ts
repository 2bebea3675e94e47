/** The links from the failure to the result of the fix, in order. */
export const PROVENANCE_LINKS = [
  'execution',
  'failure',
  'context-pack',
  'base',
  'hook',
  'agent',
  'policy',
  'budget',
  'workspace',
  'transcript',
  'patch',
  'verification',
  'findings',
  'reviews',
  'application',
  'follow-ups',
] as const
export type ProvenanceLinkName = (typeof PROVENANCE_LINKS)[number]

/** Who says so. `recorded`: the source or this server wrote it down; `computed`: follows from bytes that are kept. */
export const PROVENANCE_ORIGINS = ['recorded', 'by the proposer', 'computed', 'unknown'] as const
export type ProvenanceOrigin = (typeof PROVENANCE_ORIGINS)[number]

/** A value of JSON: plain, or with names. */
export type ProvenanceValue =
  | string
  | number
  | boolean
  | null
  | readonly ProvenanceValue[]
  | { readonly [name: string]: ProvenanceValue }

export interface ProvenanceFact {
  name: string
  /** Null where nothing is known; `origin` is `unknown` then. */
  value: ProvenanceValue
  /** Digest of the bytes that it is about, or is in. */
  sha256: string | null
  origin: ProvenanceOrigin
}

export interface ProvenanceLink {
  link: ProvenanceLinkName
  facts: ProvenanceFact[]
}
