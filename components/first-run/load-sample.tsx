'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { links } from '@/lib/links'
import type { Problem } from '@/lib/problem'
import { onLive } from '../live/live-store'
import { plural } from '../shared/format'
import { asProblem, sendJson } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { Button } from '../shared/ui/button'

/** Loads the sample and says how many executions have come in while it does. */
export function LoadSample({ mayLoad }: { mayLoad: boolean }) {
  const router = useRouter()
  const [state, setState] = useState<'idle' | 'loading' | 'loaded'>('idle')
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const [problem, setProblem] = useState<Problem | null>(null)
  useEffect(
    () =>
      onLive((events) =>
        setSeen((before) => new Set([...before, ...events.flatMap((event) => event.id ?? [])])),
      ),
    [],
  )
  const load = async (): Promise<void> => {
    setState('loading')
    setProblem(null)
    try {
      await sendJson('POST', links.api.sample(), {})
      setState('loaded')
      router.push(links.executions())
    } catch (error) {
      setProblem(asProblem(error))
      setState('idle')
    }
  }
  const why = mayLoad ? null : 'Your role is read-only. Ask an operator or admin to load the sample.'
  return (
    <>
      <Button kind="main" onClick={load} why={why ?? (state === 'idle' ? null : 'Loading')}>
        {state === 'idle' ? 'Load sample data' : state === 'loading' ? 'Loading…' : 'Loaded'}
      </Button>
      {why && <p className="text-sm text-ink-3">{why}</p>}
      {state !== 'idle' && (
        <div role="status">
          <progress
            className="h-1.5 w-full accent-accent"
            aria-label="Loading the sample"
            {...(state === 'loaded' ? { value: 1, max: 1 } : {})}
          />
          <p className="text-sm text-ink-2">
            {seen.size === 0 ? 'Sending the sample' : `${plural(seen.size, 'execution')} received`}
          </p>
        </div>
      )}
      {problem && <ProblemNotice compact problem={problem} onRetry={() => void load()} />}
    </>
  )
}
