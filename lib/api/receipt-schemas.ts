import { z } from 'zod'
import { pointer } from './pointer-schema'
import type { ReceiptItem, ReceiptKey, ChainVerdictDocument } from '../model/receipt-chain'

/** Documents about chains of receipts. */

export const receiptItem = z.object({
  key: z.string().meta({ description: 'ours: tells receipts apart that have one id' }),
  id: z.string().nullable(),
  sequence: z.int().nullable(),
  at: z.string().nullable(),
  executionId: z.string(),
  sessionId: z.string().nullable(),
  correlationId: z.string().nullable(),
  pointer: pointer,
  text: z.string().meta({
    description: 'the receipt as it was received: what a signature is checked over is made from this alone',
  }),
}) satisfies z.ZodType<ReceiptItem>

const chainSession = z.object({
  sessionId: z.string().nullable(),
  executionId: z.string(),
  receipts: z.int(),
  failures: z.int(),
})

export const receiptKey = z.object({
  id: z.string(),
  fingerprint: z.string(),
  publicKey: z.string().meta({ description: 'did:key' }),
  label: z.string(),
  chainId: z.string().nullable().meta({ description: 'the only chain that may begin with it; null: any' }),
  isCurrent: z.boolean().meta({ description: 'the last rotation of a chain must end at it' }),
  addedAt: z.string(),
}) satisfies z.ZodType<ReceiptKey>

export const newReceiptKey = z.object({
  project: z.string().optional(),
  key: z.string().min(1).max(10_000).meta({ description: 'PEM, u… or did:key:z6Mk…' }),
  label: z.string().min(1).max(200),
  chainId: z.string().min(1).max(256).optional(),
  isCurrent: z.boolean().optional(),
})

export const receiptChainItem = z.object({
  id: z.string(),
  project: z.string(),
  receipts: z.int(),
  failures: z.int(),
  rivals: z.int().meta({ description: 'places that more than one receipt claims' }),
  firstAt: z.string().nullable(),
  lastAt: z.string().nullable(),
  sessions: z.array(chainSession).meta({ description: 'the sessions whose receipts it holds, at most 100' }),
  keys: z.array(receiptKey).meta({ description: 'keys that it may begin with' }),
  delegation: z
    .object({
      chainId: z.string().nullable(),
      receiptId: z.string().nullable(),
      key: z.string().nullable(),
      sequence: z.int().nullable(),
      chainIsHere: z.boolean(),
      fault: z.string().nullable().meta({ description: 'why the claim cannot be borne out; null: it can' }),
    })
    .nullable()
    .meta({ description: 'the parent that the first receipt names, of the chain of a sub-agent' }),
  delegated: z
    .array(
      z.object({
        chainId: z.string(),
        key: z.string(),
        parentKey: z.string().nullable(),
        parentSequence: z.int().nullable(),
      }),
    )
    .meta({ description: 'chains that name this one as their parent, at most 100' }),
})

/** Without its rows: those are computed where they are shown. */
export const chainVerdict = z.object({
  state: z.enum(['valid', 'broken', 'no_receipts', 'key_unusable', 'no_key', 'other_key']).meta({
    description:
      'no_key: none is registered; other_key: none of those for all chains has signed any of it, and it holds in itself',
  }),
  reason: z.string().nullable(),
  firstBadIndex: z.int(),
  status: z.string(),
  receipts: z.int(),
  headHash: z.string().nullable(),
  activeFingerprint: z.string().nullable(),
}) satisfies z.ZodType<ChainVerdictDocument>

export type ReceiptChainItem = z.infer<typeof receiptChainItem>
