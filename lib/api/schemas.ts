import { z } from 'zod'
import { CAUSE_CATEGORIES } from '../model/cause-categories'
import { FACETS } from '../model/filter-types'
import { BASES, RETRY_ANSWERS } from '../model/execution'
import { RESOLUTIONS } from '../model/resolution'
import { SILENCE_KINDS } from '../model/silence'
import { RECOVERIES, RETRY_VERDICTS } from '../model/retry'
import { pipelineRun } from './pipeline-schemas'
import { causeCorrection } from './correction-document'
import { channelAlias } from './channel-alias'
import { pointer } from './pointer-schema'
import { runOutput } from './run-output-schema'

/**
 * The documents of `/api/v1`: the same schemas check what goes out, type the browser's reads and make the OpenAPI page.
 * Values of closed lists are plain text here on purpose: a newer server may know more of them than an older reader.
 */

/** A breach of the contract by the failure block of a run. */
export const signalHint = z.object({ breach: z.string(), text: z.string(), pointer })

const cause = z.object({
  headline: z.string().meta({ description: 'at most 90 characters; ends in … where it is cut' }),
  text: z.string().meta({
    description: 'the whole line, and on a line below it what failed before, where anything did',
  }),
  rule: z.string().nullable().meta({ description: 'what it is; null in rows from before there were rules' }),
  category: z.string().meta({
    description: `what it is filed under, a closed list that may grow: ${CAUSE_CATEGORIES.join(', ')}`,
  }),
  pointer: pointer.nullable(),
})

/** A sentence as a fact; the ids and their values may grow. */
const message = z.object({ id: z.string(), params: z.unknown() })

const adviceFacts = z.object({
  runRetry: z.enum(RETRY_VERDICTS).optional().meta({
    description: 'would starting the job again help; left out by older versions, as are the other facts',
  }),
  callRetry: z
    .enum(RETRY_VERDICTS)
    .optional()
    .meta({ description: 'would the identical call, made again at once in the same state, succeed' }),
  recoveredBy: z
    .enum(RECOVERIES)
    .nullable()
    .optional()
    .meta({ description: 'what brought the work to its end; null: nothing did' }),
  afterOtherWork: z
    .boolean()
    .nullable()
    .optional()
    .meta({ description: 'other work was done before the same call, or another way, succeeded' }),
  because: message.optional().meta({ description: 'rule behind `runRetry`: what `retryBecause` says' }),
  step: message.optional().meta({ description: 'what `next` says' }),
})

const failureRead = adviceFacts.extend({
  chains: z
    .array(z.int())
    .meta({ description: 'numbers of the retry chains; empty for requests to the model' }),
  doneOtherwise: z
    .array(z.int())
    .optional()
    .meta({ description: 'those of them whose work was done another way later, which is inferred' }),
  failed: z.int(),
  what: z.string(),
  ended: z.string(),
  retry: z.enum(RETRY_ANSWERS),
  verdict: z.string().optional(),
  retryBecause: z.string(),
  next: z.string(),
  summary: message.optional().meta({ description: 'what `what` says' }),
  aftermath: message.optional().meta({ description: 'what `ended` says' }),
})

