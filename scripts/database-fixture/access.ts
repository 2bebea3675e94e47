import { sharedPatchToken } from '@/app/_server/shared-patch'
import type { FixtureAccess } from '@/e2e/support/database-fixture/archive'
import type { Loading } from './loading'
import { ADMIN_EMAIL, PASSWORD } from './people'

/** A link that is open for longer than anybody will read this fixture. */
const FAR_AWAY_S = Date.parse('2126-01-01T00:00:00Z') / 1000

/** What opens the loaded database. */
export async function accessOf({ db, projectId, people, keys }: Loading): Promise<FixtureAccess> {
  const [fix] = await db.sql<
    { id: string }[]
  >`select id from fixes where project_id = ${projectId} and task = 'full' order by id limit 1`
  return {
    email: ADMIN_EMAIL,
    password: PASSWORD,
    cookies: people,
    keys,
    sharedPatch: sharedPatchToken({ projectId, fixId: fix!.id, expires: FAR_AWAY_S }),
  }
}
