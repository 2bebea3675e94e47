import { execFile } from 'node:child_process'
import { chown, mkdtemp, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { TestDb } from './test-db'
import { onServer } from './test-db'
import { scratchRoot } from './scratch-root'

const run = promisify(execFile)

export interface SmallDisk {
  /** Leaves no room for what the database writes next. */
  fill(): Promise<void>
  free(): Promise<void>
  /** Undoes all of it; the database must be closed before. */
  remove(): Promise<void>
}

export const mayMount = process.getuid?.() === 0

/**
 * Moves a test database to a file system of its own, small enough to be filled. Needs root.
 *
 * @param db must not have been asked yet: a database in use cannot be moved
 */
export async function mountedDisk(db: TestDb): Promise<SmallDisk> {
  const dir = await mkdtemp(path.join(scratchRoot(), 'inquest-small-disk-'))
  const name = path.basename(dir).replaceAll('-', '_').toLowerCase()
  const { pathname } = new URL(db.url)
  let data = ''
  await onServer(atServer(db.url), async (admin) => {
    data = (await admin`select current_setting('data_directory') as dir`)[0]!.dir as string
  })
  const { uid, gid } = await stat(data)
  await run('mount', ['-t', 'tmpfs', '-o', `size=96m,mode=700,uid=${uid},gid=${gid}`, 'tmpfs', dir])
  await chown(dir, uid, gid)
  await onServer(atServer(db.url), async (admin) => {
    await admin.unsafe(`create tablespace ${name} location '${dir}'`)
    await admin.unsafe(`alter database ${pathname.slice(1)} set tablespace ${name}`)
  })
  const filler = path.join(dir, 'filler')
  return {
    // Ends with "No space left on device", which is what is wanted.
    fill: () => run('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k']).then(noop, noop),
    free: () => rm(filler),
    remove: async () => {
      await onServer(atServer(db.url), async (admin) => {
        await admin.unsafe(`drop tablespace ${name}`)
      })
      await run('umount', [dir])
      await rm(dir, { recursive: true })
    },
  }
}

/**
 * Puts `/dev/full` in the place of an empty table's file: the kernel refuses to write there as on a full disk, and the server says so
 * with the same code. Needs no privilege.
 */
export async function fullTable(db: TestDb, table: string): Promise<SmallDisk> {
  const [place] = await db.sql<{ file: string }[]>`
    select current_setting('data_directory') || '/' || pg_relation_filepath(${table}::regclass) as file`
  const { file } = place!
  const { uid, gid } = await stat(file)
  const reconnect = () =>
    onServer(atServer(db.url), async (admin) => {
      const name = new URL(db.url).pathname.slice(1)
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
    })
  return {
    fill: async () => {
      await unlink(file)
      await symlink('/dev/full', file)
      await reconnect()
    },
    free: async () => {
      await unlink(file)
      await writeFile(file, '', { mode: 0o600 })
      if (mayMount) await chown(file, uid, gid)
      await reconnect()
    },
    remove: async () => undefined,
  }
}

const noop = (): void => undefined

const atServer = (url: string): string => Object.assign(new URL(url), { pathname: '/postgres' }).href
