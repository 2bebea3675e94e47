import type { FixBase, FixDetail, FixFile } from '../../model/fix'

/** What became of a file of the patch since an earlier version: its bytes in the patch are the same or others, it was not in it, or it is no longer in it. */
export type SinceVersion = 'same' | 'changed' | 'new' | 'gone'
type Named = Pick<FixFile, 'name' | 'oldName' | 'sha256'>

/** A file of one version or of both; at least one of them is there. */
export interface FilePair<File> {
  now: File | null
  before: File | null
  what: SinceVersion
}

/** Places in lists, to be taken one after the other. */
function takeBy<File>(
  files: readonly File[],
  keyOf: (file: File) => string | null,
): (file: File, taken: ReadonlySet<File>) => File | undefined {
  const places = new Map<string | null, File[]>()
  for (const file of files) places.set(keyOf(file), [...(places.get(keyOf(file)) ?? []), file])
  return (file, taken) =>
    keyOf(file) === null ? undefined : places.get(keyOf(file))?.find((one) => !taken.has(one))
}

/** The files of two versions beside each other, in the order of the later one, then those that are no longer in it: by name and bytes, else by name, else by the name of the file that is renamed. */
export function pairFiles<File extends Named>(
  now: readonly File[],
  before: readonly File[],
): FilePair<File>[] {
  const found = new Map<File, File>()
  const taken = new Set<File>()
  for (const keyOf of [
    (file: File) => `${file.sha256} ${file.name}`,
    (file: File) => file.name,
    (file: File) => file.oldName,
  ]) {
    const take = takeBy(before, keyOf)
    for (const file of now) {
      const one = found.has(file) ? undefined : take(file, taken)
      if (one === undefined) continue
      found.set(file, one)
      taken.add(one)
    }
  }
  return [
    ...now.map((file): FilePair<File> => {
      const one = found.get(file) ?? null
      return {
        now: file,
        before: one,
        what:
          one === null ? 'new' : one.sha256 === file.sha256 && one.name === file.name ? 'same' : 'changed',
      }
    }),
    ...before
      .filter((file) => !taken.has(file))
      .map((file): FilePair<File> => ({ now: null, before: file, what: 'gone' })),
  ]
}

/** The versions whose place a fix took, the newest first: the one that it names, the one which that names, and so on. */
export function earlierVersions({
  supersedes,
  versions,
}: Pick<FixDetail, 'supersedes' | 'versions'>): FixDetail['versions'] {
  const byId = new Map(versions.map((version) => [version.id, version]))
  const line: FixDetail['versions'] = []
  for (
    let next = byId.get(supersedes ?? '');
    next && !line.includes(next);
    next = byId.get(next.supersedes ?? '')
  )
    line.push(next)
  return line
}

/** The versions that a fix is among, from the first to the newest, and what else was proposed for its task and is none of them. */
export function lineOfVersions(fix: Pick<FixDetail, 'id' | 'supersedes' | 'versions'>): {
  line: FixDetail['versions']
  others: FixDetail['versions']
} {
  const line = [...earlierVersions(fix).toReversed(), ...fix.versions.filter(({ id }) => id === fix.id)]
  for (let next = line.at(-1); next; ) {
    const before = next.id
    next = fix.versions.find((one) => one.supersedes === before && !line.includes(one))
    if (next) line.push(next)
  }
  return { line, others: fix.versions.filter((one) => !line.includes(one)) }
}

/** Whether two fixes were made for the same tree; null if unknown. Commits and trees may be cut short. */
export function sameBase(one: FixBase, other: FixBase): boolean | null {
  const alike = (a: string | null, b: string | null): boolean | null =>
    a === null || b === null ? null : a.startsWith(b) || b.startsWith(a)
  const same = alike(one.tree, other.tree) ?? alike(one.commit, other.commit)
  const hasChanges = one.dirty === true || other.dirty === true
  return same === true && hasChanges && (one.dirtyDigest === null || one.dirtyDigest !== other.dirtyDigest)
    ? null
    : same
}
