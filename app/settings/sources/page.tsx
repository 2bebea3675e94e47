import type { Metadata } from 'next'
import { AnalysisFailures } from '@/components/settings/analysis-failures'
import { ConnectionsSection } from '@/components/settings/connections-section'
import { MirrorsSection } from '@/components/settings/mirrors-section'
import { OddList } from '@/components/settings/odd-list'
import { RebuildSection } from '@/components/settings/rebuild-section'
import { SampleSection } from '@/components/settings/sample-section'
import { SourcesScreen } from '@/components/settings/sources-screen'
import { offerMirrors } from '@/db/mirrors/offer-mirrors'
import { listAnalysisFailures } from '@/db/queries/analysis-failures'
import { listConnections } from '@/db/queries/connections'
import { listMirrors, listUnmirrored } from '@/db/queries/mirrors'
import { listOdd } from '@/db/queries/odd'
import { listReingests } from '@/db/queries/reingests'
import { listSources, readReceivedSources } from '@/db/queries/sources'
import { can } from '@/lib/auth/permissions'
import { SAMPLE_SOURCE } from '@/lib/sample/source'
import { look } from '../../_pages/look'
import { mirrorRoots } from '../../_server/config'
import { pageAccess } from '../../_server/page-access'
import { db } from '../../_server/db'

export const metadata: Metadata = { title: 'Sources' }

export default async function SourcesPage() {
  const access = await look(() => pageAccess())
  const projectIds = access.projects.map((project) => project.id)
  const own = access.projects.filter(({ role }) => can(role, 'manage-sources'))
  const roots = mirrorRoots()
  const mirroring = access.projects
    .filter(({ role }) => can(role, 'manage-mirrors'))
    .map(({ id, slug }) => ({ id, slug, root: roots(slug) }))
  const rebuilding = access.projects.filter(({ role }) => can(role, 'reingest'))
  const [rows, received, odd, failures, jobs, connections, mirrors, repositories, offered] = await look(() =>
    Promise.all([
      listSources(db(), projectIds),
      readReceivedSources(db(), projectIds),
      listOdd(db(), { projectIds, limit: 20 }),
      listAnalysisFailures(db().sql, projectIds),
      listReingests(
        db().sql,
        rebuilding.map(({ id }) => id),
      ),
      listConnections(
        db().sql,
        own.map(({ id }) => id),
      ),
      listMirrors(
        db().sql,
        roots,
        mirroring.map(({ id }) => id),
      ),
      listUnmirrored(
        db().sql,
        mirroring.map(({ id }) => id),
      ),
      Promise.all([...new Set(mirroring.map(({ root }) => root))].map(offerMirrors)),
    ]),
  )
  const sources = rows.map(({ id, project, kind, name, redact, createdAt }) => ({
    id,
    project,
    kind,
    name,
    redact,
    createdAt,
  }))
  const mine = own.map(({ slug }) => slug)
  return (
    <SourcesScreen
      sources={sources}
      received={received}
      connected={connections.map(({ sourceId }) => sourceId)}
      projects={mine}
      whyNot={mine.length > 0 ? null : 'Only admins can change sources.'}
    >
      {mine.length > 0 && (
        <ConnectionsSection connections={connections} projects={mine} globalAdmin={access.globalAdmin} />
      )}
      {mirroring.length > 0 && (
        <MirrorsSection
          mirrors={mirrors}
          globalAdmin={access.globalAdmin}
          choices={{
            projects: mirroring.map(({ slug, root }) => ({ slug, root })),
            paths: [...new Set(offered.flat())],
            repositories,
          }}
        />
      )}
      {!rows.some(({ name }) => name === SAMPLE_SOURCE) && (
        <SampleSection mayLoad={can(access.projects[0]!.role, 'load-sample')} />
      )}
      <AnalysisFailures failures={failures} mine={rebuilding.map(({ slug }) => slug)} />
      {rebuilding.length > 0 && <RebuildSection projects={rebuilding.map(({ slug }) => slug)} jobs={jobs} />}
      <OddList rows={odd.items} more={odd.nextCursor !== null} />
    </SourcesScreen>
  )
}
