import { z } from 'zod'
import { SCOPES } from '../auth/permissions'
import { ROLES } from '../auth/roles'
import { limits } from '../limits'
import { READY_STATES } from './ready-state'
import { analysisFailure } from './schemas'
import { pointer } from './pointer-schema'

/** Documents and bodies of the admin endpoints: sources, keys, people, one-time links. */
const name = z.string().trim().min(1).max(120)
const slug = z
  .string()
  .min(1)
  .max(80)
  .meta({ description: 'slug of the project; may be left out when there is one, or one called `default`' })
const password = z.string().min(limits.passwordCharsMin).max(limits.passwordCharsMax)
const email = z
  .email()
  .max(254)
  .transform((text) => text.toLowerCase())

export const sourceItem = z.object({
  id: z.string(),
  project: z.string(),
  kind: z.string(),
  name: z.string(),
  redact: z.boolean().meta({ description: 'secrets are taken out before anything is written' }),
  createdAt: z.string(),
})
export const newSource = z.strictObject({
  project: slug.optional(),
  kind: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/),
  name,
  redact: z.boolean().optional(),
})
export const sourceChange = z.strictObject({ redact: z.boolean() })

export const keyItem = z.object({
  id: z.string(),
  project: z.string(),
  name: z.string(),
  start: z.string().meta({ description: 'first characters of the key' }),
  scopes: z.array(z.string()),
  createdBy: z.string().nullable(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
})
/** The local command line's scope is not for keys that people make. */
const grantable = SCOPES.filter((scope) => scope !== 'admin')
export const newKey = z.strictObject({
  project: slug.optional(),
  name,
  scopes: z.array(z.enum(grantable)).min(1),
  expiresInDays: z.int().min(1).max(3650).optional(),
})
export const madeKey = keyItem.extend({ key: z.string().meta({ description: 'shown this once' }) })

export const personItem = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  globalAdmin: z.boolean(),
  roles: z.array(z.object({ project: z.string(), role: z.string() })),
  invited: z.boolean().meta({ description: 'has not chosen a password yet' }),
  createdAt: z.string(),
  lastSignInAt: z.string().nullable(),
})
export const newPerson = z.strictObject({
  project: slug.optional(),
  email,
  name: name.optional(),
  role: z.enum(ROLES),
  globalAdmin: z.boolean().optional(),
})
export const personChange = z.union([
  z.strictObject({ project: slug.optional(), role: z.enum(ROLES).nullable() }),
  z.strictObject({ globalAdmin: z.boolean() }),
])
export const firstAdminLink = z.object({ link: z.string(), expiresAt: z.string() })
export const personLink = z.object({
  personId: z.string(),
  link: z.string().meta({ description: 'opens once; shown this once' }),
  expiresAt: z.string(),
})

export const oneTimeLink = z.object({
  purpose: z.enum(['first-admin', 'invite', 'reset']),
  name: z.string().nullable(),
  email: z.string().nullable(),
  asksFor: z
    .array(z.enum(['name', 'email', 'password']))
    .meta({ description: 'fields that using it up needs' }),
  expiresAt: z.string(),
})
export const linkRedemption = z.strictObject({
  name: name.optional(),
  email: email.optional(),
  password: password.optional(),
})

export const streamStanding = z.object({
  streamId: z.string(),
  fileName: z.string().nullable(),
  nextOffset: z.int().meta({ description: 'where to go on in the original' }),
  parts: z
    .array(
      z.object({
        offset: z.int(),
        length: z.int(),
        sha256: z.string(),
        pending: z.boolean().meta({ description: 'waits for the bytes before it' }),
      }),
    )
    .meta({ description: 'of the original, before anything was taken out' }),
})

export const found = z.object({
  kind: z.string().meta({ description: 'execution, session, receipt, call, chain, event or received' }),
  executionId: z.string(),
  callId: z.string().optional(),
  receiptKey: z.string().optional().meta({ description: 'which of the receipts that share an id' }),
  chainId: z.string().optional(),
  pointer: pointer.optional().meta({ description: 'where a record stands in the kept bytes' }),
  label: z.string(),
})

export const readiness = z.strictObject({ status: z.enum(READY_STATES) })

export const reingestBody = z.strictObject({
  project: slug.optional(),
  execution: z.string().optional().meta({ description: 'only this one, from its events' }),
})

export const reingestAnswer = z.object({
  streams: z.int(),
  executions: z.int().meta({ description: 'executions that were analysed anew' }),
  records: z.int(),
  quarantined: z.int().meta({ description: 'executions whose analysis failed' }),
})

/** A rebuild of a whole project. */
export const reingestItem = z.object({
  id: z.string(),
  project: z.string(),
  state: z.string().meta({
    description:
      'queued, running, stopping, done, stopped or failed; what was rebuilt stays rebuilt whatever becomes of the rest',
  }),
  phase: z.string().meta({ description: 'streams, then executions, then fixes' }),
  done: z.int().meta({ description: 'streams or executions of this phase that are done with' }),
  total: z.int().meta({ description: 'how many there were when the phase began' }),
  streams: z.int(),
  executions: z.int().meta({ description: 'executions that were analysed anew' }),
  records: z.int(),
  quarantined: z.int().meta({ description: 'executions whose analysis failed' }),
  problems: z
    .array(
      z.object({
        kind: z.string().meta({ description: 'stream, execution, patches (of a run) or fix' }),
        id: z.string(),
        name: z.string(),
        error: z.string(),
        message: z.string(),
      }),
    )
    .meta({ description: 'what could not be rebuilt and stays as it was; the first 100' }),
  problemsTotal: z.int(),
  error: z.string().nullable().meta({ description: 'why it failed' }),
  requestedAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  url: z.string(),
})
/** An execution that shows what was known before its analysis failed. */
export const analysisFailureItem = z.object({
  id: z.string(),
  externalId: z.string(),
  project: z.string(),
  title: z.string().nullable(),
  failure: analysisFailure,
  url: z.string(),
})
export const analysisFailureList = z.object({
  items: z
    .array(analysisFailureItem)
    .meta({ description: `the one tried last first; at most ${limits.pageRowsMax}` }),
  total: z.int().meta({ description: 'all of them, also those that are not listed' }),
})
export type AnalysisFailureItem = z.infer<typeof analysisFailureItem>

export const reingestList = z.object({ items: z.array(reingestItem) })
export type ReingestItem = z.infer<typeof reingestItem>

export type SourceItem = z.infer<typeof sourceItem>
export type KeyItem = z.infer<typeof keyItem>
export type PersonItem = z.infer<typeof personItem>
export type OneTimeLinkItem = z.infer<typeof oneTimeLink>
