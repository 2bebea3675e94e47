import { readFile, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { MirrorTrouble, MirrorTroubles } from '@/lib/model/messages/mirrors'

/** A repository below a folder that the operator allows, by its real paths. */
export interface FoundMirror {
  gitDir: string
  objects: string
}

type Refusal = Exclude<keyof MirrorTroubles, 'not_checked' | 'no_such_branch' | 'branch_gone'>

const CONTROL = /[\u0000-\u001f\u007f]/

/** Why a folder is not taken as a mirror. */
export class MirrorRefused extends Error {
  readonly trouble: MirrorTrouble
  constructor(refusal: Refusal) {
    super(refusal)
    this.trouble = { id: refusal, params: {} }
  }
}

/**
 * Finds a repository by its path below the root. Nothing of it may lie outside of the root once symbolic links are followed, nor may it borrow
 * objects from there.
 *
 * @throws MirrorRefused
 */
export async function findMirror(root: string, path: string): Promise<FoundMirror> {
  const parts = path.split(/[\\/]/)
  if (path === '' || isAbsolute(path) || CONTROL.test(path) || parts.includes('..'))
    throw new MirrorRefused('outside')
  const top = await real(root)
  if (top === null) throw new MirrorRefused('gone')
  const inside = async (of: string): Promise<string | null> => {
    const found = await real(of)
    if (found !== null && (CONTROL.test(found) || !isBelow(top, found))) throw new MirrorRefused('outside')
    return found
  }
  const folder = await inside(join(top, ...parts))
  if (folder === null) throw new MirrorRefused('gone')
  const own = await inside(join(folder, '.git'))
  if (own !== null && !(await isFolder(own))) throw new MirrorRefused('linked_tree')
  const gitDir = own ?? folder
  if ((await real(join(gitDir, 'commondir'))) !== null) throw new MirrorRefused('linked_tree')
  const [head, objects, refs] = await Promise.all(
    ['HEAD', 'objects', 'refs'].map((name) => inside(join(gitDir, name))),
  )
  if (head == null || objects == null || refs == null || !(await isFolder(objects)))
    throw new MirrorRefused('not_a_repository')
  await Promise.all(
    ['config', 'packed-refs', 'refs/heads', 'objects/pack', 'objects/info', 'reftable'].map((name) =>
      inside(join(gitDir, name)),
    ),
  )
  await refuseBorrowed(top, objects, 0)
  return { gitDir, objects }
}

/** Git follows such lists through so many repositories. */
const BORROWED_DEPTH = 5

async function refuseBorrowed(top: string, objects: string, depth: number): Promise<void> {
  const list = await readFile(join(objects, 'info', 'alternates'), 'utf8').catch(() => '')
  for (const line of list.split('\n').filter((text) => text !== '' && !text.startsWith('#'))) {
    // A name in quotes is spelled in another way than this reads it.
    if (line.startsWith('"')) throw new MirrorRefused('borrows_outside')
    const found = await real(resolve(objects, line))
    if (found !== null && (depth >= BORROWED_DEPTH || !isBelow(top, found)))
      throw new MirrorRefused('borrows_outside')
    if (found !== null) await refuseBorrowed(top, found, depth + 1)
  }
}

const real = (path: string): Promise<string | null> => realpath(path).catch(() => null)
const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() === true

function isBelow(top: string, path: string): boolean {
  const way = relative(top, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}
