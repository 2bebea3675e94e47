import { z } from 'zod'
import { CHANGE_FITS } from '../judge/changes/read-change'

/** Documents about what an agent changed, by its transcript. None of it was proposed by anybody. */

export const changeItem = z.object({
  ordinal: z.int().meta({ description: 'place of the call that made it among the calls of the execution' }),
  callId: z.string(),
  tool: z.string(),
  at: z.string().nullable(),
  path: z.string().meta({ description: 'as the tool names it' }),
  name: z.string().meta({ description: 'below the folder that the agent worked in, where it lies there' }),
  fit: z.string().meta({ description: `${CHANGE_FITS.join(', ')}, or too-large: it was not read` }),
  additions: z.int(),
  deletions: z.int(),
  hunks: z.int(),
  afterFailure: z
    .boolean()
    .nullable()
    .meta({ description: 'whether the call came behind the first one that failed; null: none failed' }),
  pointer: z.object({ received: z.string(), byteStart: z.int(), byteEnd: z.int() }),
})

export const changeDetail = changeItem.extend({
  patch: z.string().nullable().meta({
    description:
      'assembled by Inquest from the transcript, not proposed by anybody, which its first line says; null: no line was recorded',
  }),
})

export type ChangeItem = z.infer<typeof changeItem>
export type ChangeDetail = z.infer<typeof changeDetail>
