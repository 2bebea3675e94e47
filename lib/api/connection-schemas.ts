import { z } from 'zod'
import { readBaseUrl } from '../connections/address'
import { textOf } from '../words/catalogue'
import { ADDRESS_TROUBLE_WORDS } from '../words/connections'
import { FETCH_FAILURES } from '../model/fetch-failures'
import { CONNECTION_STATES } from '../connections/state'
import { limits } from '../limits'

/** Documents and bodies of connected servers. Credentials are write-only. */
const name = z.string().trim().min(1).max(120)
const slug = z
  .string()
  .min(1)
  .max(80)
  .meta({ description: 'slug of the project; may be left out when there is one, or one called `default`' })

const baseUrl = z
  .string()
  .max(2_000)
  .transform((text, context) => {
    const read = readBaseUrl(text)
    if ('url' in read) return read.url
    context.issues.push({ code: 'custom', message: textOf(ADDRESS_TROUBLE_WORDS, read.trouble), input: text })
    return z.NEVER
  })
  .meta({ description: 'address of the server, without /api; only what lies below it is asked' })

/** The connection itself is ours to make. */
const OWN_HEADERS =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-.*|expect|accept|accept-encoding|range)$/i
const header = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(100)
      .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'This is no name of a header.')
      .refine((text) => !OWN_HEADERS.test(text), 'This header belongs to the connection itself.'),
    value: z
      .string()
      .trim()
      .min(1)
      .max(8_000)
      .regex(/^[\x20-\x7e]+$/, 'A header holds printable ASCII only.'),
  })
  .meta({
    description: 'goes along with each question, to this server only; such as Authorization: Bearer …',
  })

const databaseUrl = z
  .string()
  .max(2_000)
  .regex(/^postgres(?:ql)?:\/\//, 'It begins with postgres://.')
  .meta({ description: 'a read-only connection to the database of the server' })
const intervalSeconds = z.int().min(limits.pollSecondsMin).max(limits.pollSecondsMax)

export const newConnection = z.strictObject({
  project: slug.optional(),
  kind: z.literal('noetl').optional(),
  name: name.meta({ description: 'name of the source' }),
  baseUrl,
  header: header.optional(),
  databaseUrl: databaseUrl.optional(),
  allowPrivate: z
    .boolean()
    .optional()
    .meta({ description: 'the address may be one of a private network, or of this machine' }),
  intervalSeconds: intervalSeconds.optional(),
})

export const connectionChange = z.strictObject({
  baseUrl: baseUrl.optional().meta({ description: 'another host needs the header anew, or null' }),
  header: header.nullable().optional(),
  databaseUrl: databaseUrl.nullable().optional(),
  allowPrivate: z.boolean().optional(),
  intervalSeconds: intervalSeconds.optional(),
  enabled: z.boolean().optional(),
})

const failure = z.object({ kind: z.enum(FETCH_FAILURES), text: z.string() })

export const connectionItem = z.object({
  id: z.string(),
  project: z.string(),
  sourceId: z.string(),
  name: z.string(),
  kind: z.string(),
  baseUrl: z.string(),
  headerName: z.string().nullable(),
  hasCredential: z.boolean(),
  hasDatabase: z.boolean(),
  allowPrivate: z.boolean(),
  enabled: z.boolean(),
  intervalSeconds: z.int(),
  state: z.enum(CONNECTION_STATES),
  executions: z.object({
    known: z.int(),
    open: z.int().meta({ description: 'have not ended, as far as is known' }),
    untaken: z.int().meta({ description: 'nothing of them, or not all of their pages, is taken yet' }),
  }),
  createdAt: z.string(),
  lastPolledAt: z.string().nullable(),
  lastOkAt: z.string().nullable(),
  lastError: z.object({ kind: z.string(), text: z.string() }).nullable(),
  tables: z
    .object({ readAt: z.string().nullable(), problem: z.string().nullable(), text: z.string().nullable() })
    .nullable()
    .meta({ description: 'how reading the tables of its database goes; null: it has no address of one' }),
  failures: z.int().meta({ description: 'polls in a row that failed' }),
  nextAt: z.string().nullable().meta({ description: 'null while it is paused' }),
})

export const connectionCheck = z.object({
  ok: z.boolean(),
  dialect: z
    .enum(['python', 'rust'])
    .nullable()
    .meta({ description: 'whose documents came; null when none tells' }),
  executions: z.int().nullable().meta({ description: 'executions on the first page of its list' }),
  failure: failure.nullable(),
  run: z
    .object({
      state: z.enum(['read', 'unreadable', 'not_captured']),
      complete: z.boolean().nullable(),
      characters: z.int().nullable(),
      why: z.string().nullable(),
    })
    .nullable(),
})
export const connectionCheckBody = z.strictObject({
  run: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional()
    .meta({ description: 'an execution of the server to fetch as well' }),
})

export type NewConnection = z.infer<typeof newConnection>
export type ConnectionChange = z.infer<typeof connectionChange>
export type ConnectionItem = z.infer<typeof connectionItem>
export type ConnectionCheck = z.infer<typeof connectionCheck>
