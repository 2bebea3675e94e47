import { EXECUTION_VIEWS } from '@/lib/links'
import type { Samples } from './samples'
import type { Schema } from './from-schema'
import { INGEST_KINDS } from '@/lib/model/ingest-kinds'

/** Something that answers requests, as the fuzzer needs to know it. */
export interface Endpoint {
  name: string
  method: string
  /** With `{name}` for each parameter of the path. */
  path: string
  query: string[]
  headers: string[]
  body: { schema: Schema } | { samples: keyof Samples } | 'form' | null
  /** Its answer does not end by itself. */
  streams?: true
}

/** What is read of an OpenAPI document. */
export interface OpenApi {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters: { name: string; in: string }[]
        requestBody?: { content: Record<string, { schema: Schema }> }
        responses: Record<string, { content?: Record<string, unknown> }>
      }
    >
  >
}

const JSON_TYPE = 'application/json'

/** Every operation of the document; the one that takes bodies in counts once for each importer. */
export function operationsOf({ paths }: OpenApi): Endpoint[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters, requestBody, responses }]): Endpoint[] => {
      const named = (place: string): string[] =>
        parameters.filter((one) => one.in === place).map(({ name }) => name)
      const schema = requestBody?.content[JSON_TYPE]?.schema
      const endpoint: Endpoint = {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        query: named('query'),
        headers: named('header'),
        body: schema ? { schema } : requestBody ? bytesOf(path) : null,
        ...(responses['200']?.content?.['text/event-stream'] === undefined ? {} : { streams: true }),
      }
      if (!path.endsWith('/ingest/{kind}')) return [endpoint]
      return ['auto', ...INGEST_KINDS].map((kind) => ({
        ...endpoint,
        name: `POST ${path.replace('{kind}', kind)}`,
        path: path.replace('{kind}', kind),
        body: { samples: kind === 'auto' ? 'claude-transcript' : (kind as keyof Samples) },
      }))
    }),
  )
}

const bytesOf = (path: string): Endpoint['body'] =>
  path.endsWith('/fixes')
    ? 'form'
    : {
        samples: path.includes('hooks')
          ? 'claude-hook'
          : path.includes('receipts')
            ? 'receipt'
            : 'claude-transcript',
      }

const page = (path: string, ...query: string[]): Endpoint => ({
  name: `page ${path}`,
  method: 'GET',
  path,
  query,
  headers: [],
  body: null,
})

const FILTER = ['q', 'project', 'cursor', 'limit', 'peek', 'sort', 'before']

/** Pages, downloads by their short addresses, and what other libraries answer. */
export const OTHERS: Endpoint[] = [
  page('/', 'project', 'q'),
  page('/executions', ...FILTER),
  ...EXECUTION_VIEWS.map((view) => ({
    ...page(
      `/executions/{id}?view=${view}`,
      'at',
      'from',
      'cursor',
      'row',
      'call',
      'decision',
      'open',
      'list',
    ),
  })),
  page('/x/{id}', 'view'),
  page('/x/{id}/{id}'),
  page('/chains/{id}', 'receipt', 'project'),
  page('/ci/{provider}/{path}/{run}', 'view', 'open', 'project'),
  page('/ci/{provider}/{path}/{run}/{attempt}', 'view', 'open'),
  page('/fixes', 'project', 'state', 'origin', 'safety', 'evidence', 'signal', 'cursor'),
  page('/fixes/{fix}', 'since', 'file', 'line'),
  page('/parity', 'project', 'window', 'kind', 'severity', 'show', 'path', 'from', 'to', 'cursor'),
  page('/policies', 'project', 'q', 'from', 'to', 'cell'),
  page('/problems/{slug}'),
  page('/settings'),
  page('/settings/{slug}', 'project'),
  page('/sign-in', 'next', 'link', 'error'),
  page('/{slug}'),
  page('/fixes/{fix}.patch', 'start', 'end'),
  page('/fixes/{fix}.patch.sha256'),
  page('/fixes/{fix}.transcript'),
  page('/fixes/{fix}.provenance.json', 'bytes'),
  page('/fixes/{fix}.zip'),
  page('/shared/{token}.patch', 'start', 'end'),
  page('/_next/static/{slug}'),
  page('/api/{slug}'),
  page('/api/auth/{slug}', 'token', 'callbackURL'),
  {
    ...page('/api/auth/sign-in/email'),
    name: 'POST /api/auth/sign-in/email',
    method: 'POST',
    body: {
      schema: {
        type: 'object',
        properties: {
          email: { type: 'string' },
          password: { type: 'string' },
          rememberMe: { type: 'boolean' },
        },
        required: ['email', 'password'],
      },
    },
  },
]
