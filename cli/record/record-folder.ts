import { closeSync, mkdirSync, mkdtempSync, openSync, unlinkSync, writeFileSync, writeSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../settings'
import { spoolFolder } from '../spool'
import { stampOf } from './process-stamp'
import type { CiRun } from '@/lib/model/ci-run'

/** First line of the document, but for the execution, which is known when the output was read. */
export interface RecordStart {
  type: 'record.start'
  version: 1
  recordId: string
  command: string[]
  cwd: string
  startedAt: string
  labels: Record<string, string>
  ci: CiRun | null
  /** `failureTag`: what the run was judged by, where that is not the default one. */
  contract: { marker: string; expect: string[]; failureTag?: string }
  /** Seconds after which the command was to be stopped; `null`: no limit. */
  timeoutS: number | null
  chain: { key: string; attempt: number | null } | null
}

/** What lies in `start.json`: the first line, and where the record goes. */
export interface RecordHead {
  start: RecordStart
  source: string
  project: string | null
}

export type Channel = 'stdout' | 'stderr'

/**
 * Files of a record, by what they hold. `document` is there once the record was put together, and `plan` then says how to send it; `owner` while
 * its recorder is at work.
 */
export const recordFiles = {
  head: 'start.json',
  owner: 'owner.json',
  stdout: 'stdout',
  stderr: 'stderr',
  times: 'times',
  end: 'end.json',
  plan: 'send.json',
  document: 'record.ndjson',
} as const

export const recordsFolder = (env: Environment): string => join(spoolFolder(env), 'records')

/** Milliseconds after which output of the same channel gets a time of its own. */
const timeStepMs = 1_000

/** Keeps a run on disk while it lasts. */
export interface Keeper {
  folder: string
  /** Not where spooled records lie: nobody will look for it there. */
  elsewhere: boolean
  keep(channel: Channel, chunk: Uint8Array, now: number): void
  /** Why not everything could be kept; `null`: all of it was. */
  trouble(): string | null
  close(): void
}

/**
 * Makes the folder of a record. What is kept is on disk before it is passed on, so that a recorder that is killed loses nothing that
 * was seen. A spool that takes nothing is no reason to keep nothing: then the record lies in the folder for temporary files until it is sent.
 */
export function keepRecord(env: Environment, head: RecordHead, now: number): Keeper | { lost: string } {
  const name = `${String(now).padStart(13, '0')}-${head.start.recordId}`
  try {
    return openKeeper(makeFolder(join(recordsFolder(env), name)), head, false)
  } catch {
    try {
      return openKeeper(mkdtempSync(join(tmpdir(), 'inquest-record-')), head, true)
    } catch (error) {
      return { lost: (error as Error).message }
    }
  }
}

function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  return path
}

function openKeeper(folder: string, head: RecordHead, elsewhere: boolean): Keeper {
  const path = (file: keyof typeof recordFiles): string => join(folder, recordFiles[file])
  const open = (file: 'stdout' | 'stderr' | 'times'): number => openSync(path(file), 'wx', 0o600)
  // The owner first: a folder without one is there for anybody to send.
  writeFileSync(path('owner'), JSON.stringify({ ...stampOf(process.pid), host: hostname() }), { mode: 0o600 })
  writeFileSync(path('head'), JSON.stringify(head), { mode: 0o600 })
  const files = { stdout: open('stdout'), stderr: open('stderr'), times: open('times') }
  const bytes = { stdout: 0, stderr: 0 }
  const last = { channel: null as Channel | null, at: 0 }
  let trouble: string | null = null
  return {
    folder,
    elsewhere,
    keep(channel, chunk, now) {
      if (trouble !== null) return
      try {
        if (channel !== last.channel || now - last.at >= timeStepMs) {
          writeSync(files.times, `${channel} ${bytes[channel]} ${now}\n`)
          last.channel = channel
          last.at = now
        }
        for (let done = 0; done < chunk.length; ) done += writeSync(files[channel], chunk, done)
        bytes[channel] += chunk.length
      } catch (error) {
        trouble = (error as Error).message
      }
    },
    trouble: () => trouble,
    close: () => {
      for (const file of Object.values(files)) closeSync(file)
    },
  }
}

/** The recorder has done what it could: whoever comes next may send what is left. */
export const releaseRecord = (folder: string): void => unlinkSync(join(folder, recordFiles.owner))
