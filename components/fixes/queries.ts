import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { FixFit } from '@/lib/api/fit-schemas'
import type { FixComment, FixDetail, FixFile, FixFlag, FixItem, FixProvenance } from '@/lib/api/fix-schemas'
import type { Page } from '@/lib/api/schemas'
import type { FileRows } from '@/lib/fixes/diff-rows'
import type { ColourRange } from '@/lib/fixes/line-pieces'
import type { Grammar } from '@/lib/fixes/syntax'
import { limits } from '@/lib/limits'
import { links } from '@/lib/links'
import { getJson, ProblemError, readProblem } from '../shared/get-json'
import { askWorker } from './ask-worker'

/** The first page comes with what each facet holds. */
type FixPage = Page<FixItem> & { facets?: Record<string, { value: string; count: number }[]> | null }

const root = ['fixes'] as const
const READ_MS = 60_000
/** What is read of a patch that is shown as text. */
export const PATCH_TEXT_BYTES = 256 * 1024
const COLOUR_MS = 4_000
const bytesOf = { staleTime: Infinity, gcTime: 5 * 60_000, retry: 1, refetchOnWindowFocus: false } as const

/** Every key and every read of this domain. */
export const fixQueries = {
  root: () => root,
  detail: (id: string) =>
    queryOptions({ queryKey: [...root, 'detail', id] as const, queryFn: ({ signal }) => getJson<FixDetail>(links.api.fix(id), signal) }),
  /** Read again each second while a check is on its way. */
  fit: (id: string) =>
    queryOptions({
      queryKey: [...root, 'fit', id] as const,
      queryFn: ({ signal }) => getJson<FixFit>(links.api.ofFix(id, 'fit'), signal),
      refetchInterval: ({ state: { data } }) => (data?.standing === 'waiting' || data?.standing === 'running' ? 1_000 : false),
    }),
  /** All files by pages; the first ones come with the fix. */
  files: (id: string) =>
    infiniteQueryOptions({
      queryKey: [...root, 'files', id] as const,
      initialPageParam: null as string | null,
      queryFn: ({ signal, pageParam }) => getJson<Page<FixFile>>(links.api.ofFix(id, 'files', { cursor: pageParam, limit: String(limits.pageRowsMax) }), signal),
      getNextPageParam: (page: Page<FixFile>) => page.nextCursor,
      ...bytesOf,
    }),
  /** All flags by pages; the first ones come with the fix. A patch that is read by other rules has others. */
  flags: (id: string, rules: string) =>
    infiniteQueryOptions({
      queryKey: [...root, 'flags', id, rules] as const,
      initialPageParam: null as string | null,
      queryFn: ({ signal, pageParam }) => getJson<Page<FixFlag>>(links.api.ofFix(id, 'flags', { cursor: pageParam, limit: String(limits.pageRowsMax) }), signal),
      getNextPageParam: (page: Page<FixFlag>) => page.nextCursor,
      ...bytesOf,
    }),
  comments: (id: string) =>
    queryOptions({
      queryKey: [...root, 'comments', id] as const,
      queryFn: async ({ signal }) => {
        const items: FixComment[] = []
        for (let cursor: string | null = null; ;) {
          const page: Page<FixComment> = await getJson<Page<FixComment>>(links.api.ofFix(id, 'comments', { cursor }), signal)
          items.push(...page.items)
          cursor = page.nextCursor
          if (cursor === null) return items
        }
      },
    }),
  /** Without the bytes. Another one when the fix has changed. */
  provenance: ({ id, version, changedAt }: Pick<FixDetail, 'id' | 'version' | 'changedAt'>) =>
    queryOptions({
      queryKey: [...root, 'provenance', id, version, changedAt] as const,
      queryFn: ({ signal }) => getJson<FixProvenance>(links.api.ofFix(id, 'provenance', { bytes: 'none' }), signal),
      placeholderData: (before) => before,
    }),
  viewed: (id: string) =>
    queryOptions({ queryKey: [...root, 'viewed', id] as const, queryFn: async ({ signal }) => (await getJson<{ viewed: string[] }>(links.api.ofFix(id, 'viewed'), signal)).viewed }),
  /** The beginning of a patch as text, with signs for what is no UTF-8. */
  text: (id: string) =>
    queryOptions({
      queryKey: [...root, 'text', id] as const,
      queryFn: async ({ signal }): Promise<string> => {
        const response = await fetch(links.api.ofFix(id, 'patch', { start: '0', end: String(PATCH_TEXT_BYTES) }), { signal })
        if (!response.ok) throw new ProblemError(await readProblem(response))
        return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer())
      },
      ...bytesOf,
    }),
  /** The rows of one file, read out of the bytes of the patch by a worker. A patch never changes. */
  rows: (id: string, file: FixFile) =>
    queryOptions({
      queryKey: [...root, 'rows', id, file.ordinal] as const,
      queryFn: async ({ signal }): Promise<FileRows> =>
        (await askWorker({
          kind: 'rows', firstLine: file.line, address: new URL(links.api.ofFix(id, 'patch', { start: String(file.byteStart), end: String(file.byteEnd) }), window.location.origin).href,
        }, signal, READ_MS)).rows,
      ...bytesOf,
    }),
  /** Colours by line of the patch. A file that takes long stays plain. */
  colours: (id: string, file: FixFile, grammar: Grammar, rows: FileRows) =>
    queryOptions({
      queryKey: [...root, 'colours', id, file.ordinal] as const,
      queryFn: async ({ signal }): Promise<Map<number, ColourRange[]>> => {
        const sides = rows.hunks.flatMap((hunk) => [hunk.rows.filter((row) => row.kind !== 'added'), hunk.rows.filter((row) => row.kind !== 'deleted')])
        const texts = sides.map((side) => ({ lines: side.map((row) => row.text) }))
        const { colours } = await askWorker({ kind: 'colours', grammar, texts }, signal, COLOUR_MS)
        return new Map(sides.flatMap((side, index) => side.map((row, at) => [row.line, colours[index]?.[at] ?? []] as const)))
      },
      ...bytesOf,
      retry: false,
    }),
  ofExecution: (id: string) =>
    queryOptions({ queryKey: [...root, 'execution', id] as const, queryFn: async ({ signal }) => (await getJson<Page<FixItem>>(links.api.executionFixes(id), signal)).items }),
  list: (search: string) =>
    infiniteQueryOptions({
      queryKey: [...root, 'list', search] as const,
      initialPageParam: null as string | null,
      queryFn: ({ signal, pageParam }) => {
        const params = Object.fromEntries(new URLSearchParams(search))
        return getJson<FixPage>(links.api.fixes({ ...params, cursor: pageParam }), signal)
      },
      getNextPageParam: (page: FixPage) => page.nextCursor,
    }),
}
