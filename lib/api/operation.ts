import { z } from 'zod'
import type { Action } from '../auth/permissions'
import { FACETS } from '../model/filter-types'
import { limits } from '../limits'
import { links } from '../links'

/** One endpoint of the API, as data: the OpenAPI page is made of these, and a test pairs them with the handlers. */
export interface Operation {
  method: 'get' | 'post' | 'patch' | 'delete'
  /** With `{name}` for each parameter. */
  path: string
  /** What it needs; null: no one need be known. */
  action: Action | null
  /** Who may call it where no action says so. */
  needs?: string
  summary: string
  query?: Record<string, z.ZodType>
  /** Names of `query` that may not be left out. */
  required?: readonly string[]
  headers?: Record<string, z.ZodType>
  /** A JSON body, or `bytes` for one of any kind. */
  body?: z.ZodType | 'bytes'
  answers: Record<number, z.ZodType | 'bytes' | 'events' | 'metrics' | 'html'>
}

export const v1 = (rest: string): string => `${links.api.root()}/${rest}`
export const project = z
  .string()
  .meta({ description: 'slug; all projects the caller may read when left out' })
export const target = z.string().meta({
  description: 'slug of the project it goes to; may be left out when there is one, or one called `default`',
})
export const q = z
  .string()
  .max(limits.filterCharsMax)
  .meta({
    description: `filter: words, "quoted phrases" and facet:value (${FACETS.join(', ')}); words are looked for by their letters and digits, one without any is left out; attempts also as >1 to >4`,
  })
const cursor = z.string().meta({ description: '`nextCursor` of the page before' })
const limit = z
  .int()
  .min(1)
  .max(limits.pageRowsMax)
  .meta({ description: `rows of the page; ${limits.pageRows} when left out` })
/** Several words with commas between them; none: all. */
export const someOf = (words: readonly string[]): z.ZodString =>
  z.string().regex(new RegExp(`^,*(?:(?:${words.join('|')})(?:,+|$))*$`))
export const paged = { cursor, limit }
/** @param charsMax characters after decoding; encoded, each may take up to nine */
export const encoded = ({ description, charsMax }: { description: string; charsMax: number }): z.ZodType =>
  z
    .string()
    .max(charsMax * 9)
    .meta({ description: `${description}, percent-encoded; at most ${charsMax} characters` })
/** A number of bytes, as headers and addresses may name it. */
export const byteNumber = z.int().min(0).max(999_999_999_999_999)
export const done = z.object({ id: z.string() })
