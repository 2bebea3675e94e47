import { spawn } from 'node:child_process'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { BenchContext } from '../support/result'

const source = path.join(import.meta.dirname, 'minimal-app')
const packages = path.resolve(import.meta.dirname, '../../node_modules')
const START_MS = 120_000

/**
 * Copies the app to where nothing of the product lies above it: from within the project the framework would build
 * `proxy.ts` and `instrumentation.ts` of the product into it.
 */
async function copyApp({ after }: BenchContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'inquest-bench-minimal-'))
  after(() => rm(folder, { recursive: true, force: true }))
  await cp(source, folder, { recursive: true })
  await symlink(packages, path.join(folder, 'node_modules'))
  return folder
}

/** Runs the framework's program in the folder of the app. */
function runNext(folder: string, args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [path.join(packages, 'next/dist/bin/next'), ...args], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000)))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, ended, output: () => output }
}

export interface MinimalApp {
  pid: number
  url: string
}

/**
 * Builds and starts the minimal app with the framework's own `build` and `start`.
 *
 * @param env what the app reads: `DATABASE_URL`, and `BENCH_READS` with the file of statements
 */
export async function startMinimalApp(
  context: BenchContext,
  env: { DATABASE_URL: string; BENCH_READS: string },
): Promise<MinimalApp> {
  const folder = await copyApp(context)
  context.log('building the minimal app')
  const built = runNext(folder, ['build'], {})
  if ((await built.ended) !== 0) throw new Error(`the minimal app could not be built:\n${built.output()}`)
  const { child, ended, output } = runNext(folder, ['start', '--hostname', '127.0.0.1', '--port', '0'], {
    MALLOC_ARENA_MAX: '1',
    ...env,
  })
  context.after(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (): void => reject(new Error(`the minimal app did not start:\n${output()}`))
    const late = setTimeout(fail, START_MS)
    void ended.then(fail)
    child.stdout.on('data', () => {
      const address = /http:\/\/(?:127\.0\.0\.1|localhost):(\d+)/.exec(output())
      if (!address || !/Ready in/.test(output())) return
      clearTimeout(late)
      resolve(`http://127.0.0.1:${address[1]}`)
    })
  })
  return { pid: child.pid!, url }
}
