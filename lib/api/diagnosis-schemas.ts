import { z } from 'zod'
import { RUN_DIAGNOSIS_STATES } from '../judge/diagnosis/run-diagnosis'
import { DIAGNOSIS_CATEGORIES, DIAGNOSIS_KEYS } from '../model/diagnosis-lists'
import { RETRY_ANSWERS } from '../model/execution'
import { pointer } from './pointer-schema'

/** Documents about diagnoses of failed agents. */

const state = z.enum(RUN_DIAGNOSIS_STATES)
const json = z.string().meta({ description: 'JSON with all digits' })

const row = z.object({
  eventId: z.string().nullable(),
  type: z.string(),
  step: z.string().nullable(),
  at: z.string().nullable(),
  what: z.enum(['tool_error', 'agent_failure']),
  text: z.string().nullable(),
  pointer,
  whole: pointer.meta({ description: 'the whole row' }),
})

const value = z.object({
  keys: z.object(
    Object.fromEntries(DIAGNOSIS_KEYS.map((key) => [key, json.nullable()])) as Record<
      (typeof DIAGNOSIS_KEYS)[number],
      z.ZodNullable<typeof json>
    >,
  ),
  others: z
    .array(z.object({ key: z.string(), json }))
    .meta({ description: 'keys that the contract does not know' }),
  problems: z.array(z.string()).meta({ description: 'what breaks the contract; nothing is repaired' }),
  groupCategory: z.enum(DIAGNOSIS_CATEGORIES),
  lowConfidence: z.boolean().nullable(),
  namesRun: z.string().nullable(),
  json,
})

const place = z.object({
  eventId: z.string().nullable(),
  type: z.string(),
  at: z.string().nullable(),
  pointer,
})

const agentRun = z.object({
  id: z.string(),
  externalId: z.string(),
  outcome: z.string(),
  cause: z.string().nullable().meta({ description: 'the sentence of its own cause' }),
  advice: z
    .object({
      retry: z.enum(RETRY_ANSWERS),
      verdict: z.string().optional(),
      retryBecause: z.string(),
      next: z.string(),
    })
    .nullable(),
  firstFailure: row.nullable().meta({ description: 'first row of that run that tells of a failure' }),
  lastFailure: row.nullable(),
})

const versions = z
  .array(z.object({ state: z.string(), pointer }))
  .meta({ description: 'raw records with another version of this row that differs at this place' })

const one = z.object({
  state,
  step: z.string().nullable(),
  error: z
    .object({
      kind: json.nullable(),
      code: json.nullable(),
      message: json.nullable(),
      retryable: json.nullable(),
    })
    .nullable()
    .meta({
      description:
        'what the agent itself returned, which no diagnosis replaces; null: its row cannot be read',
    }),
  row: place.meta({ description: 'the whole row that it was read from, or would stand in' }),
  childId: z.string().nullable().meta({ description: 'run of the agent, as its source names it' }),
  agentRun: agentRun.nullable().meta({
    description:
      'what the own run of the agent says of its failure; null: it is not stored as a child of this execution',
  }),
  eventId: z.string().nullable().meta({ description: 'row that it was read from' }),
  pointer: pointer.nullable(),
  value: value.nullable().meta({ description: 'what stands in its place; null: nothing' }),
  versions,
  retold: versions.optional().meta({ deprecated: true, description: 'use `versions`' }),
  attempts: z
    .array(
      z.object({ id: z.string(), externalId: z.string(), path: z.string().nullable(), outcome: z.string() }),
    )
    .meta({ description: 'runs that were started to make it' }),
  elsewhere: z.object({ id: z.string(), externalId: z.string(), row: place, value }).nullable().meta({
    description:
      'what one of those runs kept, where no row of the agent holds a diagnosis: read there, and attached to nothing',
  }),
})

export const runDiagnosis = z.object({
  executionId: z.string(),
  holderId: z.string().nullable().meta({
    description:
      'execution whose rows contain it: this one, or its parent for the run of an agent; null: none does',
  }),
  toldBy: z.string().nullable().optional().meta({ deprecated: true, description: 'use `holderId`' }),
  state: state.meta({ description: 'of the first agent that failed' }),
  diagnoses: z.array(one).meta({ description: 'one for each agent that failed, in the order of time' }),
  unclaimed: z.object({ id: z.string(), externalId: z.string(), row: place, value }).nullable().meta({
    description:
      'a diagnosis that a child of it made, where no row here says how the agent ended that it is about',
  }),
  firstFailure: row
    .nullable()
    .meta({ description: 'first row of this execution that tells of a failure: where to begin' }),
  lastFailure: row.nullable().meta({ description: 'the last one, which a diagnosis may speak of' }),
})

export type RunDiagnosisDocument = z.infer<typeof runDiagnosis>
