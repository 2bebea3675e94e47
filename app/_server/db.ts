import { type Db, openDb } from '@/db/client'
import { PROMPT } from '@/db/store-gate'
import { limits } from '@/lib/limits'
import { logText } from '@/lib/words/server/log'
import { log } from './log'
import { onShutdown } from './shutdown'

const KEY = Symbol.for('inquest.db')
const holder = globalThis as { [KEY]?: { db: Db; url: string } }

/** Address of the database: set by the launcher, also for the embedded server. */
export function databaseUrl(): string {
  const url = process.env.DATABASE_URL
  if (!url) throw new Error(logText.noDatabaseUrl)
  return url
}

/** Address for LISTEN and jobs, which cannot go through a transaction pooler. */
export const directUrl = (): string => process.env.DATABASE_URL_DIRECT || databaseUrl()

/** The one pool of the process, opened at the first use. Each bundled route asks here, so it lives on `globalThis`. */
export function db(): Db {
  const url = databaseUrl()
  if (holder[KEY]?.url !== url) {
    const opened = {
      url,
      db: openDb(url, {
        prepare: process.env.INQUEST_PREPARE !== 'off',
        gate: PROMPT,
        waitMs: limits.connectionWaitSeconds * 1000,
      }),
    }
    holder[KEY] = opened
    opened.db.onAway(() => log.warn(logText.databaseSilent))
    opened.db.onBack(() => log.warn(logText.databaseAnswers))
    onShutdown(async () => {
      if (holder[KEY] === opened) delete holder[KEY]
      await opened.db.close()
    }, 'pools')
  }
  return holder[KEY]!.db
}
