import type { Socket } from 'node:net'
import postgres from 'postgres'
import { promptSockets } from './socket'
import { storeText } from '@/lib/words/server/store'

export interface LiveMessage {
  project: string
  /** Ids of the executions that changed; at most 50 are named. */
  executions: string[]
  /** How many changed in all. */
  n: number
}

export interface LiveClient {
  /** Gives the connection up and makes a new one: whoever calls knows that the server does not answer. */
  reconnect(): void
  close(): Promise<void>
}

export interface LiveHandlers {
  onMessage(message: LiveMessage): void
  /** The connection is (again) listening. Whatever happened in between was missed: readers should look again. */
  onConnected?(): void
  /** The connection is lost, or could not be made: what changes from now on is not heard. Called once until the next `onConnected`. */
  onLost?(): void
}

export interface LiveOptions {
  /** Milliseconds of silence after which the server is asked whether it is still there. */
  keepAliveMs?: number
  /** Milliseconds it has to answer that, and to let a new connection listen. */
  answerMs?: number
}

export const LIVE_CHANNEL = 'inquest'
const AGAIN_MS_MAX = 2_000

/** Reads a payload of the channel; null when it is not one of ours. */
export function parseLiveMessage(payload: string): LiveMessage | null {
  try {
    const value = JSON.parse(payload) as Partial<LiveMessage> | null
    if (typeof value?.project !== 'string' || !Array.isArray(value.executions)) return null
    return {
      project: value.project,
      executions: value.executions.filter((id) => typeof id === 'string'),
      n: Number(value.n) || 0,
    }
  } catch {
    return null
  }
}

/**
 * Listens for changes on a connection of its own, and comes back by itself however long the server is away
 * (postgres.js' own `listen` gives up when its first try to reconnect fails). A server that is frozen, or out of reach without
 * a word, is noticed too: it is asked every few seconds, and has as long to answer.
 *
 * @param url must not go through a transaction pooler: LISTEN belongs to a session
 */
export async function listenLive(
  url: string,
  handlers: LiveHandlers,
  { keepAliveMs = 4_000, answerMs = 4_000 }: LiveOptions = {},
): Promise<LiveClient> {
  let closed = false
  let lost = false
  let timer: NodeJS.Timeout | undefined
  let attempts = 0
  let end = async (): Promise<void> => {}
  let reconnect = (): void => {}

  const onLost = (): void => {
    if (lost || closed) return
    lost = true
    handlers.onLost?.()
  }

  const connect = async (): Promise<void> => {
    let ended = false
    let socket: Socket | undefined
    const open = promptSockets()
    const again = (): void => {
      if (ended || closed) return
      ended = true
      clearTimeout(timer)
      onLost()
      // A peer that is silent acknowledges no farewell either.
      socket?.destroy()
      void sql.end({ timeout: 0 }).catch(() => {})
      timer = setTimeout(() => void connect().catch(() => {}), Math.min(AGAIN_MS_MAX, 50 * 2 ** attempts++))
    }
    reconnect = again
    const sql = postgres(url, {
      max: 1,
      idle_timeout: 0,
      max_lifetime: null,
      connect_timeout: 5,
      fetch_types: false,
      onnotice: () => {},
      onclose: again,
      onnotify: (channel: string, payload: string) => {
        const message = channel === LIVE_CHANNEL ? parseLiveMessage(payload) : null
        if (message) handlers.onMessage(message)
      },
      socket: (options: Parameters<typeof open>[0]) => (socket = open(options)),
      connection: { application_name: 'inquest live' },
    } as postgres.Options<Record<string, never>>)
    end = async () => {
      ended = true
      const cut = setTimeout(() => socket?.destroy(), 2_000)
      await sql.end({ timeout: 2 })
      clearTimeout(cut)
    }
    const ask = async (statement: string): Promise<void> => {
      try {
        await answerWithin(sql.unsafe(statement), answerMs)
      } catch (error) {
        again()
        throw error
      }
    }
    const keepAlive = (): void => {
      timer = setTimeout(() => {
        ask('select 1').then(
          () => ended || closed || keepAlive(),
          () => {},
        )
      }, keepAliveMs)
    }
    await ask(`listen ${LIVE_CHANNEL}`)
    if (ended || closed) return
    attempts = 0
    lost = false
    handlers.onConnected?.()
    keepAlive()
  }

  // A server that is away at the start is no reason to stay deaf: the next attempt is already under way.
  await connect().catch(() => {})
  return {
    reconnect: () => reconnect(),
    close: async () => {
      closed = true
      clearTimeout(timer)
      await end()
    },
  }
}

/** @throws when nothing was answered in time */
function answerWithin(answer: PromiseLike<unknown>, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // After this process was busy for a while the answer may lie unread: it is read before the timer counts.
      setImmediate(() => reject(new Error(storeText.databaseSilent({ ms }))))
    }, ms)
    answer.then(
      () => {
        clearTimeout(timer)
        resolve()
      },
      (error: Error) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
