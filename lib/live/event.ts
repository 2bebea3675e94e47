/**
 * What the live endpoint sends: ids only, never content. A reader looks up what it shows; whoever may not read a project hears nothing of it.
 *
 * - `{type: 'execution', id}`: this execution is new, or has changed
 * - `{type: 'resync', id: null}`: something may have been missed; look at everything again
 * - `{type: 'stale', id: null}`: the server has lost the database, and hears of no changes until the `resync` that follows
 */
export interface LiveChange {
  type: 'execution' | 'resync' | 'stale'
  id: string | null
}

/** Name of the server-sent events. */
export const LIVE_EVENT = 'change'

/** One server-sent event, as it goes over the wire. `id` comes back as `Last-Event-ID` when a reader returns. */
export const formatLiveEvent = (change: LiveChange, id: string): string =>
  `event: ${LIVE_EVENT}\nid: ${id}\ndata: ${JSON.stringify(change)}\n\n`

/** Name of the event that begins a stream: it only carries an id, from which a reader can go on. */
export const LIVE_START = 'start'
export const formatLiveStart = (id: string): string => `event: ${LIVE_START}\nid: ${id}\ndata: {}\n\n`

/** A comment: keeps the connection open through proxies that close silent ones. */
export const LIVE_HEARTBEAT = ': still here\n\n'

/** How long a browser waits before it connects again. */
export const LIVE_RETRY = 'retry: 2000\n\n'
