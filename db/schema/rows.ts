import type { GetColumnData, Table } from 'drizzle-orm'
import type * as audit from './audit'
import type * as causeCorrections from './cause-corrections'
import type * as connections from './connections'
import type * as decisions from './decisions'
import type * as events from './events'
import type * as executions from './executions'
import type * as fixes from './fixes'
import type * as mirrors from './mirrors'
import type * as parity from './parity'
import type * as people from './people'
import type * as projects from './projects'
import type * as receipts from './receipts'
import type * as received from './received'
import type * as rollups from './rollups'

type Family =
  | typeof audit
  | typeof causeCorrections
  | typeof connections
  | typeof decisions
  | typeof events
  | typeof executions
  | typeof fixes
  | typeof mirrors
  | typeof parity
  | typeof people
  | typeof projects
  | typeof receipts
  | typeof received
  | typeof rollups

type TablesOf<Members> = Members extends unknown ? Extract<Members[keyof Members], Table> : never
type AnyTable = TablesOf<Family>
/** The raw client reads times as text (`db/client.ts`), also those that better-auth reads as a `Date`. */
type Read<Value> = Value extends Date ? string : Value

type Columns<T extends Table> = T['_']['columns']

type Stored<T extends Table> = {
  [Key in keyof Columns<T> as Columns<T>[Key]['_']['name']]: Read<GetColumnData<Columns<T>[Key]>>
} & { [Key in keyof Columns<T>]: Read<GetColumnData<Columns<T>[Key]>> }

type NamesOf<T extends Table> = keyof {
  [Key in keyof Columns<T> as Columns<T>[Key]['_']['name']]: Key
}

type Tables = { [T in AnyTable as T['_']['name']]: Stored<T> }
type Names = { [T in AnyTable as T['_']['name']]: NamesOf<T> }

export type TableName = keyof Tables
/** Names of the columns of a table as the database spells them. */
export type ColumnName<Name extends TableName> = Names[Name] & keyof Tables[Name]

/**
 * Columns of a table as a plain statement of the raw client yields them, by the names of the database (`started_at`) or those of
 * drizzle (`started_at as "startedAt"`): `sql<RowOf<'executions', 'id' | 'started_at'>[]>`. With another alias: `RowOf<'people', 'name'>['name']`.
 * The type of a left-joined column does not know of the join: add `| null`.
 */
export type RowOf<Name extends TableName, Column extends keyof Tables[Name]> = Pick<Tables[Name], Column>
