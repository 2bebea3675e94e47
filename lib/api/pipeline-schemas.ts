import { z } from 'zod'
import { pointer } from './pointer-schema'

const pipelineTask = z.object({
  id: z.string(),
  status: z.string().nullable(),
  attempts: z.int().nullable(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  durationMs: z.int().nullable(),
  cacheKey: z.string().nullable(),
  cacheHit: z.boolean(),
  metadata: z
    .record(z.string(), z.string())
    .meta({ description: 'of a hit of the cache that of the old result' }),
  error: z.string().nullable(),
  failure: z.string().nullable().meta({ description: 'what the words of the error say went wrong' }),
  exitCode: z.int().nullable().meta({ description: 'read out of the error; the tool writes none' }),
  pointer,
  reproduce: z
    .object({ command: z.string(), recorded: z.boolean() })
    .nullable()
    .meta({ description: 'recorded: its context pack says so' }),
  attemptsInLog: z.int().meta({ description: 'attempts that the log has a line for' }),
  attemptsTold: z.int().optional().meta({ deprecated: true, description: 'use `attemptsInLog`' }),
  log: z.object({
    state: z
      .enum(['kept', 'none', 'shared'])
      .meta({ description: 'shared: another task of the run has the same name for its files' }),
    pointer: pointer.nullable(),
    dropped: z
      .string()
      .nullable()
      .meta({ description: 'the line by which the tool says that it dropped the beginning' }),
    cutBytes: z.int().nullable().meta({ description: 'bytes of its beginning that were not sent' }),
  }),
  context: z
    .object({
      logTail: z
        .string()
        .nullable()
        .meta({ description: 'of the first five failed tasks; the bytes have the others' }),
      inputs: z
        .object({
          baseline: z
            .object({ cacheKey: z.string().nullable(), recordedAt: z.string().nullable() })
            .nullable()
            .meta({ description: 'the last pass; null: there was none' }),
          added: z.array(z.string()),
          removed: z.array(z.string()),
          changed: z.array(z.string()),
          leftOut: z.int(),
        })
        .nullable(),
      claims: z.array(z.string()),
      pointer,
    })
    .nullable()
    .meta({ description: 'failure context pack' }),
  agent: z
    .object({
      profile: z.string().nullable(),
      model: z.string().nullable(),
      code: z.int().nullable(),
      timedOut: z.boolean().nullable(),
      pointer,
    })
    .nullable()
    .meta({ description: 'last exchange of an agent step' }),
})

/** A run of a pipeline, with its tasks. */
export const pipelineRun = z.object({
  pipeline: z.string().nullable(),
  job: z.string().nullable(),
  mode: z.string().nullable(),
  status: z.string().nullable(),
  alone: z.boolean().meta({ description: 'its record came without the files beside it' }),
  sources: z.array(
    z.object({
      id: z.string(),
      type: z.string().nullable(),
      commit: z.string().nullable(),
      ref: z.string().nullable(),
      dirty: z.boolean().nullable(),
    }),
  ),
  tasks: z
    .array(pipelineTask)
    .meta({ description: 'those that ended; the record does not name those that never started' }),
  tasksLeftOut: z.int(),
  notListed: z
    .array(z.string())
    .meta({ description: 'tasks with a context pack that the record does not list' }),
  patches: z.array(
    z.object({
      origin: z.string(),
      fileName: z.string(),
      of: z.string(),
      size: z.int(),
      sha256: z.string(),
      pointer,
    }),
  ),
})
