import { listenLive, type LiveMessage } from '@/db/live-client'
import { type Backlog, createBacklog, type BacklogEntry } from '@/lib/live/backlog'
import { logText } from '@/lib/words/server/log'
import { db, directUrl } from './db'
import { log } from './log'
import { onShutdown } from './shutdown'

/** What readers hear: a change, that the connection to the database is lost, or that it is back and changes were missed. */
export type LiveNews = LiveMessage | 'lost' | 'missed'
export type LiveReader = (entry: BacklogEntry<LiveNews>) => void

interface Hub {
  /** Tells the serials of this process from those of an earlier one. */
  run: string
  readers: Set<LiveReader>
  backlog: Backlog<LiveNews>
  close: () => Promise<void>
}

const KEY = Symbol.for('inquest.live')
const LOST = Symbol.for('inquest.live.lost')
const holder = globalThis as { [KEY]?: Promise<Hub>; [LOST]?: boolean }

/** Whether the listening connection is lost right now, found out without asking the database. */
export const isLiveLost = (): boolean => holder[LOST] === true

const BACKLOG_MAX = 2000

async function open(): Promise<Hub> {
  const readers = new Set<LiveReader>()
  let backlog: Backlog<LiveNews> | undefined
  const tell = (news: LiveNews): void => {
    const entry = backlog?.tell(news, Date.now())
    if (entry) for (const reader of readers) reader(entry)
  }
  const client = await listenLive(directUrl(), {
    onMessage: tell,
    onLost: () => {
      holder[LOST] = true
      log.warn(logText.listeningLost)
      tell('lost')
    },
    onConnected: () => {
      if (holder[LOST] !== true) return
      holder[LOST] = false
      log.info(logText.listeningAgain)
      tell('missed')
    },
  })
  backlog = createBacklog(Date.now(), BACKLOG_MAX)
  // Pages fail from that moment, long before a frozen server is noticed here: those that are open must not go on saying that they are live.
  const ignoreAway = db().onAway(client.reconnect)
  const close = (): Promise<void> => {
    ignoreAway()
    return client.close()
  }
  return { run: crypto.randomUUID().slice(0, 8), readers, backlog, close }
}

/** One listening connection for all readers of this process; opened at start or by the first reader, and kept. */
export function liveHub(): Promise<Hub> {
  const known = holder[KEY]
  if (known) return known
  const made = open()
  holder[KEY] = made
  const forget = (): void => {
    if (holder[KEY] !== made) return
    delete holder[KEY]
    delete holder[LOST]
  }
  made.catch((error: unknown) => {
    log.warn({ err: error }, logText.listeningFailed)
    forget() // the next reader tries again
  })
  onShutdown(async () => {
    forget()
    await made.then(
      (hub) => hub.close(),
      () => undefined,
    )
  }, 'pools')
  return made
}

/** How long before it connects a page may have been made. */
const PAGE_AGE_MS = 30_000

export interface Subscription {
  run: string
  /** What the reader missed before it joined; null when that is not known any more. Changes only. */
  missed: BacklogEntry<LiveNews>[] | null
  /** Serial of the last message before the reader joined. */
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
  if (missed?.some(({ what }) => what === 'missed' || what === 'lost')) missed = null
  readers.add(reader)
  return { run, missed, last: backlog.last(), leave: () => void readers.delete(reader) }
}
