import type { Sql } from '@/db/client'
import type { FixtureAccess } from './archive'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined }

/** One thing that is read from the database and compared. */
export interface Probe {
  /** Its kind first: `count`, `verdict`, `download` or `address`. */
  key: string
  read: () => Promise<Json>
}

export interface Reading {
  sql: Sql
  access: FixtureAccess
}
