import type { ExecutionItem } from '@/lib/api/schemas'
import { links } from '@/lib/links'

/**
 * Where a pasted text leads: an address of this server → its path; an address of another server that has our shape → the same
 * path here is not assumed, its id is looked up; anything that could be an id → the finder. Null for words.
 */
export function targetOf(text: string, origin: string): string | null {
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (/^https?:\/\//i.test(trimmed)) {
    if (!URL.canParse(trimmed)) return null
    const url = new URL(trimmed)
    if (url.origin === origin) return `${url.pathname}${url.search}${url.hash}`
    return null
  }
  if (/^\/(executions|chains|policies|x|ci|settings|problems)(\/|\?|$)/.test(trimmed)) return trimmed
  // Ids have no blanks, and either a digit or a separator: words are for the filter. Of what has a colon only these are ids, the rest are facets.
  return /^\S{4,512}$/.test(trimmed) &&
    /\d/.test(trimmed) &&
    (!/[:"]/.test(trimmed) || /^(urn|sha256):[^"]*$/i.test(trimmed))
    ? links.anyId(trimmed)
    : null
}

/** What was found by a text, apart where the text is its very id: that is what was asked for, the rest only resembles it. */
export function splitFound<E extends Pick<ExecutionItem, 'id' | 'externalId'>>(
  found: readonly E[],
  text: string,
): { named: E[]; alike: E[] } {
  const isNamed = (one: E): boolean => one.id === text || one.externalId === text
  return { named: found.filter(isNamed), alike: found.filter((one) => !isNamed(one)) }
}
