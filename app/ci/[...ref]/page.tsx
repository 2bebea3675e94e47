import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { CiRunScreen } from '@/components/ci/ci-run-screen'
import { NoCiRun } from '@/components/ci/no-ci-run'
import { ciQueries } from '@/components/ci/queries'
import { executionQueries } from '@/components/execution-data/queries'
import { hasCiProvider, listCiExecutions } from '@/db/queries/ci-runs'
import { readExecution } from '@/db/queries/execution'
import { parseCiAddress } from '@/lib/views/ci/ci-address'
import { isEmpty, onlyFailure, openedOf, viewCiRun } from '@/lib/views/ci/ci-view'
import { CI_PROVIDERS, ciRunWords, ciSentence } from '@/lib/words/ci'
import { links } from '@/lib/links'
import { readFailing } from '../../_pages/failing'
import { look } from '../../_pages/look'
import { one } from '../../_pages/projects'
import { asksForList } from '../../_server/ci-only'
import { db } from '../../_server/db'
import { pageAccess } from '../../_server/page-access'

// The title and the page ask for the same rows.
const readRun = cache(async (ref: string) => {
  const access = await look(() => pageAccess())
  const projectIds = access.projects.map((project) => project.id)
  const address = parseCiAddress(ref)
  if (address === null) return null
  const found = await look(() => listCiExecutions(db(), projectIds, { ...address, attempt: null }))
  return { projectIds, address, found, view: viewCiRun(found.items, address) }
})

interface Props {
  params: Promise<{ ref: string[] }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const known = await readRun((await params).ref.join('/'))
  return {
    title: (known ? `${ciSentence(known.view)}: ${ciRunWords(known.address)}` : 'Invalid CI run URL').slice(
      0,
      120,
    ),
  }
}

/**
 * Every failure of a CI run. Its only failure opens at once, on its own page, unless the address asks for the list; proxy.ts leads there already,
 * and here it is only met when it arrives between the two.
 */
export default async function CiRunPage({ params, searchParams }: Props) {
  const ref = (await params).ref.join('/')
  const search = await searchParams
  const known = await readRun(ref)
  if (known === null) return <NoCiRun />
  const { projectIds, address, found, view } = known
  const only = onlyFailure(view)
  if (only && !asksForList((name) => one(search[name]))) redirect(links.decided(only.id))
  const queryClient = new QueryClient()
  queryClient.setQueryData(ciQueries.run(address).queryKey, { ...found, nextCursor: null })
  const id = openedOf(view, one(search.open))?.id
  if (id !== undefined) {
    const [execution, failing] = await look(() =>
      Promise.all([readExecution(db(), projectIds, id), readFailing(db(), projectIds, id)]),
    )
    if (execution) queryClient.setQueryData(executionQueries.detail(id).queryKey, execution)
    queryClient.setQueryData(executionQueries.failing(id).queryKey, failing)
  }
  const { provider } = address
  const knownProvider =
    CI_PROVIDERS.includes(provider) ||
    !isEmpty(view) ||
    (await look(() => hasCiProvider(db(), projectIds, provider)))
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <CiRunScreen
        key={ref}
        address={address}
        knownProvider={knownProvider}
        since={new Date().toISOString()}
      />
    </HydrationBoundary>
  )
}
