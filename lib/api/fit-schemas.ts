import { z } from 'zod'
import { FIT_OUTCOMES, isBranchName } from '../judge/fixes/fit'
import { FIT_TROUBLES, NOT_CHECKED, NOT_LOOKED } from '../model/fits'
import { schemaText } from '../words/server/schemas'

/** Documents about mirrors, and about whether a patch still fits. */
const slug = z
  .string()
  .min(1)
  .max(80)
  .meta({ description: 'slug of the project; may be left out when there is one, or one called `default`' })
const branch = z.string().trim().refine(isBranchName, schemaText.notABranch)

export const mirrorItem = z.object({
  id: z.string(),
  project: z.string(),
  repository: z
    .string()
    .nullable()
    .meta({ description: 'as fixes name it in base.repository; null: for fixes that name none' }),
  path: z.string().meta({ description: 'below the folder that the operator allows' }),
  branch: z.string().meta({ description: 'for fixes that name no branch' }),
  head: z.string().nullable().meta({ description: 'the commit that this branch stands at now' }),
  trouble: z.string().nullable().meta({ description: 'why it cannot be used now' }),
  createdAt: z.string(),
})

export const newMirror = z.strictObject({
  project: slug.optional(),
  repository: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .nullable()
    .default(null)
    .meta({ description: 'as fixes name it in base.repository; null: for fixes that name none' }),
  path: z
    .string()
    .trim()
    .min(1)
    .max(1_000)
    .meta({ description: 'a repository below the folder that the operator allows' }),
  branch: branch.optional().meta({ description: 'left out, the one that the repository has checked out' }),
})

const side = z.object({
  commit: z.string().nullable().meta({ description: 'whole id of the commit or tree that was looked at' }),
  outcome: z.enum(FIT_OUTCOMES),
  why: z.enum(NOT_CHECKED).nullable().meta({ description: 'why nothing was checked' }),
  words: z.string().nullable().meta({ description: 'what git says where it could not do it' }),
  troubles: z.array(
    z.object({
      kind: z.enum(FIT_TROUBLES),
      file: z.int().nullable().meta({ description: 'place of the file in the patch, from 0' }),
      name: z.string().nullable(),
      hunk: z.int().nullable().meta({ description: 'counts the hunks of the file, from 1' }),
      place: z
        .object({ side: z.enum(['old', 'new']), line: z.int() })
        .nullable()
        .meta({ description: 'where its first changed line stands' }),
      words: z.string().meta({ description: 'what git says' }),
    }),
  ),
  troublesTotal: z.int(),
  moved: z
    .array(z.object({ file: z.int(), hunk: z.int(), lines: z.int() }))
    .meta({ description: 'hunks that fit, so many lines further down (or up)' }),
})

export const fixFit = z.object({
  standing: z.enum(['none', 'waiting', 'running', 'checked']).meta({
    description:
      'none: nothing was checked; waiting, running: a check is on its way, and the fields below tell of the one before',
  }),
  outcome: z.enum(FIT_OUTCOMES).meta({ description: 'for the head of the branch, else for the base' }),
  why: z.enum(NOT_CHECKED).nullable(),
  requestedAt: z.string().nullable(),
  checkedAt: z.string().nullable(),
  sha256: z.string().nullable().meta({ description: 'of the patch that was checked' }),
  gitVersion: z.string().nullable(),
  repository: z.string().nullable(),
  branch: z.string().nullable(),
  base: side.nullable(),
  head: side.nullable(),
  headNow: z.string().nullable().meta({ description: 'the commit that the branch stands at now' }),
  stale: z
    .enum(['head-moved', 'branch-gone', 'mirror-changed', 'mirror-gone'])
    .nullable()
    .meta({ description: 'why the check says nothing of now' }),
  applied: z
    .object({
      outcome: z.enum(['seen', 'not-seen', 'not-checked']),
      why: z.enum([...NOT_CHECKED, ...NOT_LOOKED]).nullable(),
      commit: z.string().nullable().meta({ description: 'whole id of the commit that was looked at' }),
      repository: z.string().nullable(),
      branch: z.string().nullable().meta({ description: 'null: the report names the commit' }),
      others: z
        .array(z.object({ name: z.string(), promised: z.string().nullable(), found: z.string().nullable() }))
        .meta({
          description:
            'the first files that are otherwise than the patch makes them: mode and blob; null: no file',
        }),
      othersTotal: z.int(),
    })
    .nullable()
    .meta({
      description:
        'whether what a person reports to have applied was seen in a commit of the mirror; null: nobody reported it',
    }),
  mayCheck: z.boolean(),
  whyNotCheck: z.string().nullable(),
})

export type MirrorItem = z.infer<typeof mirrorItem>
export type FixFit = z.infer<typeof fixFit>
