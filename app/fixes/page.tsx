import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { fixSearch } from '@/components/fixes/fix-search'
import { FixesScreen } from '@/components/fixes/fixes-screen'
import { fixQueries } from '@/components/fixes/queries'
import { listFixes, readFixFacets } from '@/db/queries/fixes'
import { FIX_FACETS, readFixQuestion } from '@/lib/model/fix-question'
import { PROPOSE_COMMAND } from '@/lib/words/commands'
import { look } from '../_pages/look'
import { one, pageProjects } from '../_pages/projects'
import { pageAccess } from '../_server/page-access'
import { db } from '../_server/db'

export const metadata: Metadata = { title: 'Fixes' }

export default async function FixesPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}) {
  const params = await searchParams
  const access = await look(() => pageAccess())
  const asked = one(params.project)
  const { ids: projectIds, unknown } = pageProjects(access, asked)
  const question = readFixQuestion(
    new URLSearchParams(FIX_FACETS.map((facet) => [facet, one(params[facet]) ?? ''])),
  )
  const queryClient = new QueryClient()
  const [page, facets] = await look(() =>
    Promise.all([listFixes(db(), { projectIds, question }), readFixFacets(db(), projectIds, question)]),
  )
  queryClient.setQueryData(fixQueries.list(fixSearch(question, unknown ? null : asked)).queryKey, {
    pages: [{ ...page, facets }],
    pageParams: [null],
  })
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <FixesScreen unknownProject={unknown ? asked : null} proposeCommand={PROPOSE_COMMAND} />
    </HydrationBoundary>
  )
}
