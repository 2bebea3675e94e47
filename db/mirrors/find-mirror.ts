import { readFile, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'

/** A repository below a folder that the operator allows, by its real paths. */
export interface FoundMirror {
  gitDir: string
  objects: string
}

export type MirrorTrouble = 'outside' | 'gone' | 'not-a-repository' | 'linked-tree' | 'borrows-outside'

const WORDS: Record<MirrorTrouble, string> = {
  outside: 'It is outside the folder for mirrors set by the operator of this server.',
  gone: 'Not found in the folder for mirrors.',
  'not-a-repository': 'Not a git repository: neither bare nor with a .git folder.',
  'linked-tree': 'It is a linked work tree or submodule. Name the repository it belongs to.',
  'borrows-outside': 'It uses objects of a repository outside the folder for mirrors.',
}

const CONTROL = /[\u0000-\u001f\u007f]/

/** Says in a sentence why a folder is not taken as a mirror. */
export class MirrorRefused extends Error {
  constructor(readonly trouble: MirrorTrouble) {
    super(WORDS[trouble])
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
  if (own !== null && !(await isFolder(own))) throw new MirrorRefused('linked-tree')
  const gitDir = own ?? folder
  if ((await real(join(gitDir, 'commondir'))) !== null) throw new MirrorRefused('linked-tree')
  const [head, objects, refs] = await Promise.all(
    ['HEAD', 'objects', 'refs'].map((name) => inside(join(gitDir, name))),
  )
  if (head == null || objects == null || refs == null || !(await isFolder(objects)))
    throw new MirrorRefused('not-a-repository')
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
    if (line.startsWith('"')) throw new MirrorRefused('borrows-outside')
    const found = await real(resolve(objects, line))
    if (found !== null && (depth >= BORROWED_DEPTH || !isBelow(top, found)))
      throw new MirrorRefused('borrows-outside')
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
