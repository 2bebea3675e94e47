import { projectIds } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { filterParam } from '@/app/_server/list-params'
import { json, Refusal } from '@/app/_server/respond'
import { replayPolicies } from '@/db/queries/replay'
import {
  CURRENT_POLICY,
  FORMER_POLICY,
  POLICIES,
  policyNamed,
  type Policy,
} from '@/lib/judge/decisions/policies'
import { parseCell } from '@/lib/judge/decisions/replay-cell'
import { requestText } from '@/lib/words/server/requests'

export const GET = defineRoute('/api/v1/policies/replay', { action: 'read' }, async ({ access, query }) => {
  const named = (name: string, fallback: Policy): Policy => {
    const value = query.get(name)
    const policy = value === null || value === '' ? fallback : policyNamed(value)
    if (policy === null)
      throw new Refusal('bad-request', `${name}: one of ${POLICIES.map((known) => known.name).join(', ')}`)
    return policy
  }
  const [from, to] = [named('from', FORMER_POLICY), named('to', CURRENT_POLICY)]
  const asked = query.get('cell')
  const cell = parseCell(asked)
  if (asked && cell === null) throw new Refusal('bad-request', requestText.replayCell)
  return json(
    await replayPolicies(db(), {
      projectIds: projectIds(access, query.get('project')),
      filter: filterParam(query),
      from,
      to,
      cell,
    }),
  )
})
