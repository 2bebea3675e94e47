import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { BenchContext } from './result'

export const program = path.resolve(import.meta.dirname, '../../bin/inquest.cjs')

/** The server of the product, running as `npm start` runs it, on a folder and a database of its own. */
export interface Product {
  pid: number
  url: string
  token: string
  /** Settings under which the command line finds this server and no other. */
  env: NodeJS.ProcessEnv
  folder: string
  /** Ends it as Ctrl-C does; done at the end of the bench in any case. */
  stop(): Promise<void>
}

const START_MS = 600_000

/** @param settings environment on top of what every bench has, such as a database that is there already */
export async function startProduct(
  { after, log, machine }: BenchContext,
  settings: Record<string, string> = {},
): Promise<Product> {
  const folder = await mkdtemp(path.join(tmpdir(), 'inquest-bench-product-'))
  // Run as root, the database has an account of its own, which must get through: else its files lie elsewhere, and stay there.
  await chmod(folder, 0o755)
  after(() => rm(folder, { recursive: true, force: true }))
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    MALLOC_ARENA_MAX: '1',
    PORT: '0',
    HOST: '127.0.0.1',
    NODE_ENV: 'production',
    INQUEST_DATA: path.join(folder, 'data'),
    INQUEST_STATE: path.join(folder, 'state'),
    INQUEST_URL: '',
    INQUEST_TOKEN: '',
    DATABASE_URL: '',
    ...settings,
  }
  log('starting the product (it builds its pages when they are not built)')
  const child = spawn(process.execPath, [program, 'up', '--json'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, output] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4_000)))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
  }
  after(stop)
  const known = path.join(folder, 'state', 'server.json')
  const until = Date.now() + START_MS
  // The framework says things of its own on the same stream.
  const told = (): string | undefined =>
    out.split('\n').find((line) => line.startsWith('{') && line.endsWith('}'))
  while (!existsSync(known) || told() === undefined) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`the product did not start: ${output}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const { url, token } = JSON.parse(readFileSync(known, 'utf8')) as { url: string; token: string }
  machine.postgres ??= readPostgresVersion(path.join(folder, 'data'))
  return {
    pid: child.pid!,
    url,
    token,
    env,
    folder,
    stop,
  }
}

/** The cluster's own files have only the major number. */
function readPostgresVersion(dataDir: string): string | null {
  const file = path.join(dataDir, 'pg', 'data', 'PG_VERSION')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}

/** Resident memory of a process in MB, now (`VmRSS`) or at its peak (`VmHWM`), as Linux counts it; null where it does not. */
export function memoryMb(pid: number, field: 'VmRSS' | 'VmHWM'): number | null {
  try {
    const line = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return line ? Number(line[1]) / 1024 : null
  } catch {
    return null
  }
}
