import { projectIds } from '@/app/_server/access'
import { defineRoute } from '@/app/_server/define-route'
import { type LiveNews, subscribe } from '@/app/_server/live-hub'
import { onShutdown } from '@/app/_server/shutdown'
import type { Told } from '@/lib/live/backlog'
import { formatLiveEvent, LIVE_HEARTBEAT, LIVE_RETRY } from '@/lib/live/event'

export const dynamic = 'force-dynamic'

const HEARTBEAT_MS = 15_000
/** A stream ends after this long; the browser connects again and is asked anew who it is. */
const LIFE_MS = 15 * 60_000
/** A reader that is this many pieces behind is let go; on its return it hears what it missed. */
const BEHIND_MAX = 1000

const RESYNC = { type: 'resync', id: null } as const

/** Server-sent events of the projects the reader may see. */
export const GET = defineRoute({ action: 'read' }, async ({ request, access, query }) => {
  const mine = new Set(projectIds(access, query.get('project')))
  const spell = (run: string, { serial, what }: Told<LiveNews>): string => {
    const id = `${run}-${serial}`
    if (what === 'missed') return formatLiveEvent(RESYNC, id)
    if (!mine.has(what.project)) return ''
    const named = what.executions.map((execution) =>
      formatLiveEvent({ type: 'execution', id: execution }, id),
    )
    return named.join('') + (what.n > named.length ? formatLiveEvent(RESYNC, id) : '')
  }

  let send = (_text: string): void => undefined
  let run = ''
  // Joined before the answer begins, so that a database that does not answer is told as such.
  const subscription = await subscribe((told) => send(spell(run, told)), request.headers.get('last-event-id'))
  run = subscription.run
  let leave = subscription.leave
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const end = (): void => {
        leave()
        controller.close()
      }
      const heartbeat = setInterval(() => send(LIVE_HEARTBEAT), HEARTBEAT_MS)
      const life = setTimeout(end, LIFE_MS)
      const forgetShutdown = onShutdown(end, 'streams')
      leave = () => {
        leave = () => undefined
        send = () => undefined
        clearInterval(heartbeat)
        clearTimeout(life)
        forgetShutdown()
        request.signal.removeEventListener('abort', end)
        subscription.leave()
      }
      send = (text) => {
        if (text === '') return
        controller.enqueue(encoder.encode(text))
        if ((controller.desiredSize ?? 0) < -BEHIND_MAX) end()
      }
      request.signal.addEventListener('abort', end)
      if (request.signal.aborted) return end()
      const missed =
        subscription.missed?.map((told) => spell(run, told)).join('') ??
        formatLiveEvent(RESYNC, `${run}-${subscription.last}`)
      send(LIVE_RETRY + missed)
    },
    cancel: () => leave(),
  })
  return new Response(stream, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      // no-transform keeps the compression of Next and of proxies from holding events back
      'cache-control': 'private, no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    },
  })
})
