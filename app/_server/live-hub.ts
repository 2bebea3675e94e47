import { type LiveClient, listenLive, type LiveMessage } from '@/db/live-client'
import { type Backlog, createBacklog, type Told } from '@/lib/live/backlog'
import { directUrl } from './db'
import { log } from './log'
import { onShutdown } from './shutdown'

/** What is told to readers: a change, or that the connection was away and changes were missed. */
export type LiveNews = LiveMessage | 'missed'
export type LiveReader = (told: Told<LiveNews>) => void

interface Hub {
  /** Tells the serials of this process from those of an earlier one. */
  run: string
  readers: Set<LiveReader>
  backlog: Backlog<LiveNews>
  client: LiveClient
}

const KEY = Symbol.for('inquest.live')
const holder = globalThis as { [KEY]?: Promise<Hub> }

const BACKLOG_MAX = 2000

async function open(): Promise<Hub> {
  const readers = new Set<LiveReader>()
  let backlog: Backlog<LiveNews> | undefined
  const tell = (news: LiveNews): void => {
    const told = backlog?.tell(news, Date.now())
    if (told) for (const reader of readers) reader(told)
  }
  let connections = 0
  const client = await listenLive(directUrl(), {
    onMessage: tell,
    onConnected: () => {
      connections += 1
      if (connections > 1) tell('missed')
    },
  })
  backlog = createBacklog(Date.now(), BACKLOG_MAX)
  return { run: crypto.randomUUID().slice(0, 8), readers, backlog, client }
}

/** One listening connection for all readers of this process; opened at start or by the first reader, and kept. */
export function liveHub(): Promise<Hub> {
  const known = holder[KEY]
  if (known) return known
  const made = open()
  holder[KEY] = made
  const forget = (): void => {
    if (holder[KEY] === made) delete holder[KEY]
  }
  made.catch((error: unknown) => {
    log.warn({ err: error }, 'listening for changes failed')
    forget() // the next reader tries again
  })
  onShutdown(async () => {
    forget()
    await made.then(
      (hub) => hub.client.close(),
      () => undefined,
    )
  }, 'pools')
  return made
}

/** How long before it connects a page may have been made. */
const PAGE_AGE_MS = 30_000

export interface Subscription {
  run: string
  /** What the reader missed before it joined; null when that is not known any more. */
  missed: Told<LiveNews>[] | null
  /** Serial of the last thing told before the reader joined. */
  last: number
  leave: () => void
}

/** Joins the readers. `lastEventId` is the last one a returning reader saw (`run-serial`). */
export async function subscribe(reader: LiveReader, lastEventId: string | null): Promise<Subscription> {
  const { run, readers, backlog } = await liveHub()
  const [, lastRun, serial] = /^([0-9a-f]{8})-(\d{1,15})$/.exec(lastEventId ?? '') ?? []
  let missed =
    lastEventId === null
      ? backlog.sinceTime(Date.now() - PAGE_AGE_MS)
      : lastRun === run
        ? backlog.sinceSerial(Number(serial))
        : null
  if (missed?.some((told) => told.what === 'missed')) missed = null
  readers.add(reader)
  return { run, missed, last: backlog.last(), leave: () => void readers.delete(reader) }
}
