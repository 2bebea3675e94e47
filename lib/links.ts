/**
 * Every address of the product is built here, and nowhere else: a test walks the sources for hand-made ones.
 */
import type { Pointer } from './model/execution'
import { formatPosition, type PatchPosition } from './model/patch-position'
import type { FixFacet } from './model/fix-question'

export type FixPart =
  | 'files'
  | 'flags'
  | 'patch'
  | 'patch.sha256'
  | 'transcript'
  | 'provenance'
  | 'bundle'
  | 'comments'
  | 'reviews'
  | 'suggestions'
  | 'viewed'
  | 'links'
  | 'fit'

export const EXECUTION_VIEWS = [
  'cause',
  'calls',
  'timeline',
  'receipts',
  'diagnosis',
  'parity',
  'fixes',
  'raw',
] as const
export type ExecutionView = (typeof EXECUTION_VIEWS)[number]

/** Names that views had in 0.1.0. Links with them are in CI logs and tickets. */
const FORMER_VIEWS: Readonly<Record<string, ExecutionView>> = { attempts: 'calls' }

/** Reads `?view=`, also by a former name; null for an unknown value. */
export const findView = (value: string): ExecutionView | null =>
  (EXECUTION_VIEWS as readonly string[]).includes(value)
    ? (value as ExecutionView)
    : (Object.hasOwn(FORMER_VIEWS, value) && FORMER_VIEWS[value]) || null

/** Reads `?view=`: never fails, an unknown value is the first view. */
export const readView = (value: string | null | undefined): ExecutionView => findView(value ?? '') ?? 'cause'

const query = (entries: Record<string, string | null | undefined>): string => {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(entries))
    if (value != null && value !== '') params.set(key, value)
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

/** `view: 'list'` shows the run also where its only failure would open at once; `open` is the execution that is open beside the list. */
interface CiExtra {
  view?: 'list'
  open?: string
}

type ParityAddress = Partial<
  Record<'project' | 'window' | 'kind' | 'severity' | 'show' | 'path' | 'from' | 'to', string | null>
>

