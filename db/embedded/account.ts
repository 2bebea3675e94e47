import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, chown, mkdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { DATABASE_SERVER_LOG, DATABASE_SERVER_PROBLEMS } from '@/lib/words/database-server'

const run = promisify(execFile)

/** The account that the server's processes run under; null: the one we have. PostgreSQL refuses to run as root. */
export type Account = { uid: number; gid: number; name: string } | null

/** Where the server's files live, and whether that is a place apart because its account cannot reach the folder it was given. */
export interface Place {
  dir: string
  apart: boolean
}

const SYSTEM_DIR = '/var/lib/inquest'

/**
 * Chooses the account. As root: the owner of the files that are there, else `postgres`, which is made when the system has none.
 *
 * @throws when the files belong to someone whom this process cannot act for
 */
export async function serverAccount(home: string, log: (line: string) => void): Promise<Account> {
  const uid = process.getuid?.()
  const owner = await ownerOf(path.join(home, 'pg', 'data'))
  if (uid !== 0) {
    if (uid !== undefined && owner !== null && owner.uid !== uid)
      throw new Error(DATABASE_SERVER_PROBLEMS.other_account({ home, uid: owner.uid }))
    return null
  }
  if (owner !== null && owner.uid !== 0)
    return { ...owner, name: (await nameOf(owner.uid)) ?? String(owner.uid) }
  const known = await idsOf('postgres')
  if (known) return known
  log(DATABASE_SERVER_LOG.creating_account({}))
  for (const [command, ...args] of [
    ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'],
    ['adduser', '-S', '-D', '-H', 'postgres'],
  ] as const) {
    await run(command, [...args]).catch(() => {})
    const made = await idsOf('postgres')
    if (made) return made
  }
  const nobody = await idsOf('nobody')
  if (!nobody) throw new Error(DATABASE_SERVER_PROBLEMS.no_account({}))
  log(DATABASE_SERVER_LOG.runs_as_nobody({}))
  return nobody
}

/**
 * The folder for cluster, log and binaries. A project below a folder that is closed to others (`/root`) is out of reach for
 * the server's account; its files then live in `/var/lib/inquest`, in a folder named after the one they were meant for.
 */
export async function clusterHome(
  home: string,
  account: Account,
  log: (line: string) => void,
): Promise<Place> {
  if (!account) {
    const dir = path.join(home, 'pg')
    await mkdir(dir, { recursive: true, mode: 0o700 })
    return { dir, apart: false }
  }
  const apart = !(await canTraverse(path.dirname(home), account))
  const dir = apart
    ? path.join(SYSTEM_DIR, createHash('sha256').update(home).digest('hex').slice(0, 16))
    : path.join(home, 'pg')
  if (apart) {
    log(DATABASE_SERVER_LOG.files_apart({ home, account: account.name, dir }))
    await mkdir(SYSTEM_DIR, { recursive: true, mode: 0o755 })
  }
  await mkdir(dir, { recursive: true, mode: 0o700 })
  await chown(dir, account.uid, account.gid)
  if (!apart) await openFolder(home, account)
  return { dir, apart }
}

/** Lets the account pass through our own folder to its files: group of the account, execute only. The secrets in it stay 0600. */
async function openFolder(home: string, account: NonNullable<Account>): Promise<void> {
  const { uid, mode } = await stat(home)
  if (uid === account.uid || (mode & 0o001) !== 0) return
  await chown(home, uid, account.gid)
  await chmod(home, (mode & 0o7777) | 0o010)
}

/** True when every folder down to this one may be passed through by the account. */
export async function canTraverse(dir: string, account: NonNullable<Account>): Promise<boolean> {
  for (let at = path.resolve(dir); ; at = path.dirname(at)) {
    const { uid, gid, mode } = await stat(at)
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (path.dirname(at) === at) return true
  }
}

async function ownerOf(file: string): Promise<{ uid: number; gid: number } | null> {
  try {
    const { uid, gid } = await stat(file)
    return { uid, gid }
  } catch {
    return null
  }
}

async function idsOf(name: string): Promise<NonNullable<Account> | null> {
  const line = (await passwd()).find((fields) => fields[0] === name)
  return line ? { uid: Number(line[2]), gid: Number(line[3]), name } : null
}

const nameOf = async (uid: number): Promise<string | null> =>
  (await passwd()).find((fields) => Number(fields[2]) === uid)?.[0] ?? null

async function passwd(): Promise<string[][]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return text.split('\n').map((line) => line.split(':'))
}
