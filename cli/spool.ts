import {
  mkdirSync,
  opendirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { stateFolder } from './settings'
import type { Environment } from './settings'

/**
 * The spool: one file per hook frame, redacted, readable by its owner only, kept until the server has it. It lives in
 * the state folder, never in the folder the agent works in. Frames for a server that the environment names wait in a folder of
 * that server, all others for the server of this machine. Frames that the server will never take move to `refused/`.
 */
export interface SpooledFrame {
  path: string
  name: string
  /** Milliseconds since the epoch at which the frame arrived. */
  at: number
  /** Set when there is no file. */
  bytes?: Uint8Array
}

/** Stands for a frame that could not be written to the disk. */
export const unspooled: SpooledFrame = { path: '', name: '', at: 0 }

const frameName = /^(\d{13})-\d+-[0-9a-z]+\.frame$/

/** Milliseconds since the epoch at which a frame, or the draft of one, was written; null for another name. */
export const frameTime = (name: string): number | null => {
  const match = /^(\d{13})-\d+-[0-9a-z]+\.frame(?:\.draft)?$/.exec(name)
  return match ? Number(match[1]) : null
}

/** A frame this young may still be on its way by the process that wrote it. */
const settledMs = 10_000

export function spoolFolder(env: Environment): string {
  const spool = join(stateFolder(env), 'spool')
  return namesServer(env) ? join(spool, 'for', encodeURIComponent(hostOf(env.INQUEST_URL!))) : spool
}

/** The spools of other servers than the one that the environment names, each with an environment that names it; null: no server is named. */
export function listOtherSpools(env: Environment): { name: string | null; env: Environment }[] {
  const { INQUEST_URL: _, ...unnamed } = env
  let names: string[]
  try {
    names = readdirSync(join(stateFolder(env), 'spool', 'for')).sort()
  } catch {
    names = []
  }
  const own = spoolFolder(env)
  const named = names
    .map(decodeURIComponent)
    .map((name) => ({ name, env: { ...unnamed, INQUEST_URL: addressOf(name) } }))
  return [{ name: null, env: unnamed }, ...named].filter((one) => spoolFolder(one.env) !== own)
}

/** Whether the environment names the server, which then is not for us to look for. */
export const namesServer = (env: Environment): boolean =>
  env.INQUEST_URL !== undefined && env.INQUEST_URL !== ''

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : address)

export const refusedFolder = (env: Environment): string => join(spoolFolder(env), 'refused')

/** An address of that host and port; the scheme is the one under which the port is written. */
const addressOf = (host: string): string => `${host.endsWith(':80') ? 'https' : 'http'}://${host}`

let counter = 0

/** Writes one frame, whole or not at all; returns where. Names sort by time and never collide. */
export function spoolFrame(env: Environment, bytes: Uint8Array, now = Date.now()): SpooledFrame {
  const folder = spoolFolder(env)
  counter += 1
  const name = `${String(now).padStart(13, '0')}-${process.pid}-${counter.toString(36)}${Math.random().toString(36).slice(2, 8)}.frame`
  const path = join(folder, name)
  const draft = `${path}.draft`
  const write = (): void => {
    try {
      writeFileSync(draft, bytes, { mode: 0o600, flag: 'wx' })
      renameSync(draft, path)
    } catch (error) {
      // On a full disk a part of it may be there, which would keep the room that it took.
      rmSync(draft, { force: true })
      throw error
    }
  }
  try {
    write()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    write()
  }
  return { path, name, at: now }
}

/** Frames that wait, oldest first among the first `most` that the folder names. Young ones are left out unless asked for. */
export function listSpool(
  env: Environment,
  { most = 1_000, young = false, now = Date.now() } = {},
): SpooledFrame[] {
  return listFrames(spoolFolder(env), most).filter((frame) => young || now - frame.at > settledMs)
}

/** Frames that the server refused for good. */
export const listRefused = (env: Environment, most = 1_000): SpooledFrame[] =>
  listFrames(refusedFolder(env), most)

function listFrames(folder: string, most: number): SpooledFrame[] {
  const found: SpooledFrame[] = []
  try {
    const directory = opendirSync(folder)
    try {
      for (
        let entry = directory.readSync();
        entry !== null && found.length < most;
        entry = directory.readSync()
      ) {
        const match = frameName.exec(entry.name)
        if (match) found.push({ path: join(folder, entry.name), name: entry.name, at: Number(match[1]) })
      }
    } finally {
      directory.closeSync()
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Bytes of a frame, or `null` when another process sent it meanwhile. */
export function readFrame(frame: SpooledFrame): Uint8Array | null {
  if (frame.bytes) return frame.bytes
  try {
    return readFileSync(frame.path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** The server has the frame. */
export function dropFrame(frame: SpooledFrame): void {
  if (frame.bytes) return
  ignoreMissing(() => unlinkSync(frame.path))
}

/** The server will never take the frame; it is kept for a person to look at. */
export function setAside(env: Environment, frame: SpooledFrame): void {
  if (frame.bytes) return
  const folder = refusedFolder(env)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  ignoreMissing(() => renameSync(frame.path, join(folder, frame.name)))
}

function ignoreMissing(action: () => void): void {
  try {
    action()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

const awayMark = (env: Environment): string => join(spoolFolder(env), 'away')

/** After a server let a hook wait in vain, the next hooks do not wait for it for a while. */
export function noteAway(env: Environment, now = Date.now()): void {
  try {
    writeFileSync(awayMark(env), `${now}\n`, { mode: 0o600 })
  } catch {
    // Only a matter of speed.
  }
}

export function isNotedAway(env: Environment, forMs: number, now = Date.now()): boolean {
  try {
    return now - statSync(awayMark(env)).mtimeMs < forMs
  } catch {
    return false
  }
}
