import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { FixFit } from '@/lib/api/fit-schemas'
import type { FixLink, FixProvenance } from '@/lib/api/fix-schemas'
import type { FileRows } from '@/lib/views/fixes/diff-rows'
import type { Interdiff } from '@/lib/views/fixes/interdiff'
import type { ColourRange } from '@/lib/views/fixes/line-pieces'
import type { Grammar } from '@/lib/views/fixes/syntax'
import { limits } from '@/lib/limits'
import { links } from '@/lib/links'
import { getJson, ProblemError, readProblem } from '../shared/get-json'
import { askWorker } from './ask-worker'
import type { AskedPart } from './diff-worker'
import type { Page } from '@/lib/model/page'
import type { FixComment, FixDetail, FixFile, FixFlag, FixItem } from '@/lib/model/fix'

/** The first page comes with what each facet holds. */
type FixPage = Page<FixItem> & { facets?: Record<string, { value: string; count: number }[]> | null }

const root = ['fixes'] as const
const READ_MS = 60_000
/** What is read of a patch that is shown as text. */
export const PATCH_TEXT_BYTES = 256 * 1024
const COLOUR_MS = 4_000
const bytesOf = { staleTime: Infinity, gcTime: 5 * 60_000, retry: 1, refetchOnWindowFocus: false } as const

/** The items of all pages, one after the other, up to about `max` of them. */
async function allOf<Item>(
  address: (cursor: string | null) => string,
  signal: AbortSignal,
  max = Infinity,
): Promise<Item[]> {
  const items: Item[] = []
  for (let cursor: string | null = null; ; ) {
    const page: Page<Item> = await getJson<Page<Item>>(address(cursor), signal)
    items.push(...page.items)
    cursor = page.nextCursor
    if (cursor === null || items.length >= max) return items
  }
}

const partOf = (id: string, { line, byteStart, byteEnd }: FixFile): AskedPart => ({
  firstLine: line,
  address: new URL(
    links.api.ofFix(id, 'patch', { start: String(byteStart), end: String(byteEnd) }),
    window.location.origin,
  ).href,
})

