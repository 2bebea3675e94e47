import { openDb } from '@/db/client'
import { startEmbedded } from '@/db/embedded'
import { ServerStartError } from '@/db/embedded/start-error'
import { migrateDb, UnfitServerError } from '@/db/migrate'
import { isStoreDown, sqlState } from '@/db/sql-state'
import { ensureProject } from '@/db/projects'
import { startText } from '@/lib/words/server/start'
import { StartProblem, type UpSettings } from './settings'

export interface Database {
  url: string
  directUrl: string
  /** @param withinMs until an embedded server is ended by force */
  stop(withinMs: number): Promise<void>
}

export interface DatabaseOptions {
  say: (line: string) => void
  /** Ends a start that is under way. */
  signal: AbortSignal
  /** The embedded server ended and could not be started again. */
  onLost: (sentence: string) => void
}

/** Milliseconds for a server that was only just started. */
const EARLY_STOP_MS = 3_000

/** Starts the embedded server or takes the one that was named, and brings its schema up to date. */
export async function readyDatabase(settings: UpSettings, options: DatabaseOptions): Promise<Database> {
  const database =
    settings.databaseUrl === null
      ? await embedded(settings, options)
      : named(settings.databaseUrl, settings.directUrl!)
  try {
    await migrateDb(database.directUrl)
    const db = openDb(database.directUrl, { max: 1 })
    await ensureProject(db.sql, { slug: 'default', name: 'Default' }).finally(() => db.close())
    return database
  } catch (error) {
    await database.stop(EARLY_STOP_MS)
    if (settings.databaseUrl !== null && isStoreDown(error)) {
      const { host } = new URL(database.directUrl)
      throw new StartProblem(startText.databaseSilent({ host, code: sqlState(error) }))
    }
    if (error instanceof UnfitServerError) throw new StartProblem(error.message)
    throw error
  }
}

async function embedded(
  { dataDir }: UpSettings,
  { say, signal, onLost }: DatabaseOptions,
): Promise<Database> {
  try {
    const server = await startEmbedded({
      dir: dataDir,
      log: (line) => say(line),
      signal,
      onGiveUp: ({ message }) => onLost(startText.gaveUp({ message })),
    })
    return { url: server.url, directUrl: server.url, stop: (withinMs) => server.stop(withinMs) }
  } catch (error) {
    if (error instanceof ServerStartError) throw new StartProblem(`${error.message}.`)
    throw error
  }
}

const named = (url: string, directUrl: string): Database => ({ url, directUrl, stop: async () => undefined })
