import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '@/lib/limits'

const DEPTH = 3
/** Folders that are looked into: a root with very many others is not walked through for an offer. */
const FOLDERS_MAX = 2_000

/** Paths of repositories below the root, by name: what a person can choose from. Links are not followed. */
export async function offerMirrors(root: string | null): Promise<string[]> {
  if (root === null) return []
  const found: string[] = []
  let level = ['']
  let looked = 0
  for (let depth = 0; depth <= DEPTH && level.length > 0; depth++) {
    const next: string[] = []
    for (const path of level) {
      if ((looked += 1) > FOLDERS_MAX || found.length >= limits.mirrorsOfferedMax) return found.sort()
      const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => [])
      const folders = new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name))
      const isBare =
        folders.has('objects') && folders.has('refs') && entries.some(({ name }) => name === 'HEAD')
      if (path !== '' && (folders.has('.git') || isBare)) found.push(path)
      else
        next.push(
          ...[...folders]
            .filter((name) => !name.startsWith('.'))
            .map((name) => (path === '' ? name : `${path}/${name}`)),
        )
    }
    level = next
  }
  return found.sort()
}