/** Every key and every read of this domain. */
export const fixQueries = {
  root: () => root,
  detail: (id: string) =>
    queryOptions({
      queryKey: [...root, 'detail', id] as const,
      queryFn: ({ signal }) => getJson<FixDetail>(links.api.fix(id), signal),
    }),
  /** Read again each second while a check is on its way. */
  fit: (id: string) =>
    queryOptions({
      queryKey: [...root, 'fit', id] as const,
      queryFn: ({ signal }) => getJson<FixFit>(links.api.ofFix(id, 'fit'), signal),
      refetchInterval: ({ state: { data } }) =>
        data?.standing === 'waiting' || data?.standing === 'running' ? 1_000 : false,
    }),
  /** All files by pages; the first ones come with the fix. */
  files: (id: string) =>
    infiniteQueryOptions({
      queryKey: [...root, 'files', id] as const,
      initialPageParam: null as string | null,
      queryFn: ({ signal, pageParam }) =>
        getJson<Page<FixFile>>(
          links.api.ofFix(id, 'files', { cursor: pageParam, limit: String(limits.pageRowsMax) }),
          signal,
        ),
      getNextPageParam: (page: Page<FixFile>) => page.nextCursor,
      ...bytesOf,
    }),
  /** All flags by pages; the first ones come with the fix. A patch that is read by other rules has others. */
  flags: (id: string, rules: string) =>
    infiniteQueryOptions({
      queryKey: [...root, 'flags', id, rules] as const,
      initialPageParam: null as string | null,
      queryFn: ({ signal, pageParam }) =>
        getJson<Page<FixFlag>>(
          links.api.ofFix(id, 'flags', { cursor: pageParam, limit: String(limits.pageRowsMax) }),
          signal,
        ),
      getNextPageParam: (page: Page<FixFlag>) => page.nextCursor,
      ...bytesOf,
    }),
  /** Those that are compared with the files of another version. */
  comparedFiles: (id: string) =>
    queryOptions({
      queryKey: [...root, 'compared-files', id] as const,
      queryFn: ({ signal }) =>
        allOf<FixFile>(
          (cursor) => links.api.ofFix(id, 'files', { cursor, limit: String(limits.pageRowsMax) }),
          signal,
          limits.versionFilesMax,
        ),
      ...bytesOf,
    }),
  /** Without the bytes. Another one when the fix has changed. */
  provenance: ({ id, version, changedAt }: Pick<FixDetail, 'id' | 'version' | 'changedAt'>) =>
    queryOptions({
      queryKey: [...root, 'provenance', id, version, changedAt] as const,
      queryFn: ({ signal }) =>
        getJson<FixProvenance>(links.api.ofFix(id, 'provenance', { bytes: 'none' }), signal),
      placeholderData: (before) => before,
    }),
  /** Also of the versions whose place it took. */
  comments: (id: string) =>
    queryOptions({
      queryKey: [...root, 'comments', id] as const,
      queryFn: ({ signal }) =>
        allOf<FixComment>((cursor) => links.api.ofFix(id, 'comments', { cursor, versions: 'all' }), signal),
    }),
  /** For reviewers: share links with their downloads, newest first. */
  links: (id: string) =>
    queryOptions({
      queryKey: [...root, 'links', id] as const,
      queryFn: async ({ signal }) =>
        (await getJson<Page<FixLink>>(links.api.ofFix(id, 'links'), signal)).items,
    }),
  viewed: (id: string) =>
    queryOptions({
      queryKey: [...root, 'viewed', id] as const,
      queryFn: async ({ signal }) =>
        (await getJson<{ viewed: string[] }>(links.api.ofFix(id, 'viewed'), signal)).viewed,
    }),
  /** The beginning of a patch as text, with signs for what is no UTF-8. */
  text: (id: string) =>
    queryOptions({
      queryKey: [...root, 'text', id] as const,
      queryFn: async ({ signal }): Promise<string> => {
        const response = await fetch(
          links.api.ofFix(id, 'patch', { start: '0', end: String(PATCH_TEXT_BYTES) }),
          { signal },
        )
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
        (await askWorker({ kind: 'rows', part: partOf(id, file) }, signal, READ_MS)).rows,
      ...bytesOf,
    }),
  /** What a later version makes otherwise of one file; a version that does not have it leaves it as in the base. */
  interdiff: (earlier: { id: string; file: FixFile | null }, later: { id: string; file: FixFile | null }) =>
    queryOptions({
      queryKey: [
        ...root,
        'interdiff',
        earlier.id,
        earlier.file?.ordinal,
        later.id,
        later.file?.ordinal,
      ] as const,
      queryFn: async ({ signal }): Promise<Interdiff> => {
        const [before, after] = [earlier, later].map(({ id, file }) => file && partOf(id, file)) as [
          AskedPart | null,
          AskedPart | null,
        ]
        return (await askWorker({ kind: 'interdiff', before, after }, signal, READ_MS)).rows
      },
      ...bytesOf,
    }),
  /** Colours by the number of a row, of what the query of the key has read. A file that takes long stays plain. */
  colours: (of: readonly unknown[], grammar: Grammar, rows: FileRows) =>
    queryOptions({
      queryKey: [...of, 'colours'] as const,
      queryFn: async ({ signal }): Promise<Map<number, ColourRange[]>> => {
        const sides = rows.hunks.flatMap((hunk) => [
          hunk.rows.filter((row) => row.kind !== 'added'),
          hunk.rows.filter((row) => row.kind !== 'deleted'),
        ])
        const texts = sides.map((side) => ({ lines: side.map((row) => row.text) }))
        const { colours } = await askWorker({ kind: 'colours', grammar, texts }, signal, COLOUR_MS)
        return new Map(
          sides.flatMap((side, index) =>
            side.map((row, at) => [row.line, colours[index]?.[at] ?? []] as const),
          ),
        )
      },
      ...bytesOf,
      retry: false,
    }),
  ofExecution: (id: string) =>
    queryOptions({
      queryKey: [...root, 'execution', id] as const,
      queryFn: async ({ signal }) =>
        (await getJson<Page<FixItem>>(links.api.executionFixes(id), signal)).items,
    }),
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
