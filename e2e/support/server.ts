import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { childrenOf } from '@/db/embedded/process-stamp'
import { links } from '../../lib/links'

export const root = join(import.meta.dirname, '../..')

export interface Inquest {
  url: string
  /** Local key with all scopes, as the command line finds it. */
  token: string
  /** Makes the first admin, as `inquest user link` has it; `''` once there is one. */
  link: string
  dataDir: string
  stateDir: string
  child: ChildProcess
  output: () => string
  /** Ends it as Ctrl-C does, and waits. */
  stop: () => Promise<number | null>
  /** Ends it as a crash does, and waits; the database goes on running, as it does after a crash. */
  kill: () => Promise<void>
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

const exited = (child: ChildProcess): Promise<number | null> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((resolve) => child.once('exit', (code) => resolve(code)))

/** Runs `inquest up` on the data and state in the given folder, and says how it went so far. */
export function spawnInquest(
  folder: string,
  env: Record<string, string> = {},
): { child: ChildProcess; output: () => string; ended: Promise<number | null> } {
  const child = spawn(process.execPath, ['bin/inquest.cjs', 'up'], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      PORT: '0',
      INQUEST_DATA: join(folder, 'data'),
      INQUEST_STATE: join(folder, 'state'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  return { child, output: () => output, ended: exited(child) }
}

/** A link that makes the first admin, by the local key; `''` once there is one. */
export async function firstAdminLink(url: string, token: string): Promise<string> {
  const answer = await fetch(url + links.api.firstAdminLink(), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  if (answer.status === 409) return ''
  if (!answer.ok) throw new Error(`no link for the first admin: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { link: string }).link
}

/** Starts the product as `npm start` does and waits until the command line finds it. */
export async function startInquest(
  folder: string,
  env: Record<string, string> = {},
  waitMs = 300_000,
): Promise<Inquest> {
  const stateDir = join(folder, 'state')
  const stateFile = join(stateDir, 'server.json')
  rmSync(stateFile, { force: true })
  const { child, output } = spawnInquest(folder, { PORT: String(await freePort()), ...env })
  const deadline = Date.now() + waitMs
  for (;;) {
    if (existsSync(stateFile)) {
      const { url, token } = JSON.parse(readFileSync(stateFile, 'utf8')) as { url: string; token: string }
      return {
        url,
        token,
        link: await firstAdminLink(url, token),
        dataDir: join(folder, 'data'),
        stateDir,
        child,
        output,
        stop: () => {
          child.kill('SIGINT')
          return exited(child)
        },
        kill: async () => {
          child.kill('SIGKILL')
          await exited(child)
        },
      }
    }
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${output()}`)
    if (Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`the server did not start in time:\n${output()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Process of the embedded database on a data folder; null when none runs. */
export function postmasterPid(dataDir: string): number | null {
  try {
    const pid = Number(readFileSync(join(dataDir, 'pg/data/postmaster.pid'), 'utf8').split('\n')[0])
    process.kill(pid, 0)
    return pid
  } catch {
    return null
  }
}

/** Ends the database of a data folder at once, as a crash of the machine would, and waits until it is gone. */
export async function killDatabase(dataDir: string): Promise<void> {
  const pid = postmasterPid(dataDir)
  if (pid === null) return
  process.kill(pid, 'SIGQUIT')
  // A server that is looked after comes back, as another process.
  while (postmasterPid(dataDir) === pid) await new Promise((resolve) => setTimeout(resolve, 50))
}

/** Stops all processes of the database where they are, as a machine that hangs does; it still takes connections. @returns lets them go on */
export async function freezeDatabase(dataDir: string): Promise<() => void> {
  const pid = postmasterPid(dataDir)
  if (pid === null) throw new Error(`no database runs on ${dataDir}`)
  const pids = [pid, ...(await childrenOf(pid))]
  const signal = (name: NodeJS.Signals): void => {
    for (const one of pids) {
      try {
        process.kill(one, name)
      } catch {
        // A connection that was just closed: its process has ended meanwhile.
      }
    }
  }
  signal('SIGSTOP')
  return () => signal('SIGCONT')
}
