import { fetchFailure } from '@/lib/connections/failures'
import {
  isStatusOf,
  readListPage,
  readRunPage,
  type ListedRun,
  type NoetlDialect,
  type RunPage,
} from '@/lib/formats/noetl/connection-documents'
import type { ExactJson } from '@/lib/text/exact-json'
import { limits } from '@/lib/limits'
import { fetchJson, type Fetched, type FetchOptions } from '../fetch/safe-fetch'
import type { OpenConnection } from '../queries/connections'
import { inTurn } from './pace'

/** Entries of a list that are asked for at once: what both servers give. */
const LIST_ROWS = 100
/** The offset that the server with pages goes to. */
const LIST_OFFSET_MAX = 5_000
const PAGE_ROWS = 500

type Failed = Extract<Fetched, { ok: false }>

export interface ListAnswer {
  ok: true
  runs: ListedRun[]
  dialect: NoetlDialect | null
  /** Whether a page behind this one can hold others. */
  more: boolean
}

export interface RunAnswer {
  ok: true
  bytes: Uint8Array
  value: ExactJson
  page: RunPage
}

export interface StatusAnswer {
  ok: true
  /** As it came. */
  text: string
}

/** A NoETL server, asked one question at a time and no faster than it should be. Both of its dialects take the same questions. */
export interface NoetlServer {
  /** @param seen entries of the pages before */
  list(page: number, seen: number): Promise<ListAnswer | Failed>
  run(
    runId: string,
    question?: { page?: number; since?: string | null; rows?: number },
  ): Promise<RunAnswer | Failed>
  /** What its status endpoint says of a run, which can be another end than that of its document. */
  status(runId: string): Promise<StatusAnswer | Failed>
}

export interface NoetlServerOptions extends FetchOptions {
  perSecond?: number
}

export function noetlServer(
  connection: OpenConnection,
  { perSecond = limits.fetchesPerSecond, ...options }: NoetlServerOptions = {},
): NoetlServer {
  const ask = (path: string): Promise<Fetched> =>
    inTurn(connection.id, { perSecond, signal: options.signal }, () => fetchJson(connection, path, options))
  const known = (): Failed | null =>
    connection.opened
      ? null
      : {
          ok: false,
          failure: fetchFailure('unauthorized', 'other_server_secret'),
        }
  return {
    async list(page, seen) {
      const answer =
        known() ??
        (await ask(
          `api/executions?${new URLSearchParams({ page: String(page), page_size: String(LIST_ROWS), limit: String(LIST_ROWS), offset: String(seen) })}`,
        ))
      if (!answer.ok) return answer
      const read = readListPage(answer.value)
      if (read === null)
        return {
          ok: false,
          failure: fetchFailure('not_json', 'no_list'),
        }
      const isLast =
        answer.headers['x-noetl-has-more'] === 'false' ||
        (read.dialect !== 'rust' && page * LIST_ROWS > LIST_OFFSET_MAX)
      return { ok: true, ...read, more: read.runs.length > 0 && !isLast }
    },
    async run(runId, { page = 1, since = null, rows = PAGE_ROWS } = {}) {
      const query = new URLSearchParams({
        page: String(page),
        page_size: String(rows),
        ...(since === null ? {} : { since_event_id: since }),
      })
      const answer = known() ?? (await ask(`api/executions/${encodeURIComponent(runId)}?${query}`))
      if (!answer.ok) return answer
      const read = readRunPage(answer.value)
      // Of another run, or of none: what is asked for is what is taken.
      if (read === null || read.runId !== runId)
        return { ok: false, failure: fetchFailure('not_json', 'other_execution') }
      return { ok: true, bytes: answer.bytes, value: answer.value, page: read }
    },
    async status(runId) {
      const answer = known() ?? (await ask(`api/executions/${encodeURIComponent(runId)}/status`))
      if (!answer.ok) return answer
      if (!isStatusOf(answer.value, runId))
        return {
          ok: false,
          failure: fetchFailure('not_json', 'status_of_other_execution'),
        }
      return { ok: true, text: new TextDecoder().decode(answer.bytes) }
    },
  }
}
