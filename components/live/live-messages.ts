import type { LiveEvent, LiveState } from './live-store'

/** A visible page says this often that it is there. A hidden one does not: it may be frozen at any time. */
export const PING_MS = 5_000
/** The same where a page contains the stream: it dies more easily than a worker, and another one should hold it within seconds. */
export const PAGE_PING_MS = 2_000
/** A visible page that said nothing for this long is gone: closed, crashed or frozen. */
export const SILENT_MS = 20_000

/** From a page to the worker or page that contains the stream of this browser. */
export type FromPage =
  /** It begins to listen; `reader` is who the page was made for, null when that was not known. */
  | { kind: 'join'; reader: string | null; visible: boolean }
  /** It is still there; the holder answers. */
  | { kind: 'here'; visible: boolean }
  /** It has handled the last message; the holder sends no other before that. */
  | { kind: 'done' }
  | { kind: 'leave' }

/** From there to a page: the state of the stream, and what changed since the message before. */
export interface ToPage {
  state: LiveState
  events: LiveEvent[]
}