export const links = {
  home: () => '/',
  executions: (search = '') =>
    `/executions${search === '' ? '' : search.startsWith('?') ? search : `?${search}`}`,
  execution: (id: string, view?: ExecutionView, extra: Record<string, string | null | undefined> = {}) =>
    `/executions/${encodeURIComponent(id)}${query({ view: view === 'cause' ? null : view, ...extra })}`,
  /** An execution with its decision open: what made a job red. */
  decided: (id: string) => `/executions/${encodeURIComponent(id)}${query({ decision: 'open' })}`,
  /** The bytes a sentence was taken from, highlighted. */
  bytes: (id: string, p: Pointer) =>
    `/executions/${encodeURIComponent(id)}${query({ view: 'raw', at: formatAt(p) })}${p.jsonPointer ? `#${p.jsonPointer}` : ''}`,
  /** A value of the row that a diagnosis was read from, opened in its tree; `row` names the row of another agent than the first. */
  diagnosis: (id: string, jsonPointer = '', row: string | null = null) =>
    `/executions/${encodeURIComponent(id)}${query({ view: 'diagnosis', row })}${jsonPointer === '' ? '' : `#${encodeURI(jsonPointer)}`}`,
  anyId: (id: string) => `/x/${id.split('/').map(encodeURIComponent).join('/')}`,
  /** Computable before anything of the run was sent: the provider's own path of the project is in one segment. */
  ciRun: (
    provider: string,
    path: string,
    run: string,
    attempt?: number | string | null,
    extra: CiExtra = {},
  ) =>
    `/ci/${[provider, path, run, ...(attempt == null ? [] : [String(attempt)])].map(encodeURIComponent).join('/')}${query({ ...extra })}`,
  ciRoot: () => '/ci',
  /** The id of a chain may contain slashes, which are in the path. */
  chain: (id: string, extra: Record<string, string | null | undefined> = {}) =>
    `/chains/${id.split('/').map(encodeURIComponent).join('/')}${query(extra)}`,
  settings: (page: 'sources' | 'judgement' | 'keys' | 'people') => `/settings/${page}`,
  policies: (
    q: {
      project?: string | null
      q?: string | null
      from?: string | null
      to?: string | null
      cell?: string | null
    } = {},
  ) => `/policies${query(q)}`,
  parity: (q: ParityAddress = {}) => `/parity${query({ ...q })}`,
  fixes: (q: Partial<Record<FixFacet | 'project', string | null>> = {}) => `/fixes${query({ ...q })}`,
  /** `since`: the number of an earlier version, to which the changes are shown; `place`: of the patch. */
  fix: (
    id: string,
    { since = null, place = null }: { since?: number | null; place?: PatchPosition | null } = {},
  ) =>
    `/fixes/${encodeURIComponent(id)}${query({ since: since === null ? null : String(since) })}${place === null ? '' : `#${formatPosition(place)}`}`,
  /** Downloads, as people and programs write them. */
  fixPatch: (id: string) => `/fixes/${encodeURIComponent(id)}.patch`,
  fixDigest: (id: string) => `/fixes/${encodeURIComponent(id)}.patch.sha256`,
  fixTranscript: (id: string) => `/fixes/${encodeURIComponent(id)}.transcript`,
  fixProvenance: (id: string) => `/fixes/${encodeURIComponent(id)}.provenance.json`,
  fixBundle: (id: string) => `/fixes/${encodeURIComponent(id)}.zip`,
  /** Opens without an account until it expires. */
  sharedPatch: (token: string) => `/shared/${encodeURIComponent(token)}.patch`,
  signIn: (next?: string) => `/sign-in${query({ next })}`,
  oneTime: (token: string) => `/sign-in${query({ link: token })}`,
  problem: (slug: string) => `/problems/${slug}`,
  api: {
    root: () => '/api/v1',
    executions: (search = '') =>
      `/api/v1/executions${search === '' ? '' : search.startsWith('?') ? search : `?${search}`}`,
    facets: (search = '') =>
      `/api/v1/executions/facets${search === '' ? '' : search.startsWith('?') ? search : `?${search}`}`,
    execution: (id: string) => `/api/v1/executions/${encodeURIComponent(id)}`,
    events: (id: string, q: Record<string, string | null | undefined> = {}) =>
      `/api/v1/executions/${encodeURIComponent(id)}/events${query(q)}`,
    changes: (id: string, q: Record<string, string | null | undefined> = {}) =>
      `/api/v1/executions/${encodeURIComponent(id)}/changes${query(q)}`,
    change: (id: string, ordinal: number) =>
      `/api/v1/executions/${encodeURIComponent(id)}/changes/${ordinal}`,
    causeCorrection: (id: string, q: { correction?: string | null } = {}) =>
      `/api/v1/executions/${encodeURIComponent(id)}/cause-correction${query({ ...q })}`,
    causeCorrections: (
      q: Partial<Record<'project' | 'rule' | 'state' | 'cursor' | 'limit', string | null>> = {},
    ) => `/api/v1/cause-corrections${query({ ...q })}`,
    causeCorrectionsExport: (project: string | null = null) =>
      `/api/v1/cause-corrections/export${query({ project })}`,
    calls: (id: string, q: Record<string, string | null | undefined> = {}) =>
      `/api/v1/executions/${encodeURIComponent(id)}/calls${query(q)}`,
    parity: (id: string) => `/api/v1/executions/${encodeURIComponent(id)}/parity`,
    parityOverview: (q: ParityAddress = {}) => `/api/v1/parity${query({ ...q })}`,
    parityExecutions: (q: ParityAddress & { cursor?: string | null } = {}) =>
      `/api/v1/parity/executions${query({ ...q })}`,
    diagnosis: (id: string) => `/api/v1/executions/${encodeURIComponent(id)}/diagnosis`,
    decision: (id: string) => `/api/v1/executions/${encodeURIComponent(id)}/decision`,
    chains: (id: string) => `/api/v1/executions/${encodeURIComponent(id)}/chains`,
    replay: (q: {
      project?: string | null
      q?: string | null
      from?: string | null
      to?: string | null
      cell?: string | null
    }) => `/api/v1/policies/replay${query(q)}`,
    executionReceiptChains: (id: string) => `/api/v1/executions/${encodeURIComponent(id)}/receipt-chains`,
    executionReceiptFile: (id: string) =>
      `/api/v1/executions/${encodeURIComponent(id)}/receipt-chains/export`,
    receiptFile: (id: string) => `/api/v1/receipt-chains/export${query({ id })}`,
    receiptChain: (id: string) => `/api/v1/receipt-chains${query({ id })}`,
    receipts: (id: string, q: { cursor?: string | null; limit?: string } = {}) =>
      `/api/v1/receipt-chains/receipts${query({ id, ...q })}`,
    receiptVerdict: (id: string) => `/api/v1/receipt-chains/verdict${query({ id })}`,
    receiptKeys: () => '/api/v1/receipt-keys',
    receiptKey: (id: string) => `/api/v1/receipt-keys/${encodeURIComponent(id)}`,
    ciRuns: (run: {
      provider: string
      path: string
      run: string
      attempt?: string | null
      project?: string
    }) => `/api/v1/ci-runs${query({ ...run })}`,
    raw: (id: string) => `/api/v1/executions/${encodeURIComponent(id)}/raw`,
    received: (sha256: string, range?: { start: number; end: number }) =>
      `/api/v1/received/${sha256}${range ? query({ start: String(range.start), end: String(range.end) }) : ''}`,
    ingest: (kind: string) => `/api/v1/ingest/${kind}`,
    stream: (streamId: string) => `/api/v1/ingest/streams/${encodeURIComponent(streamId)}`,
    live: () => '/api/v1/live',
    find: (id: string) => `/api/v1/find${query({ id })}`,
    fixes: (q: Partial<Record<FixFacet | 'project' | 'cursor', string | null>> = {}) =>
      `/api/v1/fixes${query({ ...q })}`,
    fix: (id: string) => `/api/v1/fixes/${encodeURIComponent(id)}`,
    ofFixLink: (id: string, link: string) =>
      `/api/v1/fixes/${encodeURIComponent(id)}/links/${encodeURIComponent(link)}`,
    /** `what`: files, flags, patch, patch.sha256, transcript, provenance, bundle, comments, reviews, viewed, links, fit. */
    ofFix: (id: string, what: FixPart, q: Record<string, string | null | undefined> = {}) =>
      `/api/v1/fixes/${encodeURIComponent(id)}/${what}${query(q)}`,
    executionFixes: (id: string, q: Record<string, string | null | undefined> = {}) =>
      `/api/v1/executions/${encodeURIComponent(id)}/fixes${query(q)}`,
    sources: () => '/api/v1/sources',
    keys: () => '/api/v1/keys',
    people: () => '/api/v1/people',
    key: (id: string) => `/api/v1/keys/${encodeURIComponent(id)}`,
    connections: () => '/api/v1/connections',
    connection: (id: string) => `/api/v1/connections/${encodeURIComponent(id)}`,
    connectionCheck: (id: string) => `/api/v1/connections/${encodeURIComponent(id)}/check`,
    mirrors: () => '/api/v1/mirrors',
    mirror: (id: string) => `/api/v1/mirrors/${encodeURIComponent(id)}`,
    source: (id: string) => `/api/v1/sources/${encodeURIComponent(id)}`,
    person: (id: string) => `/api/v1/people/${encodeURIComponent(id)}`,
    personLink: (id: string) => `/api/v1/people/${encodeURIComponent(id)}/link`,
    /** Loads the sample into the reader's project. */
    sample: () => '/api/v1/sample',
    firstAdminLink: () => '/api/v1/first-admin-link',
    /** Opens a one-time link: the first admin, or an invitation. GET returns its purpose, POST redeems it. */
    oneTime: (token: string) => `/api/v1/one-time-links/${encodeURIComponent(token)}`,
    signIn: () => '/api/auth/sign-in/email',
    signOut: () => '/api/auth/sign-out',
    analysisFailures: () => '/api/v1/analysis-failures',
    reingest: () => '/api/v1/reingest',
    reingestJob: (id: string) => `/api/v1/reingest/${encodeURIComponent(id)}`,
    openapi: () => '/api/v1/openapi.json',
  },
} as const
