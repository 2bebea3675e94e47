import { CHECK_VERDICTS, DIFFERENCE_KINDS, FORMS, LAYER_STATES, SEVERITIES } from '../model/parity'
import { z } from 'zod'
import { PARITY_WINDOWS } from '../judge/parity/parity-question'
import { executionItem } from './schemas'

/** Documents about the parity of layers. */

const form = z.enum(FORMS).meta({
  description:
    'the shape that was compared: diagnoses that were made (inferred), a document of the source, or what is made of it here',
})

const severity = z.enum(SEVERITIES)
const difference = z.object({
  path: z.string().meta({
    description:
      'RFC 6901 pointer into the left layer; where that lacks the value, the last token is that of the right one',
  }),
  kind: z.enum(DIFFERENCE_KINDS),
  kindRule: z
    .string()
    .optional()
    .meta({ description: 'the rule that decided the kind; older servers leave it out' }),
  severity,
  rule: z.string().meta({ description: 'the rule that decided the severity' }),
})
const explained = difference.extend({
  reason: z.string().meta({ description: 'the rule that explains the difference' }),
})
const differenceWithValues = difference.extend({
  values: z.record(z.string(), z.string().nullable()).optional().meta({
    description:
      'what each layer of that form holds there as JSON, cut; null: nothing; left out behind the first 100',
  }),
})

const transition = z.object({
  form,
  from: z.string(),
  to: z.string(),
  over: z.array(z.string()).meta({ description: 'layers between the two that could not be read' }),
  equal: z.boolean(),
  differences: z.array(differenceWithValues),
  byDesign: z.array(explained).meta({ description: 'what a rule explains; does not count' }),
  scalarOnly: z.array(z.string()).meta({
    description:
      'objects that lost containers only and kept all of their scalars: the mark of a scalar-only projection',
  }),
  isWhole: z.boolean().meta({ description: 'false: there are more differences than are listed' }),
})

const checkedLayer = z.object({
  form,
  layer: z.string(),
  state: z.enum(LAYER_STATES),
  why: z.string().nullable().meta({ description: 'in a sentence, where the state alone does not say it' }),
  rule: z
    .string()
    .nullable()
    .meta({ description: 'the rule behind `why`; null: none, or `why` is a text of its source' }),
  params: z.unknown().meta({ description: 'the values of that rule' }),
  sha256: z.string().nullable().meta({ description: 'digest of what was compared; null: there was no text' }),
  bytes: z.int().nullable(),
  counts: z.boolean().meta({
    description: 'false: it cannot be read from here for this source, and the verdict does not go by it',
  }),
})

const versions = z
  .array(z.object({ eventId: z.string(), received: z.string(), byteStart: z.int(), byteEnd: z.int() }))
  .meta({
    description:
      'raw records with another version of a row than the one in use, in the order of `/events` of the form `versions`',
  })

export const parity = z.object({
  executionId: z.string(),
  checkedAt: z.string().meta({ description: 'when this was found; it is stored' }),
  verdict: z
    .enum(['equal', 'different', 'unknown'])
    .meta({ description: 'equal only when every layer that counts was read and compared in full' }),
  worst: severity.nullable(),
  firstCritical: z
    .object({ form, from: z.string(), to: z.string() })
    .nullable()
    .meta({ description: 'where the data was lost' }),
  layers: z.array(checkedLayer),
  transitions: z.array(transition),
  failedControls: z.array(z.string()).meta({
    description:
      'ids of the controls that failed: pairs of which the comparison found other than what is known of them; where there are any, its verdicts are not trustworthy',
  }),
  sourceCheck: z
    .object({
      verdict: z.enum(['pass', 'fail']),
      reason: z.string().nullable(),
      issues: z
        .array(
          z.object({
            code: z.string(),
            path: z.string(),
            step: z.string(),
            eventType: z.string(),
            eventId: z.string().nullable(),
            row: z.int().meta({ description: 'place in `/events` of the run' }),
          }),
        )
        .optional()
        .meta({
          description:
            'what rows lost, which are the differences of the form `steps`; objects of a list that are still there are left out. Older servers leave it out',
        }),
    })
    .nullable()
    .meta({
      description:
        'what the check of the source itself says of this run, where it has one: both its sides come from the log',
    }),
  versions,
  retold: versions.optional().meta({ deprecated: true, description: 'use `versions`' }),
  changedParts: z
    .array(z.string())
    .meta({ description: 'digests of kept parts whose bytes are not those that were kept' }),
})

export type ParityDocument = z.infer<typeof parity>

const counted = z.object({ value: z.string(), count: z.int() })

const heatCell = z.object({
  from: z.string(),
  to: z.string(),
  executions: z.int().meta({ description: 'with a difference there' }),
  differences: z.int(),
  worst: severity,
})

export const parityOverview = z.object({
  window: z.enum(PARITY_WINDOWS),
  rate: z
    .object({
      checked: z.int(),
      equal: z.int(),
      different: z.int(),
      inDoubt: z.int().meta({
        description:
          'nothing was found to differ, and something is known to be gone from before the first layer',
      }),
      unknown: z.int().meta({ description: 'a layer could not be compared' }),
      notTrustworthy: z.int().meta({ description: 'checked by a comparison that failed its controls' }),
      oldest: z.string().nullable().meta({ description: 'when the oldest of these checks was made' }),
      notChecked: z.int(),
      notCheckedCapped: z.boolean().meta({ description: 'there are more than are counted' }),
    })
    .meta({
      description:
        'the newest check of each of the 10,000 executions that were checked last, whatever the window',
    }),
  heat: z.object({
    executions: z.int().meta({ description: 'that differ within the window and under the facets' }),
    executionsCapped: z
      .boolean()
      .meta({ description: 'only the 10,000 that were checked last are looked at' }),
    transitions: z
      .array(z.object({ from: z.string(), to: z.string() }))
      .meta({ description: 'columns, in the order in which the data travels' }),
    rows: z
      .array(z.object({ path: z.string(), executions: z.int(), worst: severity, cells: z.array(heatCell) }))
      .meta({
        description: 'places, list indices as `*`, the worst first; cells without a difference are left out',
      }),
    moreRows: z.int(),
    kinds: z.array(counted).meta({ description: 'executions by kind, without the choice of kinds' }),
    severities: z.array(counted),
  }),
  failedControls: z.array(z.string()),
})

export const parityExecution = z.object({
  checkedAt: z.string(),
  verdict: z.enum(CHECK_VERDICTS),
  worst: severity.nullable(),
  differences: z.int().nullable().meta({ description: 'in the cell; null without one' }),
  kinds: z.array(z.string()).nullable().meta({ description: 'in the cell; null without one' }),
  why: z
    .string()
    .nullable()
    .meta({ description: 'in a sentence, why it is in doubt or not known, where that was said' }),
  execution: executionItem,
})

export type ParityOverview = z.infer<typeof parityOverview>
export type ParityExecution = z.infer<typeof parityExecution>
