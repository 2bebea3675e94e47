import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { PoliciesScreen } from '@/components/policies/policies-screen'
import { policyQueries } from '@/components/policies/queries'
import { readQuestion } from '@/components/policies/read-question'
import { replayAddress } from '@/components/policies/replay-address'
import { replayPolicies } from '@/db/queries/replay'
import { limits } from '@/lib/limits'
import { IMPORT_COMMAND, RECORD_COMMAND } from '@/lib/words/commands'
import { look } from '../_pages/look'
import { one, pageProjects } from '../_pages/projects'
import { pageAccess } from '../_server/page-access'
import { db } from '../_server/db'

export const metadata: Metadata = { title: 'Policies' }

export default async function PoliciesPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}) {
  const params = await searchParams
  const access = await look(() => pageAccess())
  const asked = {
    q: one(params.q),
    project: one(params.project),
    from: one(params.from),
    to: one(params.to),
    cell: one(params.cell),
  }
  const { ids: projectIds, unknown } = pageProjects(access, asked.project)
  const { question } = readQuestion(asked)
  const address = replayAddress(question)
  const queryClient = new QueryClient()
  // Most filters are answered whole with the page; of larger ones the first rows are, and the browser asks for the rest. It could not ask
  // for a project that there is not.
  const limit = unknown ? limits.countMax : limits.replayedFirst
  const replay = await look(() => replayPolicies(db(), { ...question, projectIds, limit }))
  const whole = unknown || !replay.totalCapped
  if (whole) queryClient.setQueryData(policyQueries.replay(address).queryKey, replay)
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <PoliciesScreen
        first={whole ? null : { address, replay }}
        importCommand={IMPORT_COMMAND}
        recordCommand={RECORD_COMMAND}
        unknownProject={unknown ? asked.project : null}
      />
    </HydrationBoundary>
  )
}
