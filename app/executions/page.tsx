import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { ExecutionsScreen } from '@/components/executions/executions-screen'
import { listSearch } from '@/components/executions/list-search'
import { executionQueries } from '@/components/execution-data/queries'
import { listExecutions, listFacets } from '@/db/queries/executions'
import { firstRunState } from '@/db/queries/first-run'
import { parseFilter } from '@/lib/views/executions/filter'
import { IMPORT_COMMAND } from '@/lib/words/commands'
import { look } from '../_pages/look'
import { one, pageProjects } from '../_pages/projects'
import { pageAccess } from '../_server/page-access'
import { db } from '../_server/db'

export const metadata: Metadata = { title: 'Executions' }

export default async function ExecutionsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}) {
  const params = await searchParams
  const access = await look(() => pageAccess())
  const project = one(params.project)
  const { ids: projectIds, unknown } = pageProjects(access, project)
  const { filter } = parseFilter(one(params.q) ?? '')
  const search = listSearch(filter, project)
  const queryClient = new QueryClient()
  const page = await look(() => listExecutions(db(), { projectIds, filter }))
  const empty = page.items.length === 0 && (await look(() => firstRunState(db(), projectIds))).empty
  queryClient.setQueryData(executionQueries.list(search).queryKey, { pages: [page], pageParams: [null] })
  // Counting under free text takes longer than finding the first rows: then the browser asks for the counts.
  if (filter.words.length === 0)
    queryClient.setQueryData(
      executionQueries.facets(search).queryKey,
      await look(() => listFacets(db(), { projectIds, filter })),
    )
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <ExecutionsScreen
        receivedAny={!empty}
        importCommand={IMPORT_COMMAND}
        unknownProject={unknown ? project : null}
      />
    </HydrationBoundary>
  )
}
