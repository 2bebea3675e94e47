import { spawn } from 'node:child_process'
import { open, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import postgres from 'postgres'
import type { Account } from './account'
import type { Binaries } from './binaries'
import { SUPERUSER, serverEnv } from './cluster'
import { childrenOf, commandLine, isAlive, isSameProcess, processStamp } from './process-stamp'
import { ServerStartError } from './start-error'
import { DATABASE_SERVER_LOG } from '@/lib/words/database-server'

const DATABASE = 'inquest'
const START_MS = 60_000
const STOP_MS = 30_000
/** Time that a server which does not even answer gets to end in order. */
const UNANSWERED_STOP_MS = 5_000
const POLL_MS = 50

interface Common {
  data: string
  log: (line: string) => void
}

export interface Server {
  url: string
  pid: number
  port: number
}

export interface StartServer extends Common {
  place: string
  binaries: Binaries
  account: Account
  password: string
  settings: Record<string, string>
  /** The port to listen on; a free one by default. */
  port?: number
  /** Ends a start that is under way, and the server with it. */
  signal?: AbortSignal
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const urlOf = (port: number, password: string, database: string) =>
  `postgres://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`

/**
 * Joins the server that still runs on this data folder. It must be the process of the pid file, answer to our password and name
 * the same folder; one that runs there but does not answer is stopped. A pid file that names a stranger's process is removed.
 */
export async function adoptRunning({
  data,
  password,
  log,
}: Common & { password: string }): Promise<Server | null> {
  const file = path.join(data, 'postmaster.pid')
  const found = await readPidFile(file)
  if (!found) return null
  if (!isAlive(found.pid)) return null
  if ((await commandLine(found.pid)) === null) return null // not ours to see: the server's own check of the file decides
  if (!(await isServerOf(found.pid, data))) {
    log(DATABASE_SERVER_LOG.strange_pid_file({ pid: found.pid }))
    await rm(file, { force: true })
    return null
  }
  if (found.port !== null && (await answersAs(found.port, password, data))) {
    log(DATABASE_SERVER_LOG.joining({ pid: found.pid }))
    return { url: await databaseUrl(found.port, password), pid: found.pid, port: found.port }
  }
  log(DATABASE_SERVER_LOG.no_answer({ pid: found.pid }))
  await stopServer({ data, log, patienceMs: UNANSWERED_STOP_MS })
  return null
}

/** Starts the server on the loopback address and waits until it answers. @throws ServerStartError */
export async function startServer({
  data,
  place,
  binaries,
  account,
  password,
  log,
  settings,
  port: wanted,
  signal,
}: StartServer): Promise<Server> {
  const logFile = path.join(place, 'server.log')
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted()
    const port = wanted ?? (await freePort())
    // A file, not a pipe: the server must be able to write its log after this process was killed.
    const out = await open(logFile, 'w', 0o600)
    const child = spawn(binaries.postgres, ['-D', data, '-p', String(port), ...flags(settings)], {
      ...(account ? { uid: account.uid, gid: account.gid } : {}),
      cwd: place,
      env: serverEnv(),
      detached: true,
      stdio: ['ignore', out.fd, out.fd],
    })
    let exit: string | null = null
    child.on('error', (error) => (exit = error.message))
    child.on('exit', (code, signal) => (exit = `exit ${code ?? signal}`))
    child.unref()
    await out.close()
    const until = Date.now() + START_MS
    const ended = aborted(signal)
    while (exit === null && Date.now() < until && !signal?.aborted) {
      if (await Promise.race([answersAs(port, password, data), ended]))
        return { url: await databaseUrl(port, password), pid: child.pid!, port }
      await pause(POLL_MS)
    }
    if (signal?.aborted) {
      child.kill('SIGQUIT')
      signal.throwIfAborted()
    }
    const tail = (await readFile(logFile, 'utf8').catch(() => '')).trim().slice(-2000)
    // Another program took the port in between, processes of a killed server still hold its shared memory for a moment, or it has ended
    // itself and still is in the list of processes: to the server's own check it runs.
    const passing =
      /could not bind|Address already in use|pre-existing shared memory block|is still in use|lock file "postmaster\.pid" already exists/.test(
        tail,
      )
    if (exit !== null && passing && attempt < 20) {
      log(DATABASE_SERVER_LOG.start_again({ line: tail.split('\n').at(-1)! }))
      await pause(500)
      continue
    }
    if (exit === null) child.kill('SIGQUIT')
    throw new ServerStartError(exit ?? `no answer within ${START_MS / 1000} s`, tail, data)
  }
}

/** Stops the server of this data folder in order (fast shutdown), and with force when it does not end. */
export async function stopServer({
  data,
  log,
  patienceMs = STOP_MS,
  forceMs = 5_000,
}: Common & {
  /** Milliseconds to end in order. */
  patienceMs?: number
  /** Milliseconds to end by each way of force. */
  forceMs?: number
}): Promise<void> {
  const found = await readPidFile(path.join(data, 'postmaster.pid'))
  if (!found || !isAlive(found.pid) || !(await isServerOf(found.pid, data))) return
  // A process that was stopped hears of nothing but these.
  signalAll([found.pid, ...(await childrenOf(found.pid))], 'SIGCONT')
  for (const [signal, ms] of [
    ['SIGINT', patienceMs],
    ['SIGQUIT', forceMs],
    ['SIGKILL', forceMs],
  ] as const) {
    try {
      process.kill(found.pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return
      throw error
    }
    const until = Date.now() + ms
    while (Date.now() < until) {
      if (!isAlive(found.pid) || !(await isServerOf(found.pid, data))) return
      await pause(POLL_MS)
    }
    log(DATABASE_SERVER_LOG.did_not_end({ pid: found.pid, signal }))
  }
}

function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended, which is what was wanted.
    }
  }
}

