import type { Metadata } from 'next'
import { ConnectionsSection } from '@/components/settings/connections-section'
import { OddList } from '@/components/settings/odd-list'
import { SampleSection } from '@/components/settings/sample-section'
import { SourcesScreen } from '@/components/settings/sources-screen'
import { listConnections } from '@/db/queries/connections'
import { listOdd } from '@/db/queries/odd'
import { listSources, readReceivedSources } from '@/db/queries/sources'
import { can } from '@/lib/auth/permissions'
import { SAMPLE_SOURCE } from '@/lib/sample/source'
import { look } from '../../_pages/look'
import { pageAccess } from '../../_server/page-access'
import { db } from '../../_server/db'

export const metadata: Metadata = { title: 'Sources' }

export default async function SourcesPage() {
  const access = await look(() => pageAccess())
  const projectIds = access.projects.map((project) => project.id)
  const own = access.projects.filter(({ role }) => can(role, 'manage-sources'))
  const [rows, received, odd, connections] = await look(() =>
    Promise.all([
      listSources(db(), projectIds),
      readReceivedSources(db(), projectIds),
      listOdd(db(), { projectIds, limit: 20 }),
      listConnections(db().sql, own.map(({ id }) => id)),
    ]),
  )
  const sources = rows.map(({ id, project, kind, name, redact, createdAt }) => ({ id, project, kind, name, redact, createdAt }))
  const mine = own.map(({ slug }) => slug)
  return (
    <SourcesScreen
      sources={sources}
      received={received}
      connected={connections.map(({ sourceId }) => sourceId)}
      projects={mine}
      whyNot={mine.length > 0 ? null : 'Only an admin changes sources; your role may look.'}
    >
      {mine.length > 0 && <ConnectionsSection connections={connections} projects={mine} />}
      {!rows.some(({ name }) => name === SAMPLE_SOURCE) && <SampleSection mayLoad={can(access.projects[0]!.role, 'load-sample')} />}
      <OddList rows={odd.items} more={odd.nextCursor !== null} />
    </SourcesScreen>
  )
}
