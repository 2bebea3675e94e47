import { z } from 'zod'
import { MATRICES } from '../judge/decisions/replay-cell'
import { chainAttempt } from './decision-schemas'

/** Documents about executions replayed under other policies. */
const replayed = z.object({ outcome: z.string(), retryReason: z.string(), contentState: z.string() })
const matrix = z.record(z.string(), z.record(z.string(), z.int()))

const pair = z.object({
  id: z.string(),
  stored: z.string().meta({ description: 'its stored outcome' }),
  from: replayed
    .nullable()
    .meta({ description: 'null when too little evidence was kept, or a pattern cannot be looked for' }),
  to: replayed.nullable(),
  execution: chainAttempt,
})

const totals = z.object({
  attempts: z.int(),
  chains: z.int(),
  durationMs: z.number(),
  timed: z.int().meta({ description: 'attempts whose time is known; the sum is theirs' }),
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number().nullable(),
  costed: z.int().meta({ description: 'attempts whose cost is known; the sum is theirs' }),
})

const replayedChain = totals.omit({ chains: true }).extend({
  id: z.string(),
  name: z.string(),
  rule: z.string(),
  basis: z.string().meta({ description: 'recorded: the source names the chain; inferred: we do' }),
  size: z.int().meta({
    description: 'attempts that are known of the chain; those around the ones of the filter are listed',
  }),
  items: z.array(
    z.object({
      id: z.string(),
      place: z.int(),
      stored: z.string(),
      verdict: replayed.nullable(),
      unrequested: z.enum(['needless', 'helped']).nullable(),
      execution: chainAttempt,
    }),
  ),
})

/** Attempts of one kind: what they took together, and the chains in which they took most. */
const unrequestedAttempts = totals.extend({ items: z.array(replayedChain) })

export const policyReplay = z.object({
  from: z.string(),
  to: z.string(),
  total: z.int().meta({ description: 'executions that were replayed: the newest 10,000 of the filter' }),
  totalCapped: z.boolean().meta({ description: 'there are more than that' }),
  replayable: z
    .int()
    .meta({ description: 'those whose evidence was kept, and whose patterns can be looked for' }),
  unsearchable: z.int().meta({
    description:
      'of the others, those that were recorded, but ask for a pattern that cannot be looked for here',
  }),
  stored: matrix.meta({
    description: 'stored outcome, then verdict under `to`; unknown where none can be made',
  }),
  matrix: matrix.meta({ description: 'verdict under `from`, then under `to`' }),
  otherReason: z
    .record(z.string(), z.int())
    .meta({ description: 'same outcome under both, for another reason: by outcome' }),
  flips: z.int().meta({ description: 'executions with another outcome or another reason under `to`' }),
  cell: z.object({ matrix: z.enum(MATRICES), row: z.string(), column: z.string() }).nullable(),
  listed: z
    .object({ total: z.int(), items: z.array(pair) })
    .meta({ description: 'what flips, or what stands in the cell that was asked for; newest first' }),
  needless: unrequestedAttempts.meta({
    description:
      'attempts made although the one before them had come to an end under `to`, and without a success from there on',
  }),
  helped: unrequestedAttempts.meta({
    description:
      'attempts made although the one before them had failed for good under `to`, and a success followed',
  }),
})

export type PolicyReplay = z.infer<typeof policyReplay>
export type ReplayedPair = z.infer<typeof pair>
export type ReplayedChain = z.infer<typeof replayedChain>
export type UnrequestedAttempts = z.infer<typeof unrequestedAttempts>
