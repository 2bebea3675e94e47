import { projectIds } from '@/app/_server/access'
import { readJson } from '@/app/_server/body'
import { secret } from '@/app/_server/config'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { uuidParam } from '@/app/_server/params'
import { json, Refusal } from '@/app/_server/respond'
import { checkConnection } from '@/db/connections/check'
import { readOpenConnection } from '@/db/queries/connections'
import { wakeConnection } from '@/db/connections/connections'
import { connectionCheckBody } from '@/lib/api/connection-schemas'

export const POST = defineRoute<{ action: 'manage-sources' }, { id: string }>(
  '/api/v1/connections/{id}/check',
  { action: 'manage-sources' },
  async ({ request, params, access }) => {
    const { run } = await readJson(request, connectionCheckBody)
    const connection = await readOpenConnection(db().sql, secret(), {
      projectIds: projectIds(access),
      id: uuidParam(params.id),
    })
    if (connection === null) throw new Refusal('not-found')
    const check = await checkConnection(connection, run, { signal: request.signal })
    // It need not wait until its next attempt.
    if (check.ok && connection.failures > 0) await wakeConnection(db().sql, connection)
    return json(check)
  },
)
