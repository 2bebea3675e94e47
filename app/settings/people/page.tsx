import type { Metadata } from 'next'
import { PeopleScreen } from '@/components/settings/people-screen'
import { OnlyAdmins, SettingsFrame } from '@/components/settings/settings-frame'
import { listPeople } from '@/db/queries/people'
import { can } from '@/lib/auth/permissions'
import { look } from '../../_pages/look'
import { pageAccess } from '../../_server/page-access'
import { db } from '../../_server/db'

export const metadata: Metadata = { title: 'People' }

export default async function PeoplePage() {
  const access = await look(() => pageAccess())
  const mine = access.projects.filter(({ role }) => can(role, 'manage-people'))
  if (mine.length === 0)
    return (
      <SettingsFrame page="people" lead="Invite people with a one-time link.">
        <OnlyAdmins what="see and invite people" />
      </SettingsFrame>
    )
  const people = await look(() =>
    listPeople(
      db(),
      mine.map(({ id }) => id),
    ),
  )
  return (
    <PeopleScreen
      people={[...people]}
      self={access.actor.id}
      project={mine[0]!.slug}
      projects={mine.map(({ slug }) => slug)}
      globalAdmin={access.globalAdmin}
    />
  )
}
