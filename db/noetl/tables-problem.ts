import { RefusedAddressError } from '../fetch/allowed-lookup'
import { isAboutCertificate } from '../fetch/failure-of'
import { isStoreDown, sqlState, SQL_STATE } from '../sql-state'
import type { TablesProblem } from '@/lib/model/tables-problems'
import { TABLES_WORDS } from '@/lib/words/connections'

export class TablesError extends Error {
  override name = 'TablesError'
  constructor(
    readonly problem: TablesProblem,
    options?: { cause: unknown },
  ) {
    super(TABLES_WORDS[problem], options)
  }
}

const BY_STATE: Record<string, TablesProblem> = {
  '28P01': 'not_allowed',
  '28000': 'not_allowed',
  '42501': 'not_allowed',
  [SQL_STATE.undefinedTable]: 'no_such_table',
  '3F000': 'no_such_table',
  '42703': 'no_such_table',
  '3D000': 'no_such_table',
  '57014': 'timed_out',
  '55P03': 'timed_out',
  '25P03': 'timed_out',
  '25P04': 'timed_out',
}

/** @param aborted whoever asked did not want to know any more */
export function problemOf(error: unknown, aborted: boolean): TablesProblem {
  if (error instanceof TablesError) return error.problem
  if (aborted) return 'cancelled'
  if (error instanceof RefusedAddressError) return 'private_address'
  const state = sqlState(error) ?? ''
  if (isAboutCertificate(state)) return 'certificate'
  return BY_STATE[state] ?? (isStoreDown(error) || TLS.test(state) ? 'unreachable' : 'unexpected')
}

/** Where what is spoken there is no TLS that we know. */
const TLS = /^(?:ERR_TLS_|ERR_SSL_|EPROTO)/