const advice = adviceFacts.extend({
  retry: z.enum(RETRY_ANSWERS).meta({
    description:
      '`runRetry` as filters and older versions spell it: could-help is would_help, cannot-help is wont_help, unknown is unclear',
  }),
  verdict: z
    .string()
    .optional()
    .meta({ description: 'the answer in words, where `retry` alone would mislead' }),
  retryBecause: z.string(),
  next: z.string(),
  failures: z.array(failureRead).optional().meta({
    description: 'everything that failed inside the run, kind by kind; the one that the cause is about first',
  }),
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
  needsAttention: z
    .boolean()
    .nullable()
    .meta({ description: 'whether a person should look at it; null: an older version read it' }),
  agentCause: z.string().nullable().meta({
    description:
      'where an agent failed inside a run: what its own run says broke; null where that is not stored',
  }),
  failedAt: z.string().nullable(),
  parentId: z.string().nullable(),
  title: z.string().nullable(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  labels: z.record(z.string(), z.string()),
  counts,
  odd: z.int().meta({ description: 'records that were kept but not understood, or not wholly' }),
  analysisFailed: z.boolean().meta({
    description: 'its last analysis failed, so everything here is what was known before; the detail says why',
  }),
  url: z.string(),
})

export const verdictWords = z.object({
  contentState: z.string(),
  outcome: z.string(),
  retryReason: z.string(),
  subtype: z.string(),
})

const decisionLine = verdictWords.extend({
  basis: z.enum(BASES),
  missing: z.array(z.string()).meta({ description: 'inputs that nothing reported' }),
  differs: z
    .array(z.string())
    .meta({ description: 'fields in which the recorded and the recomputed verdict differ' }),
  recorded: verdictWords.nullable(),
  recomputed: verdictWords.nullable(),
  badges: z
    .array(z.object({ code: z.string(), label: z.string(), says: z.string() }))
    .meta({ description: 'what looks like a contradiction and follows from the rules' }),
})

/** A CI run that an execution was part of. */
export const ciMembership = z.object({
  provider: z.string(),
  path: z.string().meta({ description: "the provider's own path of the project" }),
  run: z.string(),
  attempt: z.int().nullable(),
  job: z.string().nullable(),
  url: z
    .string()
    .nullable()
    .meta({ description: 'page of the run at the provider, as its environment named it' }),
  commit: z.string().nullable(),
})

const namedReceipts = z.array(
  z.object({
    id: z.string().nullable(),
    chainId: z.string().nullable(),
    sequence: z.number().nullable(),
    key: z.string().nullable(),
  }),
)

const silenceFinding = z.object({
  kind: z.string().meta({ description: SILENCE_KINDS.join(', ') }),
  count: z
    .number()
    .nullable()
    .meta({ description: 'receipts or events that are missing; null: not known, or none are' }),
  tool: z.string().nullable(),
  callId: z.string().nullable(),
  rule: z.string().nullable().meta({
    description: 'of a retry, why the two are one piece of work; only idempotency_key is said by the issuer',
  }),
  failureBy: z
    .enum(['call', 'receipt'])
    .nullable()
    .meta({ description: 'of a success that is none, who says that the call failed' }),
  reason: z
    .string()
    .nullable()
    .meta({ description: 'why a chain is broken or not proven; null for all others' }),
  receipts: namedReceipts.meta({
    description: 'what it rests on; the last one is the receipt that it stands at',
  }),
})

const repeatedCall = z.object({
  name: z.string(),
  rule: z
    .string()
    .meta({ description: 'why the calls are one piece of work; only idempotency_key is said by the issuer' }),
  basis: z.enum(['asserted', 'inferred']),
  calls: z.array(
    z.object({
      callId: z.string(),
      done: z
        .literal(true)
        .nullable()
        .meta({ description: 'null: not answered or cut off, nobody knows what it did' }),
      receipts: namedReceipts,
    }),
  ),
})

export const analysisFailure = z.object({
  error: z.string().meta({ description: 'class of the error, with the code of the database if it has one' }),
  message: z.string(),
  at: z.string(),
  version: z.string().meta({ description: 'of Inquest' }),
  attempts: z.int().meta({ description: 'analyses in a row that failed' }),
})

export const executionDetail = executionItem.extend({
  analysisFailure: analysisFailure.nullable().meta({
    description:
      'why its last analysis failed; new records, `reingest` and another version of Inquest try again. null: it did not fail',
  }),
  parity: z
    .object({
      verdict: z.string(),
      worst: z.string().nullable(),
      lostFrom: z.string().nullable().meta({ description: 'layer behind which data was lost first' }),
      checkedAt: z.string(),
    })
    .nullable()
    .meta({ description: 'what the newest check of its layers found; null: none was made' }),
  correction: causeCorrection
    .nullable()
    .meta({ description: 'what a person says against its cause; null: nobody says anything' }),
  output: runOutput.nullable().meta({
    description:
      'the end of what its recorded process wrote, where it did not succeed; null: nothing was recorded',
  }),
  decision: decisionLine.meta({ description: 'in short; all of it is at /decision' }),
  attention: z
    .object({ needed: z.boolean(), rule: z.string(), params: z.unknown(), text: z.string() })
    .nullable()
    .meta({ description: 'the rule behind `needsAttention`' }),
  outcomeRule: z.string(),
  outcomeBecause: z.string(),
  outcomeParams: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'values of the rule; null where a decision gave the outcome' }),
  causeParams: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'values of the rule of the cause' }),
  causeEarlier: z
    .object({ id: z.string(), params: z.record(z.string(), z.unknown()) })
    .nullable()
    .meta({ description: 'what failed before the cause, as a message with its values' }),
  advice: advice.nullable(),
  signalHints: z.array(signalHint).meta({
    description: 'what the failure block of the run breaks of its contract; nothing is judged by it',
  }),
  silence: z
    .object({
      counts: z.record(z.string(), z.int()),
      findings: z.array(silenceFinding).meta({ description: 'the first 200' }),
    })
    .nullable()
    .meta({ description: 'where its receipts are silent, or say other than what happened' }),
  repeats: z.array(repeatedCall).meta({
    description: 'what its calls did more than once, or may have, as its receipts tell; at most 100',
  }),
  usage: z.object({
    inputTokens: z.int(),
    outputTokens: z.int(),
    cacheReadInputTokens: z.int(),
    cacheCreationInputTokens: z.int(),
    messages: z.int(),
    costUsd: z.number().nullable(),
  }),
  disagreements: z.array(
    z.object({
      fact: z.string(),
      rule: z.string().optional().meta({
        description: 'the rule that `fact` is the text of; left out by older versions, as its values are',
      }),
      params: z.unknown().optional(),
      values: z.array(z.object({ channel: z.string(), ...channelAlias, said: z.string() })),
      used: z.string(),
    }),
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
  agentRuns: z
    .array(
      z.object({
        callId: z.string(),
        step: z.string(),
        callState: z.string(),
        id: z.string(),
        externalId: z.string(),
        outcome: z.string(),
        cause: z.string().nullable(),
        advice: advice.nullable(),
      }),
    )
    .meta({
      description:
        'own runs of agents that a run of a workflow engine called: of those that failed in it, and of those that it calls fine and whose own run ended otherwise',
    }),
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
  ciRuns: z.array(ciMembership),
  pipeline: pipelineRun
    .nullable()
    .meta({ description: 'what the files of a run of async-pipeline tell; null: it is none' }),
  placeInChain: z.object({ attempt: z.int().nullable(), place: z.int(), attempts: z.int() }).nullable().meta({
    description:
      'its place, from 1, among the attempts of the chain to go by, and the number of the attempt where the source counts; null for a work that was tried once',
  }),
  receipts: z
    .int()
    .meta({ description: 'receipts of its calls; the chains that hold them are at /receipt-chains' }),
  redactions: z.int(),
  firstSeenAt: z.string(),
  updatedAt: z.string(),
  version: z.int().meta({ description: 'grows with every change; for live readers' }),
})

