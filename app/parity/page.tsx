import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { ParityScreen } from '@/components/parity/parity-screen'
import { parityQueries } from '@/components/parity/queries'
import { readParityOverview } from '@/db/queries/parity'
import { listParityExecutions } from '@/db/queries/parity-executions'
import { failedControls } from '@/lib/judge/parity/controls'
import { readParityQuestion, sinceOf } from '@/lib/judge/parity/parity-question'
import { look } from '../_pages/look'
import { one, pageProjects } from '../_pages/projects'
import { pageAccess } from '../_server/page-access'
import { db } from '../_server/db'

export const metadata: Metadata = { title: 'Parity' }

export default async function ParityPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}) {
  const params = await searchParams
  const access = await look(() => pageAccess())
  const asked = one(params.project)
  const { ids: projectIds, unknown } = pageProjects(access, asked)
  const project = unknown ? null : asked
  const word = (name: string) => one(params[name])
  const { question } = readParityQuestion({
    window: word('window'),
    kind: word('kind'),
    severity: word('severity'),
    show: word('show'),
    path: word('path'),
    from: word('from'),
    to: word('to'),
  })
  const since = sinceOf(question.window, new Date())
  const queryClient = new QueryClient()
  const [overview, page] = await look(() =>
    Promise.all([
      readParityOverview(db(), { projectIds, question, since }),
      listParityExecutions(db(), { projectIds, question, since }),
    ]),
  )
  queryClient.setQueryData(parityQueries.overview(question, project).queryKey, {
    ...overview,
    failedControls: failedControls(),
  })
  queryClient.setQueryData(parityQueries.executions(question, project).queryKey, {
    pages: [page],
    pageParams: [null],
  })
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <ParityScreen unknownProject={unknown ? asked : null} />
    </HydrationBoundary>
  )
}