/** Resolves to false when the signal comes, and never without one. */
const aborted = (signal: AbortSignal | undefined): Promise<false> =>
  new Promise((resolve) => signal?.addEventListener('abort', () => resolve(false), { once: true }))

/** Process of the server that runs on this data folder; null when none does. */
export async function runningServer(data: string): Promise<{ pid: number; port: number | null } | null> {
  const found = await readPidFile(path.join(data, 'postmaster.pid'))
  return found && isAlive(found.pid) && (await isServerOf(found.pid, data)) ? found : null
}

/** Loopback only, no socket files in shared folders, and writes that survive a crash: durability settings stay as they are. */
const flags = (more: Record<string, string>): string[] =>
  Object.entries({
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    password_encryption: 'scram-sha-256',
    max_connections: '60',
    shared_buffers: '128MB',
    max_wal_size: '2GB',
    wal_compression: 'on',
    jit: 'off',
    log_timezone: 'UTC',
    TimeZone: 'UTC',
    lc_messages: 'C',
    ...more,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])

async function databaseUrl(port: number, password: string): Promise<string> {
  const admin = postgres(urlOf(port, password, 'postgres'), { max: 1, onnotice: () => {} })
  try {
    const [known] = await admin`select 1 from pg_database where datname = ${DATABASE}`
    if (!known) await admin.unsafe(`create database ${DATABASE}`)
  } finally {
    await admin.end({ timeout: 5 })
  }
  return urlOf(port, password, DATABASE)
}

/** True when the server on this port takes our password and works on this data folder. */
async function answersAs(port: number, password: string, data: string): Promise<boolean> {
  const sql = postgres(urlOf(port, password, 'postgres'), {
    max: 1,
    connect_timeout: 5,
    fetch_types: false,
    onnotice: () => {},
  })
  try {
    const [row] = await sql`select current_setting('data_directory') as dir`
    return path.resolve(row!.dir) === path.resolve(data)
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function readPidFile(file: string): Promise<{ pid: number; port: number | null } | null> {
  const text = await readFile(file, 'utf8').catch(() => null)
  const [pid, , , port] = (text ?? '').split('\n')
  return Number(pid) > 0 ? { pid: Number(pid), port: Number(port) > 0 ? Number(port) : null } : null
}

async function isServerOf(pid: number, data: string): Promise<boolean> {
  const command = await commandLine(pid)
  return command !== null && /\bpostgres(\.exe)?\b/.test(command) && command.includes(data)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}

/** Notes this process as the one that answers for the server. */
export const writeOwner = async (file: string): Promise<void> =>
  writeFile(file, JSON.stringify(await processStamp(process.pid)), { mode: 0o600 })

/** The living process, other than this one, that answers for the server; null when there is none. */
export async function readOwner(file: string): Promise<number | null> {
  const text = await readFile(file, 'utf8').catch(() => '')
  if (!(await isSameProcess(text))) return null
  const { pid } = JSON.parse(text) as { pid: number }
  return pid === process.pid ? null : pid
}
