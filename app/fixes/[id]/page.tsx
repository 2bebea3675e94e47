import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { fixQueries } from '@/components/fixes/queries'
import { ReviewRoom } from '@/components/fixes/review-room'
import { fixName, fixStateWord } from '@/components/fixes/words'
import { readFix } from '@/db/queries/fix'
import type { Action } from '@/lib/auth/permissions'
import { visible } from '@/lib/text/visible'
import { look } from '../../_pages/look'
import { fixReader } from '../../_server/fix-access'
import { pageAccess } from '../../_server/page-access'
import { db } from '../../_server/db'

// The title and the page ask for the same row.
const readOne = cache(async (id: string) => {
  const access = await look(() => pageAccess())
  const fix = await look(() =>
    readFix(db(), {
      projectIds: access.projects.map((project) => project.id),
      id,
      reader: fixReader(access),
    }),
  )
  const may = (action: Action): boolean =>
    access.projects.some((project) => project.slug === fix?.project && project.may(action))
  return fix && { fix, mayComment: may('comment-fix'), maySuggest: may('propose-fix') }
})

interface Props {
  params: Promise<{ id: string }>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const found = await readOne((await params).id)
  return {
    title: found
      ? visible(`${fixStateWord(found.fix.state)}: ${fixName(found.fix)}`).slice(0, 120)
      : 'Fix not found',
  }
}

export default async function FixPage({ params }: Props) {
  const { id } = await params
  const found = await readOne(id)
  if (!found) notFound()
  const queryClient = new QueryClient()
  queryClient.setQueryData(fixQueries.detail(id).queryKey, found.fix)
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <ReviewRoom key={id} id={id} mayComment={found.mayComment} maySuggest={found.maySuggest} />
    </HydrationBoundary>
  )
}
