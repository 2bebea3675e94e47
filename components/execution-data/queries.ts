import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { DecisionDocument } from '@/lib/api/decision-schemas'
import type { RunDiagnosisDocument } from '@/lib/api/diagnosis-schemas'
import type { ParityDocument } from '@/lib/api/parity-schemas'
import type { ReceiptChainItem } from '@/lib/api/receipt-schemas'
import type { CallItem, EventItem, ExecutionDetail, ExecutionItem, Facets } from '@/lib/api/schemas'
import type { ReceivedPart } from '@/lib/api/ingest-schemas'
import { firstAndLast } from '@/lib/views/calls/ends'
import { limits } from '@/lib/limits'
import { links } from '@/lib/links'
import { getJson } from '../shared/get-json'
import type { Page } from '@/lib/model/page'
import type { ExecutionChain } from '@/lib/views/attempts/chain'

const root = ['executions'] as const

const withCursor = (search: string, cursor: string | null): string => {
  const params = new URLSearchParams(search)
  if (cursor !== null) params.set('cursor', cursor)
  return params.toString()
}

/** Every key and every read of this domain. `search` is the query string of the list, in its normal form. */
export const executionQueries = {
  root: () => root,
  lists: () => [...root, 'list'] as const,
  list: (search: string) =>
    infiniteQueryOptions({
      queryKey: [...root, 'list', search] as const,
      queryFn: ({ pageParam, signal }) =>
        getJson<Page<ExecutionItem>>(links.api.executions(withCursor(search, pageParam)), signal),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.nextCursor,
      // Rows never move by themselves: live changes are counted apart (`head`) and taken in when the reader asks.
      staleTime: Infinity,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),
  /** The newest rows under the same filter: what would be at the top if the list were read again now. */
  head: (search: string) =>
    queryOptions({
      queryKey: [...root, 'head', search] as const,
      queryFn: ({ signal }) => getJson<Page<ExecutionItem>>(links.api.executions(search), signal),
      staleTime: 5_000,
    }),
  facets: (search: string) =>
    queryOptions({
      queryKey: [...root, 'facets', search] as const,
      queryFn: ({ signal }) => getJson<Facets>(links.api.facets(search), signal),
      staleTime: 15_000,
    }),
  detail: (id: string) =>
    queryOptions({
      queryKey: [...root, 'detail', id] as const,
      queryFn: ({ signal }) => getJson<ExecutionDetail>(links.api.execution(id), signal),
    }),
  /** Made anew each time it is read: the check is what takes the time, so it is read only when somebody asks. */
  parity: (id: string, version: number) =>
    queryOptions({
      queryKey: [...root, 'parity', id, version] as const,
      queryFn: ({ signal }) => getJson<ParityDocument>(links.api.parity(id), signal),
      staleTime: Infinity,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),
  /** What became of the diagnoses of the agents that failed in it; runs that were started to make one may end later. */
  diagnosis: (id: string, version: number) =>
    queryOptions({
      queryKey: [...root, 'diagnosis', id, version] as const,
      queryFn: ({ signal }) => getJson<RunDiagnosisDocument>(links.api.diagnosis(id), signal),
    }),
  calls: (id: string) =>
    queryOptions({
      queryKey: [...root, 'calls', id] as const,
      queryFn: async ({ signal }) =>
        (await readFrom<CallItem>((cursor) => links.api.calls(id, { cursor, limit: PAGE }), NOTHING, signal))
          .items,
    }),
  /** Every failed call, in order. */
  failed: (id: string) =>
    queryOptions({
      queryKey: [...root, 'failed', id] as const,
      queryFn: async ({ signal }) =>
        (
          await readFrom<CallItem>(
            (cursor) => links.api.calls(id, { failed: '1', cursor, limit: PAGE }),
            NOTHING,
            signal,
          )
        ).items,
    }),
  /** The first and the last failed call of an execution. */
  failing: (id: string) =>
    queryOptions({
      queryKey: [...root, 'failing', id] as const,
      queryFn: async ({ signal }) =>
        firstAndLast(
          (
            await readFrom<CallItem>(
              (cursor) => links.api.calls(id, { failed: '1', cursor, limit: PAGE }),
              NOTHING,
              signal,
            )
          ).items,
        ),
    }),
  /** Every record of an execution, without payload. Pages are shown as they come, and a grown execution is read on from its last page. */
  events: (id: string) =>
    queryOptions({
      queryKey: [...root, 'events', id] as const,
      queryFn: async ({ client, queryKey, signal }) => {
        const address = (cursor: string | null): string => links.api.events(id, { cursor, limit: PAGE })
        const before = client.getQueryData<Rows<EventItem>>(queryKey)
        const grown = await readFrom(
          address,
          before ?? NOTHING,
          signal,
          before ? undefined : (rows) => client.setQueryData(queryKey, rows),
        )
        const expected = client.getQueryData(executionQueries.detail(id).queryKey)?.counts.records
        // Records may also come in before the last page (another channel, an earlier part): then the numbers disagree and all is read again.
        return before && expected !== undefined && expected !== grown.items.length
          ? readFrom(address, NOTHING, signal)
          : grown
      },
    }),
  decision: (id: string) =>
    queryOptions({
      queryKey: [...root, 'decision', id] as const,
      queryFn: ({ signal }) => getJson<DecisionDocument>(links.api.decision(id), signal),
    }),
  /** The chains of executions that it is an attempt in. */
  chains: (id: string) =>
    queryOptions({
      queryKey: [...root, 'chains', id] as const,
      queryFn: async ({ signal }) =>
        (await getJson<Page<ExecutionChain>>(links.api.chains(id), signal)).items,
    }),
  /** The chains that hold receipts of its calls. */
  receiptChains: (id: string) =>
    queryOptions({
      queryKey: [...root, 'receiptChains', id] as const,
      queryFn: async ({ signal }) =>
        (await getJson<Page<ReceiptChainItem>>(links.api.executionReceiptChains(id), signal)).items,
    }),
  parts: (id: string) =>
    queryOptions({
      queryKey: [...root, 'parts', id] as const,
      queryFn: ({ signal }) => getJson<Page<ReceivedPart>>(links.api.raw(id), signal),
    }),
}

/** Rows read so far; `tail` is the page that has to be read again to go on. */
export interface Rows<T> {
  items: T[]
  tail: { cursor: string | null; from: number }
  complete: boolean
}

const NOTHING: Rows<never> = { items: [], tail: { cursor: null, from: 0 }, complete: false }
const PAGE = String(limits.pageRowsMax)

/** Follows the cursors to the end, from the last page that is known. */
async function readFrom<T>(
  address: (cursor: string | null) => string,
  known: Rows<T>,
  signal: AbortSignal,
  onPage?: (rows: Rows<T>) => void,
): Promise<Rows<T>> {
  let items = known.items.slice(0, known.tail.from)
  let tail = known.tail
  for (;;) {
    const page: Page<T> = await getJson<Page<T>>(address(tail.cursor), signal)
    items = items.concat(page.items)
    if (page.nextCursor === null) return { items, tail, complete: true }
    tail = { cursor: page.nextCursor, from: items.length }
    onPage?.({ items, tail, complete: false })
  }
}
