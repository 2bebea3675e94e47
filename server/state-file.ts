import { randomBytes } from 'node:crypto'
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { isSameProcess, processStamp, type ProcessStamp } from '@/db/embedded/process-stamp'
import { limits } from '@/lib/limits'
import { makePrivateFolder } from './private-folder'

/**
 * The state folder says which servers run on this machine. Each has a file of its own in `servers/`; `server.json`, which the command line
 * looks for, is a copy of one of them: of the one that started last, and when that ends, of another one that lives.
 */
interface LocalServer extends ProcessStamp {
  url: string
  token: string
  host: string
  /** Milliseconds since the epoch. */
  since: number
}

interface Entry {
  text: string
  server: LocalServer
  /** Milliseconds since the epoch of its last sign of life. */
  seenAt: number
}

const serverFile = (stateDir: string): string => path.join(stateDir, 'server.json')
const entriesFolder = (stateDir: string): string => path.join(stateDir, 'servers')

/** Enters this process, and makes it the one that the command line finds. The files are for their owner only, whole or not there. */
export async function enterServer(
  stateDir: string,
  { url, token }: { url: string; token: string },
  pid = process.pid,
): Promise<{ keep: () => Promise<void>; leave: () => Promise<void> }> {
  await makePrivateFolder(stateDir)
  await makePrivateFolder(entriesFolder(stateDir))
  const file = path.join(entriesFolder(stateDir), `${pid}-${randomBytes(4).toString('hex')}.json`)
  const server = { url, token, ...(await processStamp(pid)), host: hostname(), since: Date.now() }
  const text = `${JSON.stringify(server satisfies LocalServer)}\n`
  const current = serverFile(stateDir)
  await replaceFile(file, text)
  await replaceFile(current, text)
  return {
    async keep() {
      const now = new Date()
      // Somebody may have emptied the folder.
      await utimes(file, now, now).catch(() => replaceFile(file, text))
      const found = await readEntry(current)
      if (found?.text === text) await utimes(current, now, now).catch(() => undefined)
      else if (!(found && (await isLiving(found)))) await replaceFile(current, text)
    },
    async leave() {
      await rm(file, { force: true })
      if ((await readEntry(current))?.text !== text) return
      const next = await lastStarted(stateDir)
      if (next) await replaceFile(current, next.text)
      else await rm(current, { force: true })
    },
  }
}

/** Removes the entries of servers that ended without a word. @returns their keys */
export async function forgetDeadServers(stateDir: string): Promise<string[]> {
  const tokens: string[] = []
  for (const file of [serverFile(stateDir), ...(await entryFiles(stateDir))]) {
    const entry = await readEntry(file)
    if (entry === null || (await isLiving(entry))) continue
    await rm(file, { force: true })
    tokens.push(entry.server.token)
  }
  return [...new Set(tokens)]
}

/** Of the servers that live, the one that started last. */
async function lastStarted(stateDir: string): Promise<Entry | null> {
  let last: Entry | null = null
  for (const file of await entryFiles(stateDir)) {
    const entry = await readEntry(file)
    if (entry && (await isLiving(entry)) && (last === null || entry.server.since > last.server.since))
      last = entry
  }
  return last
}

const entryFiles = async (stateDir: string): Promise<string[]> =>
  (await readdir(entriesFolder(stateDir)).catch(() => []))
    .filter((name) => name.endsWith('.json'))
    .map((name) => path.join(entriesFolder(stateDir), name))

async function readEntry(file: string): Promise<Entry | null> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)])
    const server = JSON.parse(text) as LocalServer
    return typeof server?.token === 'string' && Number.isInteger(server.pid)
      ? { text, server, seenAt: mtimeMs }
      : null
  } catch {
    return null // not there, or not ours to read
  }
}

/** A process of this machine is looked for; of one on another machine that shares the folder only its signs of life are seen. */
const isLiving = async ({ server, seenAt }: Entry): Promise<boolean> =>
  (server.host ?? hostname()) === hostname()
    ? isSameProcess(JSON.stringify({ pid: server.pid, started: server.started ?? null }))
    : Date.now() - seenAt < limits.localKeyMinutes * 60_000

async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}.draft`
  await rm(draft, { force: true })
  await writeFile(draft, text, { mode: 0o600 })
  await rename(draft, file)
}
