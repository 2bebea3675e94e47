import { projectIds } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { json, Refusal } from '@/app/_server/respond'
import { listCiExecutions } from '@/db/queries/ci-runs'

/** The executions of one CI run; an empty list means that nothing of it has arrived yet. */
export const GET = defineRoute({ action: 'read' }, async ({ access, query }) => {
  const [provider, path, run, attempt] = ['provider', 'path', 'run', 'attempt'].map(
    (name) => query.get(name) ?? '',
  )
  if (!provider || !path || !run)
    throw new Refusal(
      'bad-request',
      'provider, path and run name a CI run; attempt narrows it to one of its attempts',
    )
  if (attempt && !/^\d{1,9}$/.test(attempt)) throw new Refusal('bad-request', 'attempt: a number from 1')
  const found = await listCiExecutions(db(), projectIds(access, query.get('project')), {
    provider,
    path,
    run,
    attempt: attempt ? Number(attempt) : null,
  })
  return json({ ...found, nextCursor: null })
})
