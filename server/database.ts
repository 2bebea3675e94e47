import { openDb } from '@/db/client'
import { startEmbedded } from '@/db/embedded'
import { migrateDb, UnfitServerError } from '@/db/migrate'
import { isStoreDown, sqlState } from '@/db/sql-state'
import { ensureProject } from '@/db/writes/projects'
import { StartProblem, type UpSettings } from './settings'

export interface Database {
  url: string
  directUrl: string
  stop(): Promise<void>
}

/** Starts the embedded server or takes the one that was named, and brings its schema up to date. */
export async function readyDatabase(settings: UpSettings, say: (line: string) => void): Promise<Database> {
  const database =
    settings.databaseUrl === null
      ? await embedded(settings, say)
      : named(settings.databaseUrl, settings.directUrl!)
  try {
    await migrateDb(database.directUrl)
    const db = openDb(database.directUrl, { max: 1 })
    await ensureProject(db.sql, { slug: 'default', name: 'Default' }).finally(() => db.close())
    return database
  } catch (error) {
    await database.stop()
    if (settings.databaseUrl !== null && isStoreDown(error)) {
      const { host } = new URL(database.directUrl)
      throw new StartProblem(
        `The database at ${host} did not answer (${sqlState(error)}). Check DATABASE_URL, or leave it out to use the embedded one.`,
      )
    }
    if (error instanceof UnfitServerError) throw new StartProblem(error.message)
    throw error
  }
}

async function embedded({ dataDir }: UpSettings, say: (line: string) => void): Promise<Database> {
  const server = await startEmbedded({ dir: dataDir, log: (line) => say(line) })
  return { url: server.url, directUrl: server.url, stop: () => server.stop() }
}

const named = (url: string, directUrl: string): Database => ({ url, directUrl, stop: async () => undefined })
