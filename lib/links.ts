/**
 * Every address of the product is built here, and nowhere else: a test walks the sources for hand-made ones.
 */
import type { Pointer } from './executions/types'

export const EXECUTION_VIEWS = ['cause', 'attempts', 'timeline', 'raw'] as const
export type ExecutionView = (typeof EXECUTION_VIEWS)[number]

/** Reads `?view=`: never fails, an unknown value is the first view. */
export const readView = (value: string | null | undefined): ExecutionView =>
  (EXECUTION_VIEWS as readonly string[]).includes(value ?? '') ? (value as ExecutionView) : 'cause'

const query = (entries: Record<string, string | null | undefined>): string => {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(entries)) if (value != null && value !== '') params.set(key, value)
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

/** `?at=` of the Raw view: `<sha256>:<start>-<end>`. */
export const formatAt = (p: Pointer): string => `${p.received}:${p.byteStart}-${p.byteEnd}`

/** Reads `?at=`; null when it is not one. */
export function parseAt(value: string | null | undefined): Pointer | null {
  const match = /^([0-9a-f]{64}):(\d{1,15})-(\d{1,15})$/.exec(value ?? '')
  if (!match) return null
  const pointer = { received: match[1]!, byteStart: Number(match[2]), byteEnd: Number(match[3]) }
  return pointer.byteEnd >= pointer.byteStart ? pointer : null
}

export const links = {
  home: () => '/',
  executions: (search = '') => `/executions${search === '' ? '' : search.startsWith('?') ? search : `?${search}`}`,
  execution: (id: string, view?: ExecutionView, extra: Record<string, string | null | undefined> = {}) =>
    `/executions/${encodeURIComponent(id)}${query({ view: view === 'cause' ? null : view, ...extra })}`,
  /** The bytes a sentence was taken from, highlighted. */
  bytes: (id: string, p: Pointer) =>
    `/executions/${encodeURIComponent(id)}${query({ view: 'raw', at: formatAt(p) })}${p.jsonPointer ? `#${p.jsonPointer}` : ''}`,
  anyId: (id: string) => `/x/${id.split('/').map(encodeURIComponent).join('/')}`,
  settings: (page: 'sources' | 'keys' | 'people') => `/settings/${page}`,
  signIn: (next?: string) => `/sign-in${query({ next })}`,
  oneTime: (token: string) => `/sign-in${query({ link: token })}`,
  problem: (slug: string) => `/problems/${slug}`,
  api: {
    root: () => '/api/v1',
    executions: (search = '') => `/api/v1/executions${search === '' ? '' : search.startsWith('?') ? search : `?${search}`}`,
    facets: (search = '') => `/api/v1/executions/facets${search === '' ? '' : search.startsWith('?') ? search : `?${search}`}`,
    execution: (id: string) => `/api/v1/executions/${encodeURIComponent(id)}`,
    events: (id: string, q: Record<string, string | null | undefined> = {}) =>
      `/api/v1/executions/${encodeURIComponent(id)}/events${query(q)}`,
    attempts: (id: string, q: Record<string, string | null | undefined> = {}) =>
      `/api/v1/executions/${encodeURIComponent(id)}/attempts${query(q)}`,
    raw: (id: string) => `/api/v1/executions/${encodeURIComponent(id)}/raw`,
    received: (sha256: string, range?: { start: number; end: number }) =>
      `/api/v1/received/${sha256}${range ? query({ start: String(range.start), end: String(range.end) }) : ''}`,
    ingest: (kind: string) => `/api/v1/ingest/${kind}`,
    stream: (streamId: string) => `/api/v1/ingest/streams/${encodeURIComponent(streamId)}`,
    live: () => '/api/v1/live',
    find: (id: string) => `/api/v1/find${query({ id })}`,
    sources: () => '/api/v1/sources',
    keys: () => '/api/v1/keys',
    people: () => '/api/v1/people',
    key: (id: string) => `/api/v1/keys/${encodeURIComponent(id)}`,
    source: (id: string) => `/api/v1/sources/${encodeURIComponent(id)}`,
    person: (id: string) => `/api/v1/people/${encodeURIComponent(id)}`,
    personLink: (id: string) => `/api/v1/people/${encodeURIComponent(id)}/link`,
    /** Loads the sample into the reader's project. */
    sample: () => '/api/v1/sample',
    /** Opens a one-time link: the first admin, or an invitation. GET tells what it is for, POST uses it up. */
    oneTime: (token: string) => `/api/v1/one-time-links/${encodeURIComponent(token)}`,
    signIn: () => '/api/auth/sign-in/email',
    signOut: () => '/api/auth/sign-out',
    reingest: () => '/api/v1/reingest',
    openapi: () => '/api/v1/openapi.json',
  },
} as const
