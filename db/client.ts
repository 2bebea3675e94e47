import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { limitWait } from './connection-wait'
import { promptSockets } from './socket'
import { heedScopes } from './statement-scope'
import { createStoreGate, type GateOptions } from './store-gate'

/** Raw client; also the type of a transaction inside `sql.begin`. */
export type Sql = postgres.Sql
export type Tx = postgres.TransactionSql

export interface Db {
  /** For the drizzle tables of `db/schema`. Its client has date and json handling replaced. */
  orm: PostgresJsDatabase
  /** For raw statements and COPY. Timestamps come as ISO text with milliseconds, 64-bit integers as numbers. */
  sql: Sql
  /** True while a gate refuses statements, because the database does not answer. */
  isAway(): boolean
  /** Calls back whenever the gate begins to refuse statements; never without a gate. @returns ends that */
  onAway(listener: () => void): () => void
  /** Calls back whenever the database answers again after that. @returns ends that */
  onBack(listener: () => void): () => void
  close(): Promise<void>
}

export interface OpenOptions {
  /** False behind a pooler that cannot keep prepared statements. */
  prepare?: boolean
  /** Connections of the raw client; drizzle's gets half of them. */
  max?: number
  /** Fails statements of a database that does not answer, `PROMPT` or `PATIENT`; unset: they wait for it. */
  gate?: GateOptions
  /** Milliseconds after which what waits for a free connection fails with `PoolBusyError`; unset: it waits for one. */
  waitMs?: number
}

const int8 = 20
const timestamptz = 1184

/** `2026-11-21 22:32:33.5+00` → `2026-11-21T22:32:33.500Z`, without the detour over `Date` that would cut microseconds. */
export const isoFromPostgres = (value: string): string => {
  const match = /^(\d{4,6}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00(?::?00)?$/.exec(value)
  return match ? `${match[1]}T${match[2]}.${(match[3] ?? '').slice(0, 3).padEnd(3, '0')}Z` : value
}

/**
 * Opens the two clients; no connection is made before the first statement.
 * `drizzle()` replaces the parsers of the client it is given, so raw SQL has one of its own.
 */
export function openDb(
  url: string,
  { prepare = true, max = 8, gate: gateOptions, waitMs }: OpenOptions = {},
): Db {
  const gate = gateOptions && createStoreGate(url, gateOptions)
  const shared = {
    prepare,
    idle_timeout: 60,
    connect_timeout: 10,
    // The driver's own grows to 20 s, which a statement then waits although the database is back.
    backoff: () => (gate ? 0 : 0.1),
    // An option that the types leave out.
    ...{ socket: gate?.socket ?? promptSockets() },
    onnotice: () => {},
    connection: { application_name: 'inquest', TimeZone: 'UTC' },
  }
  const ormClient = postgres(url, { ...shared, max: Math.max(2, Math.floor(max / 2)) })
  const sql = postgres(url, {
    ...shared,
    max,
    types: {
      // Offsets, counts and sequence numbers: all far below 2^53.
      bigint: { to: int8, from: [int8], serialize: (x: unknown) => String(x), parse: Number },
      instant: {
        to: timestamptz,
        from: [timestamptz],
        serialize: (x: unknown) => (x instanceof Date ? x.toISOString() : String(x)),
        parse: isoFromPostgres,
      },
    },
  }) as unknown as Sql
  return {
    orm: drizzle(waitMs === undefined ? ormClient : limitWait(ormClient, waitMs)),
    sql: heedScopes(waitMs === undefined ? sql : limitWait(sql, waitMs)),
    isAway: () => gate?.isAway() ?? false,
    onAway: (listener) => gate?.onAway(listener) ?? (() => undefined),
    onBack: (listener) => gate?.onBack(listener) ?? (() => undefined),
    close: async () => {
      const timeout = gate?.isAway() ? 0 : 5
      await Promise.all([ormClient.end({ timeout }), sql.end({ timeout })])
      await gate?.close()
    },
  }
}
