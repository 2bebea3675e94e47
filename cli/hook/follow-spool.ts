import { hostname } from 'node:os'
import { countOf } from '@/lib/text/amounts'
import { hookText } from '@/lib/words/cli/hook'
import { createClient } from '../http'
import { drainRecords } from '../record/drain-records'
import { listRecords } from '../record/record-files'
import { readRefusedKey, refusedKeyWords } from '../refused-key'
import { readSettings } from '../settings'
import type { Environment } from '../settings'
import { listOtherSpools, listSpool } from '../spool'
import { drainSpool } from './send-frames'

/** Milliseconds between two looks: what a frame waits at most, of the two seconds in which an open page shows it. */
const lookEveryMs = 500

/** Milliseconds until a server that refused its key is asked again. */
const refusedForMs = 30_000

export interface FollowedServer {
  url: string
  token: string
}

/**
 * Takes the frames that hooks of this machine leave in the spool to the server that runs beside it, so that a hook need not
 * speak to anybody, and the records that waited for a server. A folder is looked at, not watched: an empty one costs nothing, and no file system tells less.
 * Of several servers with one state folder only the one that `server.json` names does so.
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
  const sending = { client, env, signal: ended.signal }
  let said = ''
  let restsUntil = 0
  let looking: Promise<void> | null = null
  sayWhatIsRefused(env, say)
  const look = async (): Promise<void> => {
    if (!isFollowed(env, server)) return
    let trouble = ''
    try {
      // Frames are whole once they have their name, and the hooks of this spool send none themselves.
      const frames = await drainSpool({
        ...sending,
        source: hostname(),
        idleMs: 30_000,
        young: true,
        onDropped: say,
      })
      const records = await drainRecords({ ...sending, patienceMs: 0 })
      const refused = frames.refusal ?? records.refusal
      if (refused !== undefined) {
        restsUntil = Date.now() + refusedForMs
        trouble = refusedKeyWords(
          env,
          readRefusedKey(env) ?? { since: new Date().toISOString(), because: refused },
        )
      }
    } catch (error) {
      trouble = hookText.spoolNotSent({ reason: (error as Error).message })
    }
    if (!ended.signal.aborted && trouble !== '' && trouble !== said) say(trouble)
    said = trouble
  }
  const timer = setInterval(() => {
    if (Date.now() >= restsUntil) looking ??= look().finally(() => (looking = null))
  }, lookEveryMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    ended.abort()
    await looking
    client.close()
  }
}

/** Whether `server.json` does not name another server, which then is the one that fetches. */
function isFollowed(env: Environment, server: FollowedServer): boolean {
  try {
    return readSettings(env).token === server.token
  } catch {
    // No file, or one that cannot be read: the server writes it again.
    return true
  }
}

/** Says at a start what waits for servers that refused the key: nothing but a person ends that. */
function sayWhatIsRefused(env: Environment, say: (line: string) => void): void {
  for (const spool of [env, ...listOtherSpools(env).map((other) => other.env)]) {
    const refused = readRefusedKey(spool)
    if (refused === null) continue
    const frames = listSpool(spool, { young: true, most: 100_000 }).length
    const records = listRecords(spool).length
    if (frames + records > 0)
      say(
        `${countOf(frames, 'frame')} and ${countOf(records, 'record')} wait: ${refusedKeyWords(spool, refused)}`,
      )
  }
}
