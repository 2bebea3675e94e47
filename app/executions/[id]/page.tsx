import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { ExecutionScreen } from '@/components/executions/execution-screen'
import { executionQueries } from '@/components/execution-data/queries'
import { fixQueries } from '@/components/fixes/queries'
import { readExecution } from '@/db/queries/execution'
import { listExecutionFixes } from '@/db/queries/fixes'
import { readFailing } from '../../_pages/failing'
import { look } from '../../_pages/look'
import { pageAccess } from '../../_server/page-access'
import { db } from '../../_server/db'

// The title and the page ask for the same row.
const readOne = cache(async (id: string) => {
  const access = await look(() => pageAccess())
  const projectIds = access.projects.map((project) => project.id)
  const [execution, failing, fixes] = await look(() =>
    Promise.all([
      readExecution(db(), projectIds, id),
      readFailing(db(), projectIds, id),
      listExecutionFixes(db(), projectIds, id),
    ]),
  )
  const mayCorrect = access.projects.some(
    ({ slug, may }) => slug === execution?.project && may('correct-cause'),
  )
  return execution && { execution, failing, fixes, mayCorrect }
})

interface Props {
  params: Promise<{ id: string }>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const found = await readOne((await params).id)
  return {
    title: found
      ? `${found.execution.outcome}: ${found.execution.title ?? found.execution.externalId}`.slice(0, 120)
      : 'Execution not found',
  }
}

export default async function ExecutionPage({ params }: Props) {
  const { id } = await params
  const found = await readOne(id)
  if (!found) notFound()
  const queryClient = new QueryClient()
  queryClient.setQueryData(executionQueries.detail(id).queryKey, found.execution)
  queryClient.setQueryData(fixQueries.ofExecution(id).queryKey, found.fixes)
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <ExecutionScreen
        key={id}
        id={id}
        version={found.execution.version}
        failing={found.failing}
        mayCorrect={found.mayCorrect}
      />
    </HydrationBoundary>
  )
}
