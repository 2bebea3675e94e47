import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

export interface Inquest {
  url: string
  /** Local key with all scopes, as the command line finds it. */
  token: string
  /** The one-time link that the start printed. */
  link: string
  dataDir: string
  stateDir: string
  child: ChildProcess
  output: () => string
  /** Ends it as Ctrl-C does, and waits. */
  stop: () => Promise<number | null>
  /** Ends it as a crash does, and waits. */
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
  child.exitCode !== null || child.signalCode !== null ? Promise.resolve(child.exitCode) : new Promise((resolve) => child.once('exit', (code) => resolve(code)))

/** Starts the product as `npm start` does, with its data and state in the given folder, and waits until it printed its link. */
export async function startInquest(folder: string, env: Record<string, string> = {}, waitMs = 300_000): Promise<Inquest> {
  const dataDir = join(folder, 'data')
  const stateDir = join(folder, 'state')
  const stateFile = join(stateDir, 'server.json')
  rmSync(stateFile, { force: true })
  const port = env.PORT ?? String(await freePort())
  const child = spawn(process.execPath, ['bin/inquest.mjs', 'up'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', INQUEST_DATA: dataDir, INQUEST_STATE: stateDir, ...env, PORT: port },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const deadline = Date.now() + waitMs
  for (;;) {
    const link = /https?:\/\/\S+[?&]link=\S+/.exec(output)?.[0]
    if (link !== undefined && existsSync(stateFile)) {
      const { url, token } = JSON.parse(readFileSync(stateFile, 'utf8')) as { url: string; token: string }
      return {
        url, token, link, dataDir, stateDir, child,
        output: () => output,
        stop: async () => {
          child.kill('SIGINT')
          return exited(child)
        },
        kill: async () => {
          child.kill('SIGKILL')
          await exited(child)
        },
      }
    }
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${output}`)
    if (Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`the server did not start in time:\n${output}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
