import { z } from 'zod'
import type { CauseCorrection } from '../model/cause-correction'
import { pointer } from './pointer-schema'

export const causeCorrection = z.object({
  id: z.string(),
  executionId: z.string(),
  executionTitle: z.string().nullable(),
  project: z.string().meta({ description: 'slug of the project' }),
  judged: z
    .object({
      rule: z.string().nullable(),
      text: z.string(),
      pointer: pointer.nullable(),
      callId: z.string().nullable().meta({ description: 'call that the cause was about; null: about none' }),
    })
    .meta({ description: 'the cause as it was when it was corrected' }),
  call: z
    .object({
      id: z.string(),
      tool: z.string().nullable(),
      target: z.string().nullable(),
      number: z.int().nullable().meta({ description: 'place among the calls, from 1' }),
    })
    .nullable()
    .meta({
      description:
        'the failed call to show instead, without its values where the execution no longer has it; null: nothing needs attention',
    }),
  reason: z.string(),
  by: z.string(),
  at: z.string(),
  undone: z.object({ by: z.string(), at: z.string() }).nullable(),
  today: z.enum(['same', 'agrees', 'other']).meta({
    description:
      'the cause is still the one that was corrected, it says what the person said, or it is another one',
  }),
  url: z.string(),
}) satisfies z.ZodType<CauseCorrection>