export const call = z.object({
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
  numberInChain: z.int().nullable(),
  linkRule: z.string().nullable().meta({ description: 'why it was linked to the call before it, in words' }),
  link: z
    .object({ rule: z.string(), params: z.record(z.string(), z.unknown()) })
    .nullable()
    .meta({
      description: 'that rule by its id, with its values; null: no link, or one that an older version wrote',
    }),
  linkBasis: z.string().nullable(),
  inputChanged: z.boolean().nullable(),
  attachedTo: z.object({ callId: z.string().nullable(), why: z.string() }).nullable(),
  resolution: z
    .object({
      resolution: z.enum(RESOLUTIONS),
      rule: z.string(),
      params: z.unknown(),
      text: z.string(),
    })
    .nullable()
    .meta({
      description:
        'what became of a failed call, inferred; null: it did not fail, or an older version read it. `params.number` is the call that did its work, from 1',
    }),
  retry: z
    .object({ verdict: z.enum(RETRY_VERDICTS), rule: z.string(), params: z.unknown(), text: z.string() })
    .nullable()
    .meta({
      description:
        'whether the identical call, made again at once, would succeed; inferred. null: it did not fail, or an older version read it',
    }),
  isMain: z.boolean().meta({ description: 'whether the cause of the execution is about it' }),
  childId: z.string().nullable(),
  childOutcome: z
    .string()
    .nullable()
    .meta({ description: 'how the execution ended that the call started, whatever the call itself says' }),
  disagreements: z.array(
    z.object({
      channel: z.string(),
      ...channelAlias,
      fact: z.string(),
      said: z.string(),
      used: z.string(),
    }),
  ),
})

export const event = z.object({
  ordinal: z.int().meta({ description: '0-based place in the execution, as it is known now' }),
  streamId: z.string(),
  offset: z.int(),
  channel: z.string(),
  ...channelAlias,
  kind: z.string(),
  type: z.string(),
  at: z.string().nullable(),
  summary: z.string(),
  oddReason: z.string().nullable(),
  oddDetail: z.string().nullable(),
  callIds: z.array(z.string()),
  resultCallIds: z.array(z.string()),
  failed: z.boolean(),
  failureClass: z.string().nullable().meta({
    description: 'how the call failed that the event is the result of; null: it is none of a failed call',
  }),
  rowId: z
    .string()
    .nullable()
    .meta({ description: 'id of the row that it is in its engine; the same row can come by several ways' }),
  pointer,
})

export const page = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() })

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
export type DecisionLine = z.infer<typeof decisionLine>
export type CiMembership = z.infer<typeof ciMembership>
export type CallItem = z.infer<typeof call>
export type EventItem = z.infer<typeof event>
