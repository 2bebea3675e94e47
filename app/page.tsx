import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { FirstRunScreen } from '@/components/first-run/first-run-screen'
import { firstRunState } from '@/db/queries/first-run'
import { can } from '@/lib/auth/permissions'
import { links } from '@/lib/links'
import { IMPORT_COMMAND } from '@/lib/words/commands'
import { look } from './_pages/look'
import { pageAccess } from './_server/page-access'
import { publicUrl } from './_server/config'
import { db } from './_server/db'

export const metadata: Metadata = { title: 'Start' }

/** An empty database greets with three ways in; else the list of executions. */
export default async function StartPage() {
  const access = await look(() => pageAccess())
  const state = await look(() =>
    firstRunState(
      db(),
      access.projects.map((project) => project.id),
    ),
  )
  if (!state.empty) redirect(links.executions())
  const role = access.projects[0]!.role
  return (
    <FirstRunScreen
      importCommand={IMPORT_COMMAND}
      address={publicUrl()}
      mayLoad={can(role, 'load-sample')}
      mayMakeKeys={can(role, 'manage-keys')}
    />
  )
}
