import { projectIds, stillAllowed } from '@/app/_server/access'
import { defineRoute, type Route } from '@/app/_server/define-route'
import { isLiveLost, type LiveNews, subscribe } from '@/app/_server/live-hub'
import { registerLiveStream } from '@/app/_server/live-streams'
import { Refusal } from '@/app/_server/respond'
import { readSessionToken } from '@/app/_server/session'
import { onShutdown } from '@/app/_server/shutdown'
import type { BacklogEntry } from '@/lib/live/backlog'
import {
  formatLiveEvent,
  formatLiveStart,
  LIVE_HEARTBEAT,
  LIVE_RETRY,
  type LiveChange,
} from '@/lib/live/event'

export const dynamic = 'force-dynamic'

const HEARTBEAT_MS = 15_000
/** A stream ends after this long; the browser connects again and is asked anew who it is. */
const LIFE_MS = 15 * 60_000
/** A reader that is this many pieces behind is let go; on its return it hears what it missed. */
const BEHIND_MAX = 1000

const RESYNC = { type: 'resync', id: null } as const
const STALE = { type: 'stale', id: null } as const

/** What one piece of news says to a reader of these projects. */
function changesOf(news: LiveNews, projects: ReadonlySet<string>): LiveChange[] {
  if (news === 'lost') return [STALE]
  if (news === 'missed') return [RESYNC]
  if (!projects.has(news.project)) return []
  const named = news.executions.map((id): LiveChange => ({ type: 'execution', id }))
  return news.n > named.length ? [...named, RESYNC] : named
}

/** Server-sent events of the projects the reader may see. */
const stream = defineRoute('/api/v1/live', { action: 'read' }, async ({ request, access, query }) => {
  const project = query.get('project')
  const mine = new Set(projectIds(access, project))
  const spell = (run: string, { serial, what }: BacklogEntry<LiveNews>): string =>
    changesOf(what, mine)
      .map((change) => formatLiveEvent(change, `${run}-${serial}`))
      .join('')

  const session = request.headers.has('authorization') ? null : await readSessionToken(request.headers)
  let send = (_text: string): void => undefined
  let run = ''
  // Joined before the answer begins, so that a database that does not answer is reported as such.
  const subscription = await subscribe(
    (entry) => send(spell(run, entry)),
    request.headers.get('last-event-id'),
  )
  run = subscription.run
  let leave = subscription.leave
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let over = false
      const end = (): void => {
        if (over) return
        leave()
        controller.close()
      }
      const check = (): void =>
        void stillAllowed(request, 'read', access).then((allowed) => allowed || end(), end)
      const heartbeat = setInterval(() => {
        send(LIVE_HEARTBEAT)
        // Roles and keys change, sessions end: nobody goes on hearing of what they may no longer read.
        if (!isLiveLost()) check()
      }, HEARTBEAT_MS)
      const life = setTimeout(end, LIFE_MS)
      const forgetShutdown = onShutdown(end, 'streams')
      const forgetStream = registerLiveStream({ session, end })
      leave = () => {
        leave = () => undefined
        over = true
        send = () => undefined
        clearInterval(heartbeat)
        clearTimeout(life)
        forgetShutdown()
        forgetStream()
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
      const at = `${run}-${subscription.last}`
      const missed =
        subscription.missed?.map((entry) => spell(run, entry)).join('') ?? formatLiveEvent(RESYNC, at)
      // Without a first id a reader of a quiet stream could not say on its return since when it was away.
      send(LIVE_RETRY + missed + formatLiveStart(at) + (isLiveLost() ? formatLiveEvent(STALE, at) : ''))
    },
    cancel: () => leave(),
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      // no-transform keeps the compression of Next and of proxies from holding events back
      'cache-control': 'private, no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    },
  })
})

const refusal = defineRoute(
  '/api/v1/live',
  { public: 'it says only that the database does not answer' },
  () => Promise.reject(new Refusal('store-down', undefined, { headers: { 'retry-after': '5' } })),
)

/** While the connection that listens is known to be lost, nobody waits for the database to find out who asks. */
export const GET: Route<Record<never, never>> = Object.assign(
  (...args: Parameters<typeof stream>) => (isLiveLost() ? refusal : stream)(...args),
  stream,
)
