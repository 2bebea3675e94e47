import type { ByteText } from './bytes'
import type { FlagCode } from '../../model/flags'
import { pathText } from './path-flags'
import type { Tree } from './tree'
import { isLink } from './verify-path'

interface Written {
  /** Every file that is after the patch and is touched by it, with the place of its section. */
  results: ReadonlyMap<ByteText, number>
  /** Those of them that are links. */
  links: ReadonlySet<ByteText>
  /** Files before, where they are at hand. */
  tree: Tree | null
}

type Add = (code: FlagCode, file: number, detail?: string) => void

/** Flags of files that cannot be beside each other on every system. Names are sorted, so that those with a folder in common meet: time does not grow with depth. */
export function againstEachOther({ results, links, tree }: Written, add: Add): void {
  beyondFiles({ results, links, tree }, add)
  otherwiseSpelled(results, add)
  // A file that stays is there too; one that the patch takes away is not, but then it has the same name in another case on purpose.
  const before = new Map([...(tree?.keys() ?? [])].map((name) => [folded(name), name]))
  for (const [name, file] of before.size === 0 ? [] : results) {
    const other = before.get(folded(name))
    if (other !== undefined && other !== name) add(collisionOf(name, other), file, other)
  }
}

/** Slashes sort before all else, so that what is in a folder follows it. */
const sortable = (name: string): string => name.split('/').join('\0')

/** As a system reads a name that minds neither case nor the Unicode form. */
const folded = (name: ByteText): string => lowered(name).normalize('NFC')
const lowered = (name: ByteText): string => (pathText(name) ?? name).toLowerCase()

/** How two names differ that one system takes for the same. */
const collisionOf = (name: ByteText, other: ByteText): FlagCode =>
  lowered(name) === lowered(other) ? 'path-case-collision' : 'path-unicode-collision'

const byKey = <T extends { key: string }>(list: T[]): T[] =>
  list.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))

function beyondFiles({ results, links, tree }: Written, add: Add): void {
  /** Files that are folders of the name at hand, the farthest first. */
  const above: { key: string; name: ByteText; isLink: boolean }[] = []
  for (const { name, file, key } of byKey(
    [...results].map(([name, file]) => ({ name, file, key: sortable(name) })),
  )) {
    while (above.length > 0 && !key.startsWith(`${above.at(-1)!.key}\0`)) above.pop()
    const nearest = above.at(-1)
    if (nearest) add('path-file-directory-conflict', file, nearest.name)
    const link = above.findLast((one) => one.isLink)
    if (link) add('write-through-symlink', file, link.name)
    above.push({ key, name, isLink: links.has(name) || isLink(tree?.get(name)?.mode ?? 0) })
  }
}

/** Of names that differ in case or Unicode form alone, or lie in folders that do, two follow each other. */
function otherwiseSpelled(results: ReadonlyMap<ByteText, number>, add: Add): void {
  const sorted = byKey(
    [...results].map(([name, file]) => {
      const text = folded(name)
      return { name, file, key: sortable(text), isFolded: text === (pathText(name) ?? name) }
    }),
  )
  for (const [i, { name, file, key, isFolded }] of sorted.entries()) {
    const other = sorted[i - 1]
    if (!other || (isFolded && other.isFolded)) continue
    const code = collisionIn(key.split('\0'), other.key.split('\0'), name.split('/'), other.name.split('/'))
    if (code !== null) add(code, file, other.name)
  }
}

/** How the first part differs that both have in common. */
function collisionIn(
  key: string[],
  otherKey: string[],
  name: string[],
  otherName: string[],
): FlagCode | null {
  for (let i = 0; i < key.length && key[i] === otherKey[i]; i++)
    if (name[i] !== otherName[i]) return collisionOf(name[i]!, otherName[i]!)
  return null
}
