import { spawn } from 'node:child_process'
import { chown, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Account } from './account'
import type { Binaries } from './binaries'
import { DATABASE_SERVER_LOG, DATABASE_SERVER_PROBLEMS } from '@/lib/words/database-server'

export const SUPERUSER = 'inquest'

/**
 * Makes the cluster when there is none. `initdb` works in `data.new`, which takes the name `data` only when it is complete:
 * whatever an interrupted start left in `data.new` never held anything and is thrown away.
 *
 * @returns the data folder
 * @throws when `data` holds something that is not a complete cluster; it is left as it is
 */
export async function ensureCluster({
  place,
  binaries,
  account,
  password,
  log,
}: {
  place: string
  binaries: Binaries
  account: Account
  password: string
  log: (line: string) => void
}): Promise<string> {
  const data = path.join(place, 'data')
  if (await isFile(path.join(data, 'global', 'pg_control'))) return data
  const entries = await readdir(data).catch(() => null)
  if (entries && entries.length > 0) throw new Error(DATABASE_SERVER_PROBLEMS.no_cluster({ dir: data }))
  if (entries) await rm(data, { recursive: true })

  log(DATABASE_SERVER_LOG.making_cluster({}))
  const half = path.join(place, 'data.new')
  const secret = path.join(place, 'initdb-password')
  await rm(half, { recursive: true, force: true })
  await rm(secret, { force: true })
  await mkdir(half, { mode: 0o700 })
  await writeFile(secret, `${password}\n`, { mode: 0o600 })
  if (account) {
    await chown(half, account.uid, account.gid)
    await chown(secret, account.uid, account.gid)
  }
  try {
    await runToEnd(
      binaries.initdb,
      [
        `--pgdata=${half}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${secret}`,
        '--auth=scram-sha-256',
        // Nothing may depend on the machine's locale: text sorts by code point, everywhere.
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '--data-checksums',
      ],
      account,
      place,
    )
  } finally {
    await rm(secret, { force: true })
  }
  await rename(half, data)
  return data
}

async function runToEnd(file: string, args: string[], account: Account, cwd: string): Promise<void> {
  const child = spawn(file, args, {
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: serverEnv(),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4000)))
  const code = await new Promise<number | string | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (exit, signal) => resolve(exit ?? signal))
  })
  if (code !== 0) throw new Error(`initdb failed (${code}): ${output.trim()}`)
}

/** The server's environment: PG* variables of the person must not steer it, and messages stay readable to us. */
export function serverEnv(): NodeJS.ProcessEnv {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PG')))
  return { ...env, LC_ALL: 'C', TZ: 'UTC' } as unknown as NodeJS.ProcessEnv
}

const isFile = (file: string) =>
  stat(file).then(
    (s) => s.isFile(),
    () => false,
  )
