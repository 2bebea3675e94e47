import type { FixFile } from '../api/fix-schemas'

/** What became of a file of the patch since the version before: its bytes in the patch are the same, others, or it was not in it. */
export type SinceVersion = 'same' | 'changed' | 'new'

/** For each file of a patch, by its place, what became of it since an earlier version; with the names of files that are no longer in it. */
export function sinceVersion(now: readonly Pick<FixFile, 'ordinal' | 'name' | 'sha256'>[], before: readonly Pick<FixFile, 'name' | 'sha256'>[]): { files: Map<number, SinceVersion>; gone: string[] } {
  const digests = new Map<string, Set<string>>()
  for (const { name, sha256 } of before) digests.set(name, (digests.get(name) ?? new Set()).add(sha256))
  const names = new Set(now.map(({ name }) => name))
  const what = (name: string, sha256: string): SinceVersion => (!digests.has(name) ? 'new' : digests.get(name)!.has(sha256) ? 'same' : 'changed')
  return { files: new Map(now.map(({ ordinal, name, sha256 }) => [ordinal, what(name, sha256)])), gone: [...digests.keys()].filter((name) => !names.has(name)) }
}
