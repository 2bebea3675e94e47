import { hostname } from 'node:os'
import { createClient } from '../http'
import { drainRecords } from '../record/drain-records'
import type { Environment } from '../settings'
import { drainSpool } from './send-frames'

/** Milliseconds between two looks: what a frame waits at most, of the two seconds in which an open page shows it. */
const lookEveryMs = 500

export interface FollowedServer {
  url: string
  token: string
}

/**
 * Takes the frames that hooks of this machine leave in the spool to the server that runs beside it, so that a hook need not
 * speak to anybody, and the records that waited for a server. A folder is looked at, not watched: an empty one costs nothing, and no file system tells less.
 * @returns a function that ends it, after what it is sending just now
 */
export function followSpool(
  server: FollowedServer,
  environment: Environment,
  say: (line: string) => void,
): () => Promise<void> {
  // The spool of this machine, also when the environment of the server names another one.
  const env = { ...environment, INQUEST_URL: undefined }
  const client = createClient(
    { url: new URL(server.url), token: server.token, from: 'server.json' },
    { sockets: 1 },
  )
  const ended = new AbortController()
  let said = ''
  let looking: Promise<void> | null = null
  const look = async (): Promise<void> => {
    try {
      // Frames are whole once they have their name, and the hooks of this spool send none themselves.
      await drainSpool({ client, env, source: hostname(), idleMs: 30_000, signal: ended.signal, young: true })
      await drainRecords({ client, env, signal: ended.signal, patienceMs: 0 })
      said = ''
    } catch (error) {
      const trouble = (error as Error).message
      if (!ended.signal.aborted && trouble !== said)
        say(`what hooks and records left waits in the spool: ${trouble}`)
      said = trouble
    }
  }
  const timer = setInterval(() => void (looking ??= look().finally(() => (looking = null))), lookEveryMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    ended.abort()
    await looking
    client.close()
  }
}
