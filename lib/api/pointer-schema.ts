import { z } from 'zod'

/** A place in the raw records. */
export const pointer = z.object({
  received: z.string().meta({ description: 'SHA-256 of the kept bytes, hex' }),
  byteStart: z.int(),
  byteEnd: z.int().meta({ description: 'exclusive' }),
  jsonPointer: z.string().optional(),
})
