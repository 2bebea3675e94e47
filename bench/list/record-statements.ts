import postgres from 'postgres'
import type { Db } from '@/db/client'

export interface RecordedStatement {
  text: string
  params: unknown[]
  prepare: boolean
}

/** The same client, but every statement over executions is noted with its values; names of sources and rollups are looked up unnoted. */
export function recordStatements(db: Db): { db: Db; taken: () => RecordedStatement[] } {
  let statements: RecordedStatement[] = []
  const sql = new Proxy(db.sql, {
    get(target, key) {
      if (key !== 'unsafe') return Reflect.get(target, key) as unknown
      return (text: string, params: never[] = [], options: { prepare?: boolean } = {}) => {
        statements.push({ text, params, prepare: options.prepare === true })
        return target.unsafe(text, params, options)
      }
    },
  })
  return {
    db: { ...db, sql },
    taken: () => {
      const all = statements
      statements = []
      return all
    },
  }
}

/** A client as somebody would open it who has only the driver and the statement; `infinity` is no date to it, so times pass as text. */
export const openBare = (url: string): postgres.Sql =>
  postgres(url, {
    max: 4,
    onnotice: () => {},
    types: { time: { to: 1184, from: [1184], serialize: String, parse: String } },
  }) as unknown as postgres.Sql

export async function replay(sql: postgres.Sql, statements: readonly RecordedStatement[]): Promise<void> {
  for (const { text, params, prepare } of statements) await sql.unsafe(text, params as never[], { prepare })
}
