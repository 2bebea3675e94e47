'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { emptyFilter, formatFilter } from '@/lib/executions/filter'
import { links } from '@/lib/links'
import { onLive } from '../live/live-store'
import { asProblem } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { Elapsed, ExactTime } from '../shared/time'
import { VisibleText } from '../shared/visible-text'
import { FoundChooser } from './found-chooser'
import { foundAddress } from './found-address'
import { findQueries } from './queries'

/** Looked for again even when nothing is announced: the connection may be down. */
const AGAIN_MS = 10_000
const SETTLE_MS = 300

/** Nothing by this id has arrived yet. The page says what it waits for and since when, and opens by itself. */
export function WaitingScreen({ id, search, since }: { id: string; search: string; since: string }) {
  const router = useRouter()
  const [start] = useState(since)
  const found = useQuery({ ...findQueries.find(id), refetchInterval: AGAIN_MS })
  const { refetch } = found
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onLive(() => {
      timer ??= setTimeout(() => {
        timer = undefined
        void refetch()
      }, SETTLE_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [refetch])
  const items = found.data?.items ?? []
  const only = items.length === 1 ? items[0] : undefined
  useEffect(() => {
    if (only) router.replace(foundAddress(only, search) + window.location.hash)
  }, [only, router, search])
  if (items.length > 1) return <FoundChooser id={id} found={items} search={search} />
  return (
    <div className="mx-auto max-w-2xl space-y-4 px-4 py-12">
      <h1 className="text-lg font-semibold">Nothing by this id has arrived yet</h1>
      <p className="rounded border border-line bg-sunken px-3 py-2"><code className="font-mono"><VisibleText text={id} /></code></p>
      <p className="text-ink-2">
        This page waits for an execution, a session, a tool call or a record of this id, and opens it as soon as it arrives.
      </p>
      <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-y-1 [&_dt]:text-ink-3">
        <dt>Waiting since</dt><dd><ExactTime at={start} /> (<Elapsed from={start} to={null} running />)</dd>
        <dt>Looked in</dt><dd>every project you may read</dd>
      </dl>
      {found.isError && <ProblemNotice compact problem={asProblem(found.error)} onRetry={() => void refetch()} />}
      <p className="flex flex-wrap gap-4">
        <a href={links.executions(`q=${encodeURIComponent(formatFilter({ ...emptyFilter(), words: [id] }))}`)} className="link">
          Executions that match it as words
        </a>
        <a href={links.executions()} className="link">
          All executions
        </a>
      </p>
      <p role="status" className="sr-only">{only ? 'It has arrived; its page opens.' : ''}</p>
    </div>
  )
}
