import { projectIds } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { json, Refusal } from '@/app/_server/respond'
import { listCiExecutions } from '@/db/queries/ci-runs'
import { limits } from '@/lib/limits'
import type { CiExecution } from '@/lib/views/attempts/chain'
import { requestText } from '@/lib/words/server/requests'

/**
 * The executions of one CI run; an empty list means that nothing of it has arrived yet. A key that can only ingest gets what a job needs to
 * reads what failed in its run: recent executions, without what their prompts say and what they cost.
 */
export const GET = defineRoute('/api/v1/ci-runs', { action: 'read-ci-run' }, async ({ access, query }) => {
  const [provider, path, run, attempt] = ['provider', 'path', 'run', 'attempt'].map(
    (name) => query.get(name) ?? '',
  )
  if (!provider || !path || !run) throw new Refusal('bad-request', requestText.ciRunParams)
  if (attempt && !/^0*[1-9]\d{0,8}$/.test(attempt)) throw new Refusal('bad-request', requestText.attemptRange)
  const narrow = !access.projects.some((project) => project.may('read'))
  const found = await listCiExecutions(db(), projectIds(access, query.get('project')), {
    provider,
    path,
    run,
    attempt: attempt ? Number(attempt) : null,
    hoursMax: narrow ? limits.ciRunReadHours : null,
  })
  const items = narrow ? found.items.map(withoutContents) : found.items
  return json({ ...found, items, nextCursor: null })
})

const withoutContents = (item: CiExecution): CiExecution => ({
  ...item,
  title: null,
  costUsd: null,
  inputTokens: 0,
  outputTokens: 0,
})
