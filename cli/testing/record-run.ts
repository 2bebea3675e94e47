import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { program } from './run-cli'

export const fakeAgent = resolve(import.meta.dirname, 'fake-agent.mjs')

export interface RecordRun {
  status: number | null
  out: Buffer
  err: string
}

export interface RunningRecord {
  child: ChildProcessWithoutNullStreams
  written(): { out: Buffer; err: string }
  done: Promise<RecordRun>
}

/** `inquest record` as a process of its own, in the given folder, before a fake agent or any command. */
export function startRecord(
  words: string[],
  { cwd, env }: { cwd: string; env: Record<string, string | undefined> },
): RunningRecord {
  const child = spawn(process.execPath, [program, 'record', ...words], {
    cwd,
    env: { PATH: process.env.PATH, ...env } as unknown as NodeJS.ProcessEnv,
  })
  const out: Buffer[] = []
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  child.stdin.on('error', () => {})
  const written = (): { out: Buffer; err: string } => ({ out: Buffer.concat(out), err })
  return {
    child,
    written,
    done: new Promise((done) => child.on('close', (status) => done({ status, ...written() }))),
  }
}

export const agent = (mode: string, ...more: string[]): string[] => [
  process.execPath,
  fakeAgent,
  mode,
  ...more,
]

export type Line = Record<string, unknown> & { type: string }

export const linesOf = (bytes: Uint8Array | string): Line[] =>
  Buffer.from(bytes as string)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

/** Folders of records that wait below a spool, oldest first. */
export const recordsIn = (spool: string): string[] =>
  existsSync(join(spool, 'records'))
    ? readdirSync(join(spool, 'records'))
        .sort()
        .map((name) => join(spool, 'records', name))
    : []

export const documentIn = (folder: string): Line[] => linesOf(readFileSync(join(folder, 'record.ndjson')))
