import type { Metadata } from 'next'
import { JudgementScreen } from '@/components/settings/judgement-screen'
import { countCorrections, listCorrections } from '@/db/queries/cause-corrections'
import { look } from '../../_pages/look'
import { db } from '../../_server/db'
import { pageAccess } from '../../_server/page-access'

export const metadata: Metadata = { title: 'Judgement' }

export default async function JudgementPage() {
  const access = await look(() => pageAccess())
  const projectIds = access.projects.map((project) => project.id)
  const [rules, { items, nextCursor }] = await look(() =>
    Promise.all([countCorrections(db(), projectIds), listCorrections(db(), { projectIds })]),
  )
  return <JudgementScreen rules={rules} corrections={items} more={nextCursor !== null} />
}
