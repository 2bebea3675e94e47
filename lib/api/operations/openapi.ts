import { z } from 'zod'
import { ACTIONS, scopesOf } from '../../auth/permissions'
import { OPERATIONS } from './all'
import type { Operation } from '../operation'
import { PROBLEMS, type ProblemSlug } from '../../problem'
import { PROBLEM_TITLES } from '../../words/problem-titles'
import { problemsOf } from '../problem-answers'
import { problemDocument } from '../schemas'
import { schemaText } from '../../words/server/schemas'

type Json = Record<string, unknown>

const MEDIA = {
  bytes: 'application/octet-stream',
  events: 'text/event-stream',
  metrics: 'text/plain',
  html: 'text/html',
} as const

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
  }) as Json
  return rest
}

function content(answer: Operation['answers'][number]): Json {
  if (typeof answer === 'string')
    return {
      [MEDIA[answer]]: {
        schema: { type: 'string', ...(answer === 'bytes' ? { contentMediaType: MEDIA.bytes } : {}) },
      },
    }
  return { 'application/json': { schema: schemaOf(answer, 'output') } }
}

const parameters = (
  place: string,
  given: Record<string, z.ZodType> = {},
  required: readonly string[] = [],
): Json[] =>
  Object.entries(given).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: schemaOf(schema, 'input'),
  }))

const PROBLEM = { $ref: '#/components/schemas/Problem' }
const RETRY_AFTER = {
  'Retry-After': { schema: { type: 'integer' }, description: 'Seconds after which to try again' },
}

/** What an operation refuses, by status; each names the problems that it stands for. */
function refusals(operation: Operation): Record<number, Json> {
  const bySlug: Record<number, ProblemSlug[]> = {}
  for (const slug of problemsOf(operation)) (bySlug[PROBLEMS[slug].status] ??= []).push(slug)
  return Object.fromEntries(
    Object.entries(bySlug).map(([status, slugs]) => [
      status,
      {
        description: slugs.map((slug) => PROBLEM_TITLES[slug]).join('; '),
        ...(status === '429' || status === '503' ? { headers: RETRY_AFTER } : {}),
        content: {
          'application/problem+json': {
            schema: {
              allOf: [PROBLEM, { properties: { type: { enum: slugs.map((slug) => `/problems/${slug}`) } } }],
            },
          },
        },
      },
    ]),
  )
}

function operation(one: Operation): Json {
  const { method, path, action, summary, query, headers, body, answers } = one
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  const needs =
    action === null
      ? (one.needs ?? schemaText.open)
      : schemaText.requires({ role: ACTIONS[action], scopes: scopesOf(action) })
  return {
    operationId: `${method}${path
      .replace(/[{}]/g, '')
      .split(/[/.-]/)
      .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
      .join('')}`,
    summary,
    description: needs,
    security: action === null && one.needs === undefined ? [] : [{ key: [] }, { session: [] }],
    parameters: [
      ...parameters('path', Object.fromEntries(inPath.map((name) => [name, z.string()])), inPath),
      ...parameters('query', query, one.required),
      ...parameters('header', headers),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content:
              body === 'bytes'
                ? { [MEDIA.bytes]: { schema: { type: 'string', contentMediaType: MEDIA.bytes } } }
                : { 'application/json': { schema: schemaOf(body, 'input') } },
          },
        }),
    responses: {
      ...refusals(one),
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [
          status,
          { description: status.startsWith('2') ? 'Done' : 'Not ready', content: content(answer) },
        ]),
      ),
      default: {
        description: 'A problem (RFC 9457)',
        content: { 'application/problem+json': { schema: PROBLEM } },
      },
    },
  }
}

/** The OpenAPI 3.1 document, made from the schemas that check what goes in and out. */
export function openApi(version: string, server: string): Json {
  const paths: Record<string, Json> = {}
  for (const one of OPERATIONS) (paths[one.path] ??= {})[one.method] = operation(one)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Inquest',
      version,
      description: 'Failed executions of AI agents: what broke, down to the bytes.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: server }],
    paths,
    components: {
      schemas: { Problem: schemaOf(problemDocument, 'output') },
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'inquest.session_token',
          description:
            'The session of a person; with it, requests that change something must come from our own pages',
        },
      },
    },
  }
}
