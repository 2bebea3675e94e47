import { projectIds } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { limitParam } from '@/app/_server/params'
import { json, Refusal } from '@/app/_server/respond'
import { countCorrections, listCorrections } from '@/db/queries/cause-corrections'
import type { CorrectionList } from '@/lib/api/correction-schemas'
import { CORRECTION_STATES } from '@/lib/model/cause-correction'
import { correctionText } from '@/lib/words/server/corrections'

export const GET = defineRoute('/api/v1/cause-corrections', { action: 'read' }, async ({ access, query }) => {
  const limit = limitParam(query)
  const ids = projectIds(access, query.get('project'))
  const cursor = query.get('cursor')
  const given = query.get('state')
  const state = CORRECTION_STATES.find((one) => one === given) ?? null
  if (given !== null && state === null)
    throw new Refusal('bad-request', correctionText.states({ states: CORRECTION_STATES }))
  const [page, rules] = await Promise.all([
    listCorrections(db(), { projectIds: ids, rule: query.get('rule'), state, cursor, limit }),
    cursor ? null : countCorrections(db(), ids),
  ])
  return json({ ...page, rules } satisfies CorrectionList)
})
