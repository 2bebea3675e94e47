'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { parseAsString, useQueryState } from 'nuqs'
import { useEffect, useMemo, useRef } from 'react'
import { CI_GROUP_WORDS } from '@/lib/words/ci'
import { isEmpty, onlyFailure, openedOf, placeOf, viewCiRun } from '@/lib/views/ci/ci-view'
import { links } from '@/lib/links'
import { AGAIN_MS, SETTLE_MS } from '../find/waiting-frame'
import { useLiveRefetch } from '../live/use-live-refetch'
import { formatCount } from '../shared/format'
import { asProblem } from '../shared/get-json'
import { useKeys } from '../shared/keys'
import { ProblemNotice } from '../shared/problem-notice'
import { useOpenPage } from '../shared/use-written-address'
import { say } from '../shell/announcer'
import { CiExecutionList } from './ci-execution-list'
import { CiRunHeader } from './ci-run-header'
import { CiWaiting } from './ci-waiting'
import { OpenExecution } from './open-execution'
import { ciQueries } from './queries'
import type { CiAddress } from '@/lib/model/ci-run'

/** Every failure of one CI run: one is open, the others beside it. Before anything has arrived it waits, and opens by itself. */
export function CiRunScreen({
  address,
  knownProvider,
  since,
}: {
  address: CiAddress
  knownProvider: boolean
  since: string
}) {
  const router = useRouter()
  const openPage = useOpenPage()
  const [asked, setAsked] = useQueryState('open', parseAsString)
  const run = useQuery({ ...ciQueries.run(address), refetchInterval: AGAIN_MS })
  useLiveRefetch(run.refetch, SETTLE_MS)
  const view = useMemo(() => viewCiRun(run.data?.items ?? [], address), [run.data, address])
  const waiting = isEmpty(view)
  const opened = openedOf(view, asked)
  const only = onlyFailure(view)
  // Who waited for it is led on as the address would have done; who reads the list stays there, whatever else arrives.
  const waited = useRef(waiting)
  useEffect(() => {
    if (waiting || !waited.current) return
    waited.current = false
    if (only) router.replace(links.decided(only.id) + window.location.hash)
  }, [waiting, only, router])

  const top = useRef<HTMLDivElement>(null)
  const open = (id: string, history: 'push' | 'replace' = 'push'): void => {
    void setAsked(id, { history })
    // On a telephone the list is below what it opens.
    if ((top.current?.getBoundingClientRect().top ?? 0) < 0) top.current?.scrollIntoView({ block: 'start' })
  }
  // Who reads failures walks failures: what succeeded is not counted among them.
  const placed = placeOf(view, opened?.id)
  const step = (by: number): void => {
    const next = placed.group[placed.place + by]
    if (!next)
      return say(
        `This is the ${by > 0 ? 'last' : 'first'} of ${formatCount(placed.group.length)} ${CI_GROUP_WORDS[placed.kind]} in this run`,
      )
    open(next.id, 'replace')
  }
  const keys = {
    j: () => step(1),
    ArrowDown: () => step(1),
    k: () => step(-1),
    ArrowUp: () => step(-1),
    Enter: () => opened && openPage(links.execution(opened.id)),
  }
  useKeys(keys, !waiting)

  if (!run.data)
    return run.isError ? (
      <ProblemNotice problem={asProblem(run.error)} onRetry={() => void run.refetch()} />
    ) : null
  const list = { address, view, openedId: opened?.id ?? null, leftOut: run.data.leftOut, onOpen: open }
  if (waiting)
    return (
      <CiWaiting
        address={address}
        attempts={view.attempts}
        knownProvider={knownProvider}
        since={since}
        error={run.isError ? run.error : null}
        onRetry={() => void run.refetch()}
      />
    )
  return (
    <article aria-labelledby="title" className="min-w-0">
      <CiRunHeader
        address={address}
        view={view}
        opened={opened}
        stale={run.isRefetchError ? asProblem(run.error) : null}
      />
      {opened ? (
        <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_24rem]">
          <div ref={top} className="min-w-0 scroll-mt-12">
            <OpenExecution item={opened} placed={placed} onStep={step} />
          </div>
          <CiExecutionList {...list} beside />
        </div>
      ) : (
        <CiExecutionList {...list} />
      )}
    </article>
  )
}
