import { z } from 'zod'
import { channelAlias } from './channel-alias'

export const receivedPart = z.object({
  received: z.string(),
  streamId: z.string(),
  channel: z.string(),
  ...channelAlias,
  offset: z.int(),
  originalLength: z.int(),
  originalSha256: z.string(),
  keptLength: z.int(),
  redactions: z.array(z.object({ rule: z.string(), byteStart: z.int(), byteEnd: z.int() })),
  receivedAt: z.string(),
})

export const oddItem = z.object({
  line: z.int().nullable(),
  byteStart: z.int(),
  reason: z.string(),
  detail: z.string(),
})

const receiptConflict = z.object({
  id: z.string().nullable(),
  chainId: z.string(),
  sequence: z.int().nullable(),
  with: z.string().nullable().meta({ description: 'id of the other receipt' }),
  over: z.enum(['id', 'place']).meta({ description: 'what both claim: the id, or the place in the chain' }),
})

export const ingestAnswer = z.object({
  accepted: z.int().meta({ description: 'records taken in by this request' }),
  duplicates: z.int().meta({ description: 'records that were here already' }),
  odd: z.array(oddItem).meta({ description: 'kept, not understood; at most 100 are listed' }),
  oddTotal: z.int(),
  conflicts: z.array(receiptConflict).optional().meta({
    description: 'of receipts: those that contradict another one; all are kept, at most 100 are listed',
  }),
  executions: z.array(
    z.object({
      id: z.string(),
      externalId: z.string(),
      outcome: z.string(),
      url: z.string(),
      calls: z.int().optional().meta({ description: 'its calls, with what came before' }),
      failedCalls: z.int().optional(),
      analysisFailed: z.literal(true).optional().meta({
        description: 'its records are kept, and its analysis failed: what is shown is from before',
      }),
    }),
  ),
  streamId: z.string().nullable(),
  nextOffset: z.int().nullable(),
  originalSha256: z
    .string()
    .meta({ description: 'SHA-256 of the body as it arrived, after content decoding' }),
})

export type ReceivedPart = z.infer<typeof receivedPart>
export type ReceiptConflict = z.infer<typeof receiptConflict>
export type IngestAnswer = z.infer<typeof ingestAnswer>
