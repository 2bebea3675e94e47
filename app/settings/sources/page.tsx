import type { Metadata } from 'next'
import { SourcesScreen } from '@/components/settings/sources-screen'
import { listSources } from '@/db/queries/sources'
import { can } from '@/lib/auth/permissions'
import { look } from '../../_pages/look'
import { pageAccess } from '../../_server/access'
import { db } from '../../_server/db'

export const metadata: Metadata = { title: 'Sources' }

export default async function SourcesPage() {
  const access = await look(() => pageAccess())
  const rows = await look(() =>
    listSources(
      db(),
      access.projects.map((project) => project.id),
    ),
  )
  const sources = rows.map(({ id, project, kind, name, redact, createdAt }) => ({ id, project, kind, name, redact, createdAt }))
  const mine = access.projects.filter(({ role }) => can(role, 'manage-sources')).map(({ slug }) => slug)
  return (
    <SourcesScreen
      sources={sources}
      projects={mine}
      whyNot={mine.length > 0 ? null : 'Only an admin changes sources; your role may look.'}
    />
  )
}
