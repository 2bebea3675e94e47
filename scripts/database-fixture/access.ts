import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import { makeFixLink } from '@/db/fixes/fix-links'
import type { FixtureAccess } from '@/e2e/support/database-fixture/archive'
import { hashToken, tokenFrom } from '@/lib/auth/tokens'
import type { Loading } from './loading'
import { ADMIN_EMAIL, PASSWORD } from './people'

/** A link that is open for longer than anybody will read this fixture. */
const FAR_AWAY = '2126-01-01T00:00:00Z'

/** What opens the loaded database. */
export async function accessOf({ db, projectId, people, keys }: Loading): Promise<FixtureAccess> {
  const [fix] = await db.sql<
    { id: string }[]
  >`select id from fixes where project_id = ${projectId} and task = 'full' order by id limit 1`
  const sharedPatch = tokenFrom(randomBytes(32))
  const linkId = v7()
  const made = await makeFixLink(db.sql, {
    id: linkId,
    projectId,
    fixId: fix!.id,
    tokenHash: hashToken(sharedPatch),
    hours: 1,
    acknowledgeSecret: true,
    actor: 'system',
    actorName: 'fixture',
  })
  if ('refused' in made) throw new Error(`the link was refused: ${made.refused}`)
  await db.sql`update fix_links set expires_at = ${FAR_AWAY} where project_id = ${projectId} and id = ${linkId}`
  return {
    email: ADMIN_EMAIL,
    password: PASSWORD,
    cookies: people,
    keys,
    sharedPatch,
  }
}
