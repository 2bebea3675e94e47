import { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { promptSockets } from './socket'
import { isStoreDown, SQL_STATE, sqlState } from './sql-state'
import { storeText } from '@/lib/words/server/store'

export interface GateOptions {
  /** Milliseconds without an answer to `select 1` after which the database counts as away. */
  patienceMs: number
  /** Milliseconds between an answer and the next question. */
  everyMs: number
}

/** For what a person or a program waits for: a statement that meets a dead database fails within a second. */
export const PROMPT: GateOptions = { patienceMs: 600, everyMs: 150 }
/** For long work, which should outlast a pause of the machine. */
export const PATIENT: GateOptions = { patienceMs: 10_000, everyMs: 1_000 }

export interface StoreGate {
  /** The `socket` option of the clients that it watches over. */
  socket: ReturnType<typeof promptSockets>
  /** True while statements are refused at once. */
  isAway(): boolean
  /** Calls back whenever it begins to refuse statements. @returns ends that */
  onAway(listener: () => void): () => void
  /** Calls back whenever the database answers again. @returns ends that */
  onBack(listener: () => void): () => void
  close(): Promise<void>
}

type Beat = 'answered' | 'silent' | 'refused'

/** Milliseconds that a silent connection is kept, in case the server only paused. */
const KEEP_MS = 3_000
/** Milliseconds between questions to a database that is away: at first, and when it has been for a while. */
const AWAY_EVERY_MS = 200
const LONG_AWAY_EVERY_MS = 1_000
const LONG_AWAY_MS = 15_000

/** Milliseconds within which a new connection must have brought its first byte. */
const firstByteMs = (patienceMs: number): number => patienceMs + 200

/**
 * A circuit breaker for the database (docs/decisions/0029-store-away.md). While connections of its clients are open it asks `select 1` on
 * a connection of its own. No answer in time means that nobody else gets one: their connections are cut, which fails the statements on
 * them, and new ones are refused at once until the database answers again. It works on sockets, because there the driver's own
 * rules hold for statements, transactions and COPY alike, whichever library sends them.
 */
export function createStoreGate(url: string, { patienceMs, everyMs }: GateOptions): StoreGate {
  const open = promptSockets()
  const sockets = new Set<Socket>()
  const awayListeners = new Set<() => void>()
  const backListeners = new Set<() => void>()
  let probe: postgres.Sql | null = null
  let awaySince: number | null = null
  /** A new connection was needed and brought nothing, whatever those that are open do. */
  let mustConnect = false
  let watching = false
  const closing = new AbortController()

  const bytesRead = (): number => [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0)

  function forgetClosed(): void {
    for (const socket of sockets) if (socket.destroyed) sockets.delete(socket)
  }

  function cut(): void {
    for (const socket of sockets) socket.destroy(awayError())
    sockets.clear()
  }

  function dropProbe(): void {
    void probe?.end({ timeout: 0 }).catch(() => undefined)
    probe = null
  }

  /** Asks once. A silent server is given up for now, and heard all the same when it answers a little later. */
  async function beat(): Promise<Beat> {
    probe ??= connectProbe(url)
    const before = bytesRead()
    const answer = probe.unsafe('select 1').then(
      (): Beat => 'answered',
      (error: unknown): Beat => {
        dropProbe()
        // It answers, if only to say that there is no connection left, or that it does not know us.
        return sqlState(error) === SQL_STATE.tooManyConnections || !isStoreDown(error)
          ? 'answered'
          : 'refused'
      },
    )
    const first = await Promise.race([answer, deadline(patienceMs)])
    if (first !== null) return first
    // Whoever sends to others is not dead.
    if (bytesRead() !== before) return 'answered'
    becomeAway()
    cut()
    const late = await Promise.race([answer, deadline(KEEP_MS)])
    if (late === null) dropProbe()
    return late ?? 'silent'
  }

  async function canConnect(): Promise<boolean> {
    const fresh = connectProbe(url)
    const asked = fresh.unsafe('select 1').then(() => true, isAnswer)
    const connects = await Promise.race([asked, deadline(patienceMs)])
    void fresh.end({ timeout: 0 }).catch(() => undefined)
    return connects ?? false
  }

  function becomeAway(): void {
    if (awaySince !== null) return
    awaySince = performance.now()
    for (const listener of awayListeners) listener()
  }

  function becomeBack(): void {
    if (awaySince === null) return
    awaySince = null
    for (const listener of backListeners) listener()
  }

  async function watch(): Promise<void> {
    watching = true
    try {
      while (!closing.signal.aborted && (sockets.size > 0 || awaySince !== null)) {
        const hadProbe = probe !== null
        const outcome = await beat()
        if (outcome === 'answered') {
          if (mustConnect) mustConnect = !(await canConnect())
          if (!mustConnect) becomeBack()
        }
        // A connection that was ended says little: only one that cannot be made counts.
        else if (outcome === 'silent' || !hadProbe) becomeAway()
        await sleep(pauseMs(), undefined, { signal: closing.signal, ref: false })
        forgetClosed()
      }
    } catch (error) {
      if (!closing.signal.aborted) throw error
    } finally {
      watching = false
      dropProbe()
    }
  }

  function pauseMs(): number {
    if (awaySince === null) return everyMs
    return performance.now() - awaySince > LONG_AWAY_MS ? LONG_AWAY_EVERY_MS : AWAY_EVERY_MS
  }

  /** A server that takes connections and says nothing on them: those that are open may still be served. */
  async function expectFirstByte(socket: Socket): Promise<void> {
    await deadline(firstByteMs(patienceMs))
    if (socket.destroyed || socket.bytesRead > 0) return
    mustConnect = true
    becomeAway()
    socket.destroy(awayError())
  }

  return {
    socket: (options) => {
      // Away means that it is watched.
      if (awaySince !== null) return refusedSocket()
      const socket = open(options)
      sockets.add(socket)
      void expectFirstByte(socket)
      if (!watching && !closing.signal.aborted) void watch()
      return socket
    },
    isAway: () => awaySince !== null,
    onAway: (listener) => {
      awayListeners.add(listener)
      return () => awayListeners.delete(listener)
    },
    onBack: (listener) => {
      backListeners.add(listener)
      return () => backListeners.delete(listener)
    },
    close: async () => {
      closing.abort()
      cut()
      dropProbe()
    },
  }
}

/** It answers, if only to say that there is no connection left, or that it does not know us. */
const isAnswer = (error: unknown): boolean =>
  sqlState(error) === SQL_STATE.tooManyConnections || !isStoreDown(error)

const connectProbe = (url: string): postgres.Sql =>
  postgres(url, {
    max: 1,
    prepare: false,
    fetch_types: false,
    idle_timeout: null as unknown as number,
    max_lifetime: null,
    connect_timeout: 5,
    backoff: () => 0,
    ...{ socket: promptSockets() },
    onnotice: () => {},
    connection: { application_name: 'inquest probe' },
  })

/** Milliseconds by which a timer may be late before it says something about this process. */
const LATE_MS = 50

/**
 * Waits for so long, and longer when this process was itself held up meanwhile: what came in the meantime is read first.
 */
async function deadline(ms: number): Promise<null> {
  const due = performance.now() + ms
  await sleep(ms, undefined, { ref: false })
  const late = performance.now() - due
  if (late > LATE_MS) await sleep(Math.min(late, ms), undefined, { ref: false })
  await turn()
  return null
}

const awayError = (): Error =>
  Object.assign(new Error(storeText.databaseAway), {
    code: 'STORE_AWAY',
  })

function refusedSocket(): Socket {
  const socket = new Socket()
  // Not before the driver listens.
  setImmediate(() => socket.destroy(awayError()))
  return socket
}
