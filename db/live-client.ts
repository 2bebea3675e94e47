import postgres from 'postgres'

export interface LiveMessage {
  project: string
  /** Ids of the executions that changed; at most 50 are named. */
  executions: string[]
  /** How many changed in all. */
  n: number
}

export interface LiveClient {
  close(): Promise<void>
}

export interface LiveHandlers {
  onMessage(message: LiveMessage): void
  /** The connection is (again) listening. Whatever happened in between was missed: readers should look again. */
  onConnected?(): void
}

export const LIVE_CHANNEL = 'inquest'

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
 * (postgres.js' own `listen` gives up when its first try to reconnect fails).
 *
 * @param url must not go through a transaction pooler: LISTEN belongs to a session
 */
export async function listenLive(url: string, handlers: LiveHandlers): Promise<LiveClient> {
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let tries = 0
  let current: postgres.Sql | null = null

  const connect = async (): Promise<void> => {
    let ended = false
    const again = () => {
      if (ended || closed) return
      ended = true
      void sql.end({ timeout: 0 }).catch(() => {})
      timer = setTimeout(() => void connect().catch(() => {}), Math.min(2000, 50 * 2 ** tries++))
    }
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
      connection: { application_name: 'inquest live' },
    } as postgres.Options<Record<string, never>>)
    current = sql
    try {
      await sql.unsafe(`listen ${LIVE_CHANNEL}`)
    } catch (error) {
      again()
      throw error
    }
    tries = 0
    handlers.onConnected?.()
  }

  // A server that is away at the start is no reason to stay deaf: the next try is already under way.
  await connect().catch(() => {})
  return {
    close: async () => {
      closed = true
      clearTimeout(timer)
      await current?.end({ timeout: 2 })
    },
  }
}
