import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { ChainScreen } from '@/components/receipts/chain-screen'
import { receiptQueries } from '@/components/receipts/queries'
import { readReceiptChain } from '@/db/queries/receipt-chains'
import { visible } from '@/lib/text/visible'
import { look } from '../../_pages/look'
import { db } from '../../_server/db'
import { idOfPath } from '../../_server/find-only'
import { pageAccess } from '../../_server/page-access'

interface Props {
  params: Promise<{ id: string[] }>
}

const readId = async (params: Props['params']): Promise<string> => idOfPath((await params).id.join('/'))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Chain ${visible(await readId(params))}`.slice(0, 120) }
}

/** A chain that nobody knows is waited for: its id is known before its first receipt. */
export default async function ChainPage({ params }: Props) {
  const access = await look(() => pageAccess())
  const id = await readId(params)
  const projectIds = access.projects.map((project) => project.id)
  const chain = id.includes('\0') ? null : await look(() => readReceiptChain(db(), projectIds, id))
  const queryClient = new QueryClient()
  if (chain) queryClient.setQueryData(receiptQueries.chain(id).queryKey, chain)
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <ChainScreen key={id} id={id} since={new Date().toISOString()} />
    </HydrationBoundary>
  )
}
