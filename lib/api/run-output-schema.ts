import { z } from 'zod'
import type { RunOutput } from '../model/run-output'

/** The end of what a recorded process wrote. */
export const runOutput = z.object({
  expected: z
    .array(
      z.object({
        what: z.enum(['marker', 'pattern']),
        text: z.string(),
        state: z.enum(['found', 'missing', 'invalid', 'differs', 'unknown']),
      }),
    )
    .meta({ description: 'what was expected of the output where some of it is missing; else empty' }),
  streams: z.array(
    z.object({
      name: z.enum(['stdout', 'stderr', 'answer']),
      cut: z.boolean().meta({ description: 'only its end is kept here; all of it is in the received files' }),
      chunks: z.array(
        z.object({
          before: z.int().meta({ description: 'lines before it that are not shown' }),
          lines: z.array(
            z.object({
              text: z.string(),
              decisive: z.boolean().meta({ description: 'the line that says why it failed' }),
            }),
          ),
        }),
      ),
    }),
  ),
}) satisfies z.ZodType<RunOutput>
