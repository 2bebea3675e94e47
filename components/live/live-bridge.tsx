'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { links } from '@/lib/links'
import { executionQueries } from '../executions/queries'
import { emitLive, type LiveEvent, onLive, setLiveState } from './live-store'
import { parseLive } from './parse-live'

const BATCH_MS = 200
const REFRESH_MS = 800
const AGAIN_MS = 3_000

/**
 * Server-sent events → keys to read again. Only what is on screen is read; lists count what is new and never move by themselves.
 * After a break everything on screen is read again once, since what was said meanwhile is lost.
 */
export function LiveBridge() {
  const client = useQueryClient()
  useEffect(() => {
    let source: EventSource | undefined
    let again: ReturnType<typeof setTimeout> | undefined
    let batchTimer: ReturnType<typeof setTimeout> | undefined
    const batch: LiveEvent[] = []
    let broken = false
    const flush = (): void => {
      batchTimer = undefined
      emitLive(batch.splice(0))
    }
    const take = (message: MessageEvent<string>): void => {
      const event = parseLive(message.type, message.data)
      if (event === null) return
      batch.push(event)
      batchTimer ??= setTimeout(flush, BATCH_MS)
    }
    const connect = (): void => {
      source = new EventSource(links.api.live())
      source.onopen = () => {
        setLiveState('open')
        if (broken) emitLive([{ type: 'resync', id: null }])
        broken = false
      }
      source.onerror = () => {
        broken = true
        setLiveState('lost')
        // A refusal closes the source for good; the browser only comes back by itself after a broken connection.
        if (source?.readyState === EventSource.CLOSED) again = setTimeout(connect, AGAIN_MS)
      }
      source.onmessage = take
      for (const type of ['execution', 'executions', 'change']) source.addEventListener(type, take)
    }
    connect()
    return () => {
      source?.close()
      clearTimeout(again)
      clearTimeout(batchTimer)
    }
  }, [])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let last = 0
    let ids = new Set<string>()
    let all = false
    const refresh = (): void => {
      timer = undefined
      last = Date.now()
      const changed = ids
      const everything = all
      ids = new Set()
      all = false
      void client.invalidateQueries({
        queryKey: executionQueries.root(),
        predicate: ({ queryKey }) => isOne(queryKey[1]) && (everything || changed.has(String(queryKey[2]))),
      })
    }
    const stop = onLive((events) => {
      for (const event of events)
        if (event.id === null) all ||= event.type === 'resync'
        else ids.add(event.id)
      if (timer === undefined && (all || ids.size > 0))
        timer = setTimeout(refresh, Math.max(0, last + REFRESH_MS - Date.now()))
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [client])
  return null
}

// Lists and heads have their own way (`useNewRows`).
const ONE: ReadonlySet<unknown> = new Set([
  'detail',
  'attempts',
  'events',
  'parts',
  'decision',
  'chains',
  'receiptChains',
  'failing',
])
const isOne = (part: unknown): boolean => ONE.has(part)
