import { z } from 'zod'
import { FACETS } from '../executions/filter-types'
import { BASES } from '../executions/types'

/**
 * The documents of `/api/v1`: the same schemas check what goes out, type the browser's reads and make the OpenAPI page.
 * Values of closed lists are plain text here on purpose: a newer server may know more of them than an older reader.
 */
export const pointer = z.object({
  received: z.string().meta({ description: 'SHA-256 of the kept bytes, hex' }),
  byteStart: z.int(),
  byteEnd: z.int().meta({ description: 'exclusive' }),
  jsonPointer: z.string().optional(),
})

const cause = z.object({ text: z.string(), category: z.string(), pointer: pointer.nullable() })

const failureRead = z.object({
  chains: z.array(z.int()).meta({ description: 'numbers of the retry chains; empty for requests to the model' }),
  doneOtherwise: z
    .array(z.int())
    .optional()
    .meta({ description: 'those of them whose work was done another way later, which is inferred' }),
  failed: z.int(),
  what: z.string(),
  ended: z.string(),
  retry: z.enum(['helped', 'could-help', 'cannot-help', 'unknown']),
  verdict: z.string().optional(),
  retryBecause: z.string(),
  next: z.string(),
})

const advice = z.object({
  retry: z.enum(['helped', 'could-help', 'cannot-help', 'unknown']),
  verdict: z.string().optional().meta({ description: 'the answer in words, where `retry` alone would mislead' }),
  retryBecause: z.string(),
  next: z.string(),
  failures: z
    .array(failureRead)
    .optional()
    .meta({ description: 'everything that failed inside the run, kind by kind; the one that the cause is about first' }),
  failuresLeftOut: z.int().optional().meta({ description: 'failed calls of kinds that are not listed' }),
})

const counts = z.object({
  records: z.int(),
  calls: z.int(),
  failedCalls: z.int(),
  failedByClass: z.record(z.string(), z.int()),
  callsWithoutResult: z.int(),
  chains: z.int(),
  recoveredChains: z.int(),
})

const source = z.object({ id: z.string(), kind: z.string(), name: z.string() })

export const executionItem = z.object({
  id: z.string(),
  externalId: z.string(),
  project: z.string().meta({ description: 'slug of the project' }),
  source,
  outcome: z.string(),
  outcomeBasis: z.enum(BASES),
  cause: cause.nullable(),
  failedAt: z.string().nullable(),
  parentId: z.string().nullable(),
  title: z.string().nullable(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  labels: z.record(z.string(), z.string()),
  counts,
  url: z.string(),
})

export const executionDetail = executionItem.extend({
  outcomeRule: z.string(),
  outcomeBecause: z.string(),
  advice: advice.nullable(),
  usage: z.object({
    inputTokens: z.int(),
    outputTokens: z.int(),
    cacheReadInputTokens: z.int(),
    cacheCreationInputTokens: z.int(),
    messages: z.int(),
    costUsd: z.number().nullable(),
  }),
  disagreements: z.array(
    z.object({ fact: z.string(), values: z.array(z.object({ door: z.string(), said: z.string() })), used: z.string() }),
  ),
  chains: z.array(
    z.object({
      number: z.int(),
      tool: z.string(),
      target: z.string().nullable(),
      failedCallIds: z.array(z.string()),
      nextCallId: z.string().nullable(),
      recovered: z.boolean(),
    }),
  ),
  children: z.array(
    z.object({
      id: z.string(),
      externalId: z.string(),
      outcome: z.string(),
      title: z.string().nullable(),
      callId: z.string().nullable(),
      failedCalls: z.int(),
    }),
  ),
  odd: z.int().meta({ description: 'records that were kept but not understood' }),
  redactions: z.int(),
  firstSeenAt: z.string(),
  updatedAt: z.string(),
  version: z.int().meta({ description: 'grows with every change; for live readers' }),
})

export const attempt = z.object({
  callId: z.string(),
  ordinal: z.int(),
  tool: z.string(),
  target: z.string().nullable(),
  state: z.string(),
  failureClass: z.string().nullable(),
  errorText: z.string().nullable(),
  errorTextCut: z.boolean(),
  exitCode: z.int().nullable(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  durationMs: z.number().nullable(),
  callPointer: pointer.nullable(),
  resultPointer: pointer.nullable(),
  chain: z.int().nullable(),
  attempt: z.int().nullable(),
  linkRule: z.string().nullable(),
  linkBasis: z.string().nullable(),
  inputChanged: z.boolean().nullable(),
  attachedTo: z.object({ callId: z.string().nullable(), why: z.string() }).nullable(),
  childId: z.string().nullable(),
  disagreements: z.array(z.object({ door: z.string(), fact: z.string(), said: z.string(), used: z.string() })),
})

export const event = z.object({
  ordinal: z.int().meta({ description: '0-based place in the execution, as it is known now' }),
  streamId: z.string(),
  offset: z.int(),
  door: z.string(),
  kind: z.string(),
  type: z.string(),
  at: z.string().nullable(),
  summary: z.string(),
  oddReason: z.string().nullable(),
  oddDetail: z.string().nullable(),
  callIds: z.array(z.string()),
  resultCallIds: z.array(z.string()),
  failed: z.boolean(),
  pointer,
})

export const receivedPart = z.object({
  received: z.string(),
  streamId: z.string(),
  door: z.string(),
  offset: z.int(),
  originalLength: z.int(),
  originalSha256: z.string(),
  keptLength: z.int(),
  redactions: z.array(z.object({ rule: z.string(), byteStart: z.int(), byteEnd: z.int() })),
  receivedAt: z.string(),
})

export const oddItem = z.object({ line: z.int().nullable(), byteStart: z.int(), reason: z.string(), detail: z.string() })

export const ingestAnswer = z.object({
  accepted: z.int().meta({ description: 'records taken in by this request' }),
  duplicates: z.int().meta({ description: 'records that were here already' }),
  odd: z.array(oddItem).meta({ description: 'kept, not understood; at most 100 are listed' }),
  oddTotal: z.int(),
  executions: z.array(z.object({ id: z.string(), externalId: z.string(), outcome: z.string(), url: z.string() })),
  streamId: z.string().nullable(),
  nextOffset: z.int().nullable(),
  originalSha256: z.string().meta({ description: 'SHA-256 of the body as it arrived, after content decoding' }),
})

export const page = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), nextCursor: z.string().nullable() })

export const problemDocument = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  requestId: z.string().optional(),
  line: z.int().optional(),
})

/** Counts under a filter. Each facet is counted with its own values left out of the filter, so that alternatives keep their numbers. */
export const facets = z.object({
  total: z.int(),
  totalCapped: z.boolean().meta({ description: 'true when counting stopped: say "10,000+"' }),
  facets: z.record(z.enum(FACETS), z.array(z.object({ value: z.string(), count: z.int() }))),
})

export type Facets = z.infer<typeof facets>
export type ExecutionItem = z.infer<typeof executionItem>
export type ExecutionDetail = z.infer<typeof executionDetail>
export type AttemptItem = z.infer<typeof attempt>
export type EventItem = z.infer<typeof event>
export type ReceivedPart = z.infer<typeof receivedPart>
export type IngestAnswer = z.infer<typeof ingestAnswer>
export interface Page<T> { items: T[]; nextCursor: string | null }
