import { z } from 'zod'
import { limits } from '../limits'
import type { CauseCorrection, RuleCorrections } from '../model/cause-correction'
import { page } from './schemas'
import { causeCorrection } from './correction-document'
import { pointer } from './pointer-schema'

/** What a person says against a cause, with the cause as they saw it. */
export const newCorrection = z.strictObject({
  call: z
    .string()
    .min(1)
    .max(limits.filterCharsMax)
    .nullable()
    .meta({ description: 'id of the failed call that is the cause; null: nothing needs attention' }),
  reason: z.string().max(limits.correctionReasonCharsMax).default(''),
  judged: z.strictObject({ rule: z.string().nullable(), pointer: pointer.nullable() }).meta({
    description: '`cause.rule` and `cause.pointer` as they were read; 409 when the cause is another one now',
  }),
})

/** Of `DELETE`: the correction that the caller means. */
export const undoQuery = z.object({ correction: z.uuid().optional() })

const ruleCorrections = z.object({
  rule: z.string().nullable().meta({ description: 'null: causes from before there were rules' }),
  corrected: z.int().meta({ description: 'active corrections of causes by this rule' }),
  nothing: z.int().meta({ description: 'of them, those that say that nothing needs attention' }),
  shown: z.int().meta({
    description: `executions whose cause is by this rule; ${limits.countMax + 1} means more than ${limits.countMax}`,
  }),
}) satisfies z.ZodType<RuleCorrections>

export const correctionList = page(causeCorrection).extend({
  rules: z
    .array(ruleCorrections)
    .nullable()
    .meta({ description: 'counts of every rule, with the first page only' }),
})
export type CorrectionList = {
  items: CauseCorrection[]
  nextCursor: string | null
  rules: RuleCorrections[] | null
}
