import { openDb, type Db } from '../../db/client'
import { startEmbedded } from '../../db/embedded'
import type { Inquest } from './server'

/** Works on the database of a server behind its back, as somebody with other tools would. */
export async function behindTheBack(
  inquest: Inquest,
  work: (sql: Db['sql']) => Promise<unknown>,
): Promise<void> {
  const db = openDb((await startEmbedded({ dir: inquest.dataDir })).url, { max: 1 })
  await work(db.sql).finally(() => db.close())
}
