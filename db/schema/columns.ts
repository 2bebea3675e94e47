import { customType, timestamp } from 'drizzle-orm/pg-core'

/** Millisecond time as text: a `Date` would cut what the database keeps, and a cursor made of it would skip rows. */
export const instant = <const Name extends string>(name: Name) =>
  timestamp(name, { precision: 3, mode: 'string', withTimezone: true })

/** The same column as a `Date`, which is what better-auth reads and writes. */
export const moment = <const Name extends string>(name: Name) =>
  timestamp(name, { precision: 3, mode: 'date', withTimezone: true })

export const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })
export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })
