import path from 'node:path'
import { openDb } from '@/db/client'
import { isStoreDown, isStoreFull } from '@/db/sql-state'
import { hasAdmin } from '@/db/people/one-time-links'
import { errorText, guardConsole } from '@/db/describe-error'
import { shellWord } from '@/lib/views/fixes/apply-commands'
import { links } from '@/lib/links'
import { STORE_RETRY_S } from '@/lib/problem'
import { startText } from '@/lib/words/server/start'
import { ensureBuild } from './build'
import { type Database, readyDatabase } from './database'
import { builtStyles, paintFirst } from './first-paint'
import { heedingReader } from './read-scope'
import { BodyGivenUp } from './late-body'
import { makeFirstAdminLink, openLocalAccess } from './local-access'
import { LockHeld, takeLock } from './lock'
import { ensureSecret } from './secret'
import { shareIngestThreads } from './ingest'
import { type Listener, listen, runClosers } from './serve'
import { projectRoot, readUpSettings, StartProblem, type UpSettings } from './settings'
import { warmUp } from './warm-up'

/** Starts what runs beside the server and speaks to it as any client does; hands back how to end it. */
export type Beside = (server: { url: string; token: string }, say: Say) => () => Promise<void>

/** What runs by now, and has to end. */
interface Running {
  endBeside?: () => Promise<void>
  unlock?: () => Promise<void>
  listener?: Listener
  threads?: { close: () => Promise<void> }
  database?: Promise<Database>
  forgetLocal?: () => Promise<void>
}

type Say = (line: string) => void

/**
 * `inquest up`: database, migrations, build, server; prints the address and how to sign in, and stays until a signal ends it
 * in good order. What prevents a start is printed in one sentence and ends with status 1.
 */
export async function runUp(args: string[], program: string, beside: Beside): Promise<void> {
  hearNoStreamErrors()
  const say: Say = (line) => void process.stderr.write(`inquest: ${line}\n`)
  const running: Running = {}
  const stop = createStop(running, say)
  try {
    const onLost = (sentence: string): void => {
      say(sentence)
      void stop.now(1)
    }
    const started = await start(readUpSettings(process.env), running, stop.signal, { say, beside, onLost })
    stop.signal.throwIfAborted()
    print(started, program, args.includes('--json'))
  } catch (error) {
    if (!stop.signal.aborted) {
      say(
        error instanceof StartProblem
          ? error.message
          : isStoreFull(error)
            ? startText.diskFull
            : `could not start: ${errorText(error)}`,
      )
      await stop.now(1)
    }
  }
  await stop.ended
}

/**
 * Whoever read what we say may be gone before us: a closed terminal, an ended parent. Unheard, the error of such a stream becomes an
 * uncaught exception, which Next answers by writing to it again, for ever.
 */
function hearNoStreamErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}

interface Started {
  url: string
  /** Whether anybody is an instance admin yet. */
  hasAdmin: boolean
  /** Makes the first admin; null where nobody would see it but the log, or there is one. */
  link: string | null
}

/** What Next says of its own start, which tells a reader nothing. */
const NEXT_CHATTER = /Running next\.config\S* took /

/** Of an error that a page made of a store problem, and logged (`app/_pages/look.ts`). Next prints it again, with its stack. */
const isLoggedByPage = ({ digest }: Error & { digest?: unknown }): boolean =>
  typeof digest === 'string' && Object.hasOwn(STORE_RETRY_S, digest.split(' ')[0]!)

async function start(
  settings: UpSettings,
  running: Running,
  signal: AbortSignal,
  { say, beside, onLost }: { say: Say; beside: Beside; onLost: Say },
): Promise<Started> {
  // Pages read files of the project (problems, the receipt viewer), from wherever the server was started.
  process.chdir(projectRoot)
  // Before anything of Next or React is loaded: they choose their build by it.
  Object.assign(process.env, { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' })
  // Standard output is ours, and with --json one document: what libraries tell goes to standard error.
  guardConsole(
    console,
    (error) =>
      error instanceof BodyGivenUp ||
      isLoggedByPage(error) ||
      // What is still connected ends with the database. The queue stops hearing its errors before they come, and Next prints them as uncaught.
      (signal.aborted && isStoreDown(error)),
  )
  console.log = console.info = (...printed: unknown[]) => {
    if (!NEXT_CHATTER.test(String(printed[0]))) console.error(...printed)
  }
  if (settings.databaseUrl === null) running.unlock = await lockData(settings.dataDir)
  running.listener = await listen(settings.host, settings.port, settings.trustedProxies)
  const { port } = running.listener
  const secret = await ensureSecret(settings.dataDir, process.env.INQUEST_SECRET)
  running.database = readyDatabase(settings, { say, signal, onLost })
  const { url, directUrl } = await running.database
  signal.throwIfAborted()
  // Settings of the routes, which run in this process.
  Object.assign(process.env, {
    INQUEST_PROGRAM: path.join(projectRoot, 'bin', 'inquest.cjs'),
    HOST: settings.host,
    PORT: String(port),
    INQUEST_SECRET: secret,
    DATABASE_URL: url,
    DATABASE_URL_DIRECT: directUrl,
  })
  const { doing } = running.listener
  await ensureBuild(projectRoot, { say, doing }, signal)
  doing('opening the pages')
  running.threads = shareIngestThreads(url, say)

  const { default: next } = await import('next')
  const app = next({ dev: false, dir: projectRoot, hostname: settings.host, port })
  await app.prepare()
  signal.throwIfAborted()
  const handle = app.getRequestHandler()
  const styles = builtStyles(projectRoot)
  running.listener.open((request, response) => {
    void heedingReader(request, response, () => {
      paintFirst(request, response, styles)
      return handle(request, response)
    }).catch(() => response.destroy())
  })
  const { started, token, local } = await announce(settings, running, directUrl)
  running.endBeside = beside({ url: local, token }, say)
  void warmUp(local + links.signIn(), signal)
  return started
}

/** Lets the command line and the first person in. */
async function announce(
  { host, stateDir }: UpSettings,
  running: Running,
  directUrl: string,
): Promise<{ started: Started; local: string; token: string }> {
  const local = localUrl(host, running.listener!.port)
  const db = openDb(directUrl, { max: 1 })
  const { token, end } = await openLocalAccess(db.sql, { stateDir, url: local })
  running.forgetLocal = async () => {
    await end()
    await db.close()
  }
  const publicUrl = process.env.INQUEST_PUBLIC_URL ? new URL(process.env.INQUEST_PUBLIC_URL).origin : local
  // Standard output of a service is a log, which more people read than may be admins.
  const link = process.stdout.isTTY ? await makeFirstAdminLink(db.sql, publicUrl) : null
  const known = link === null && (await hasAdmin(db.sql))
  return { started: { url: publicUrl, hasAdmin: known, link }, local, token }
}

async function lockData(dataDir: string): Promise<() => Promise<void>> {
  try {
    return await takeLock(path.join(dataDir, 'server.lock'))
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error
    throw new StartProblem(startText.alreadyRunning({ dataDir, pid: error.pid }))
  }
}

function localUrl(host: string, port: number): string {
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${reached}:${port}`
}

function print({ url, hasAdmin: known, link }: Started, program: string, json: boolean): void {
  if (json) return void process.stdout.write(`${JSON.stringify({ url, hasAdmin: known })}\n`)
  const command = `node ${shellWord(program)}`
  const how =
    link !== null
      ? startText.firstAdminLink({ link })
      : known
        ? startText.forgotPassword({ command })
        : startText.createFirstAdmin({ command })
  process.stdout.write(startText.running({ url, how }))
}

/** Milliseconds in which all has ended: whoever stops a process waits five seconds at least before it kills. */
const END_MS = 4_500
/** What the database has at least. What comes before it, together, must leave that. */
const DATABASE_MS = 1_500

/**
 * Ends everything that runs: streams first, nothing new comes in, what is open finishes, then the database goes. No step waits for more
 * than its time, whatever hangs: a client that reads slowly, or a database that does not answer.
 */
async function endAll(running: Running, say: Say): Promise<void> {
  const until = Date.now() + END_MS
  const steps: [withinMs: number, end: () => Promise<unknown> | undefined][] = [
    [250, () => runClosers('streams')],
    [500, () => Promise.all([running.endBeside?.(), running.forgetLocal?.()])],
    [1_400, () => running.listener?.close(1_250)],
    [500, () => running.threads?.close()],
    [300, () => runClosers('pools')],
    [Infinity, async () => (await running.database?.catch(() => null))?.stop(until - Date.now())],
    [250, () => running.unlock?.()],
  ]
  for (const [withinMs, end] of steps) {
    const leftMs = Math.max(DATABASE_MS, until - Date.now())
    const late = timer(Math.min(withinMs, leftMs))
    try {
      await Promise.race([end(), late.over])
    } catch (error) {
      say(`while stopping: ${(error as Error).message}`)
    } finally {
      late.clear()
    }
  }
}

function timer(ms: number): { over: Promise<void>; clear: () => void } {
  let id: NodeJS.Timeout
  const over = new Promise<void>((resolve) => (id = setTimeout(resolve, ms)))
  return { over, clear: () => clearTimeout(id) }
}

function createStop(running: Running, say: Say) {
  const controller = new AbortController()
  let stopping: Promise<void> | null = null
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  const now = (code: number): Promise<void> => {
    controller.abort()
    return (stopping ??= endAll(running, say).then(() => {
      end()
      process.exit(code)
    }))
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      // A second signal ends it at once. The database is in a session of its own: the next start takes it over.
      if (controller.signal.aborted) process.exit(130)
      say('stopping')
      void now(0)
    })
  }
  return { signal: controller.signal, now, ended }
}
