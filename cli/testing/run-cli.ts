import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { runProgram } from '../program'
import type { Environment } from '../settings'
import { testToken } from './test-server'

/** The file that users start. */
export const program = resolve(import.meta.dirname, '../../bin/inquest.cjs')

export interface CliRun {
  code: number
  out: string
  err: string
}

export interface Running {
  done: Promise<CliRun>
  /** What was written so far. */
  written(): { out: string; err: string }
  stop(): void
}

function collect(): { stream: Writable; text(): string } {
  const chunks: string[] = []
  const stream = new Writable({
    write(chunk: Buffer | string, _, done) {
      chunks.push(String(chunk))
      done()
    },
  })
  return { stream, text: () => chunks.join('') }
}

/** Starts the program in this process, with its own environment and streams. */
export function startCli(args: string[], env: Environment): Running {
  const out = collect()
  const err = collect()
  const stop = new AbortController()
  const written = (): { out: string; err: string } => ({ out: out.text(), err: err.text() })
  const done = runProgram(args, { program, env, out: out.stream, err: err.stream, signal: stop.signal }).then(
    (code) => ({
      code,
      ...written(),
    }),
  )
  return { done, written, stop: () => stop.abort() }
}

export const runCli = (args: string[], env: Environment): Promise<CliRun> => startCli(args, env).done

/** A folder of its own with a home, a state folder and whatever files a test puts there. */
export function makeFolder(): {
  path: string
  put(name: string, content: string | Uint8Array): string
  remove(): void
} {
  const path = mkdtempSync(join(tmpdir(), 'inquest-cli-'))
  return {
    path,
    put: (name, content) => {
      const full = join(path, name)
      mkdirSync(dirname(full), { recursive: true })
      writeFileSync(full, content)
      return full
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}

export const serverEnv = (url: string, folder: string): Environment => ({
  HOME: folder,
  INQUEST_STATE: join(folder, 'state'),
  INQUEST_URL: url,
  INQUEST_TOKEN: testToken,
})

/** Lines of a transcript as the agent writes them; `text` is what it says last. */
export function transcript(session: string, records: number, text = 'done'): string {
  let lines = ''
  for (let n = 0; n < records; n += 1) {
    const said = n === records - 1 ? text : `step ${n}`
    lines += `${JSON.stringify({
      type: n % 2 === 0 ? 'user' : 'assistant',
      uuid: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
      parentUuid: null,
      sessionId: session,
      timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString(),
      cwd: '/work/project',
      version: '2.1.0',
      message: {
        role: n % 2 === 0 ? 'user' : 'assistant',
        content: n % 2 === 0 ? said : [{ type: 'text', text: said }],
      },
    })}\n`
  }
  return lines
}

/** Waits until `check` holds; fails with its last answer when it does not within `ms`. */
export async function until(check: () => boolean, ms: number, what: string, everyMs = 10): Promise<void> {
  const end = Date.now() + ms
  while (!check()) {
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
