import type { Json } from './probe'

/** A document of the API. */
export type Document = Record<string, Json>

export const pick = (document: Document, names: readonly string[]): Document =>
  Object.fromEntries(names.map((name) => [name, document[name] ?? null]))
export const without = (document: Document, names: readonly string[]): Document =>
  Object.fromEntries(Object.entries(document).filter(([name]) => !names.includes(name)))
export const part = (value: Json | undefined, names: readonly string[]): Json =>
  value ? pick(value as Document, names) : null
export const list = (value: Json | undefined): Document[] => (value ?? []) as Document[]
