import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { FoundChooser } from '@/components/find/found-chooser'
import { WaitingScreen } from '@/components/find/waiting-screen'
import { foundAddress } from '@/components/find/found-address'
import { findAnyId } from '@/db/queries/find-any-id'
import { look } from '../../_pages/look'
import { pageAccess } from '../../_server/page-access'
import { db } from '../../_server/db'
import { idOfPath } from '../../_server/find-only'

export const metadata: Metadata = { title: 'Find' }

interface Props {
  params: Promise<{ id: string[] }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/**
 * Any id something is known by: one find → its page, with query and fragment kept; several → a choice; none yet → wait for it.
 * One find is led on by proxy.ts already; here it is only met when it arrives between the two.
 */
export default async function AnyIdPage({ params, searchParams }: Props) {
  const access = await look(() => pageAccess())
  const id = idOfPath((await params).id.join('/'))
  const search = toSearch(await searchParams)
  const found = await look(() =>
    findAnyId(
      db(),
      access.projects.map((project) => project.id),
      id,
    ),
  )
  if (found.length === 1) redirect(foundAddress(found[0]!, search))
  return found.length > 1 ? (
    <FoundChooser id={id} found={found} search={search} />
  ) : (
    <WaitingScreen id={id} search={search} since={new Date().toISOString()} />
  )
}

function toSearch(params: Record<string, string | string[] | undefined>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(params))
    for (const one of [value ?? []].flat()) search.append(name, one)
  return search.toString()
}
