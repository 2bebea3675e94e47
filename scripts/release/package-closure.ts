/** The part of a lock file that says what needs what. */
export interface Lock {
  packages: Record<
    string,
    {
      dependencies?: Record<string, string>
      optionalDependencies?: Record<string, string>
      peerDependencies?: Record<string, string>
      peerDependenciesMeta?: Record<string, { optional?: boolean }>
    }
  >
}

/** Folder of a package as Node finds it from another one; null when it is not installed for it. */
function folderOf(lock: Lock, from: string, name: string): string | null {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const folder = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (folder in lock.packages) return folder
    if (at === '') return null
  }
}

/**
 * Folders of packages and of all that they need, in the order of their names.
 *
 * @param names packages of the project that are needed
 * @param without packages that are not taken, nor what only they need
 */
export function packageClosure(
  lock: Lock,
  names: Iterable<string>,
  without: (name: string) => boolean,
): string[] {
  const taken = new Set<string>()
  const follow = (from: string, name: string): void => {
    const folder = without(name) ? null : folderOf(lock, from, name)
    if (folder === null || taken.has(folder)) return
    taken.add(folder)
    const {
      dependencies,
      optionalDependencies,
      peerDependencies = {},
      peerDependenciesMeta = {},
    } = lock.packages[folder]!
    const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional)
    for (const next of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
      follow(folder, next)
  }
  for (const name of names) follow('', name)
  return [...taken].sort()
}
