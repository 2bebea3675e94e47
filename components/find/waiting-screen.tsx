'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { emptyFilter, formatFilter } from '@/lib/views/executions/filter'
import { links } from '@/lib/links'
import { useLiveRefetch } from '../live/use-live-refetch'
import { FoundChooser } from './found-chooser'
import { foundAddress } from './found-address'
import { findQueries } from './queries'
import { AGAIN_MS, SETTLE_MS, WaitingFrame } from './waiting-frame'

/** Waiting for this ID. The page says what it waits for and since when, and opens by itself. */
export function WaitingScreen({ id, search, since }: { id: string; search: string; since: string }) {
  const router = useRouter()
  const found = useQuery({ ...findQueries.find(id), refetchInterval: AGAIN_MS })
  useLiveRefetch(found.refetch, SETTLE_MS)
  const items = found.data?.items ?? []
  const only = items.length === 1 ? items[0] : undefined
  useEffect(() => {
    if (only) router.replace(foundAddress(only, search) + window.location.hash)
  }, [only, router, search])
  if (items.length > 1) return <FoundChooser id={id} found={items} search={search} />
  return (
    <WaitingFrame
      title="Waiting for this ID"
      what={id}
      expects="This page waits for an execution, session, receipt, chain, tool call or record with this ID, and opens it on arrival."
      since={since}
      error={found.isError ? found.error : null}
      onRetry={() => void found.refetch()}
      arrived={only !== undefined}
    >
      <p className="flex flex-wrap gap-4">
        <a
          href={links.executions(`q=${encodeURIComponent(formatFilter({ ...emptyFilter(), words: [id] }))}`)}
          className="link"
        >
          Executions that contain this text
        </a>
        <a href={links.executions()} className="link">
          All executions
        </a>
      </p>
    </WaitingFrame>
  )
}
