import { z } from 'zod'
import { BASES, CHAIN_RULES } from '../model/execution'
import { executionItem, signalHint, verdictWords as words } from './schemas'
import type { ChainAttempt, CiExecution, ExecutionChain, RepeatedEffect } from '../views/attempts/chain'

/** Documents about decisions, the chains of executions and the CI runs they were part of. */
const ruleValue = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())])

export const decision = words.extend({
  basis: z.enum(BASES),
  policy: z.string(),
  rule: z.string().meta({ description: 'the rule that decided' }),
  because: z.string().meta({ description: 'why, as a sentence' }),
  becauseRule: z
    .string()
    .nullable()
    .meta({ description: 'id of that reason; null: decided by an older version, or no rule decided' }),
  becauseParams: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'its values, by the id of the reason' }),
  missing: z.array(z.string()).meta({ description: 'inputs that nothing reported' }),
  differs: z
    .array(z.string())
    .meta({ description: 'fields in which the recorded and the recomputed verdict differ' }),
  recorded: words.nullable(),
  recomputed: words.nullable(),
  recorder: z
    .object({
      failed: z.boolean(),
      kind: z.string(),
      reason: z.string().nullable(),
      text: z.string().nullable(),
      failedOn: z
        .string()
        .nullable()
        .meta({ description: 'the kind of --fail-on that made the exit status 70' }),
      differs: z
        .enum(['outcome', 'reason'])
        .nullable()
        .meta({ description: 'in what the decision says something else; null: in nothing' }),
    })
    .nullable()
    .meta({
      description: 'what `inquest record` judged where the run was made; it changes nothing in the decision',
    }),
  signalHints: z.array(signalHint).meta({
    description: 'what the failure block of the run breaks of its contract; nothing is judged by it',
  }),
  trace: z
    .array(
      z.object({
        rule: z.string(),
        stage: z.string(),
        inputs: z.record(z.string(), ruleValue),
        effect: z.string(),
      }),
    )
    .meta({ description: 'rules that fired, in the order of evaluation' }),
  evidence: z.record(z.string(), ruleValue),
  whatIf: z.unknown().meta({
    description:
      'facts that the verdict can be made again from, under other policies and with changes; null when too little is known',
  }),
  inputRedacted: z.boolean(),
  decidedAt: z.string().nullable(),
})

export const chainAttempt = executionItem
  .pick({
    id: true,
    externalId: true,
    outcome: true,
    outcomeBasis: true,
    cause: true,
    title: true,
    startedAt: true,
    endedAt: true,
    url: true,
  })
  .extend({
    attempt: z
      .int()
      .nullable()
      .meta({ description: 'as the source counts; null where the order is that of time' }),
    contentState: z.string(),
    retryReason: z.string(),
    costUsd: z.number().nullable(),
    inputTokens: z.int().meta({ description: 'with those of the cache' }),
    outputTokens: z.int(),
    retry: z.string().meta({ description: 'whether another attempt could help after this one' }),
    verdict: z
      .string()
      .optional()
      .meta({ description: 'that answer in words, where `retry` alone would mislead' }),
    fixes: z
      .array(z.object({ state: z.string(), count: z.int() }))
      .optional()
      .meta({ description: 'fixes that were proposed for it, by state; left out: none' }),
    inputs: z.string().optional().meta({
      description:
        'digest of what the attempt was made from, where its source has one: attempts with the same one had the same inputs',
    }),
  }) satisfies z.ZodType<ChainAttempt>

const repeatedEffect = z.object({
  kind: z.enum(['file', 'command', 'tool']),
  name: z.string().meta({ description: 'the file, the words of the command, or the tool with its target' }),
  done: z
    .array(
      z.object({
        attemptId: z.string(),
        executionId: z.string().meta({ description: 'the attempt, or an agent that it started' }),
        callId: z.string().meta({ description: 'its first call that did it' }),
        calls: z.int(),
        done: z
          .literal(true)
          .nullable()
          .meta({ description: 'null: not answered or cut off, nobody knows what it did' }),
        sameInput: z.boolean().nullable().meta({
          description:
            'all of them with the input of the first attempt that did it; null: their inputs cannot be compared',
        }),
        basis: z
          .enum(['asserted', 'inferred'])
          .meta({ description: 'asserted: receipts of both say that they did it with the same parameters' }),
        receipts: z
          .array(z.object({ key: z.string(), executionId: z.string(), sequence: z.int().nullable() }))
          .meta({ description: 'of the call: it is one effect with them' }),
      }),
    )
    .meta({ description: 'the attempts that did it, in their order' }),
}) satisfies z.ZodType<RepeatedEffect>

export const executionChain = z.object({
  id: z.string(),
  name: z.string(),
  rule: z
    .string()
    .meta({ description: `how it is known that these are attempts of one work: ${CHAIN_RULES.join(', ')}` }),
  basis: z.string().meta({ description: 'recorded: the source names the chain; inferred: we do' }),
  attempts: z.array(chainAttempt),
  attemptsLeftOut: z.int(),
  repeatedEffects: z.array(repeatedEffect).meta({
    description: 'what calls of more than one attempt have done, as far as their input and receipts tell',
  }),
  effectsCut: z.boolean().meta({
    description:
      'there may be more of them: the attempts made more such calls than are read here, or the list was cut',
  }),
}) satisfies z.ZodType<ExecutionChain>

export const ciExecution = chainAttempt.extend({
  ciAttempt: z.int().nullable(),
  job: z.string().nullable(),
  runUrl: z.string().nullable(),
  commit: z.string().nullable(),
}) satisfies z.ZodType<CiExecution>

export const ciExecutions = z.object({
  items: z.array(ciExecution),
  nextCursor: z.null(),
  leftOut: z.int().meta({ description: 'executions of the run beyond those that are listed' }),
})

export type DecisionDocument = z.infer<typeof decision>

export type CiExecutions = z.infer<typeof ciExecutions>
