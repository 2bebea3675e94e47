import { z } from 'zod'

/** The name that `channel` had in 0.1.0. Answers keep it beside the new one. */
export const channelAlias = {
  door: z.string().optional().meta({ deprecated: true, description: 'use `channel`' }),
}
