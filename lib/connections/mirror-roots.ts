import type { MirrorRootTrouble } from '../model/messages/connections'

/** The folder below which the mirrors of a project may stand; null: the operator allows none. */
export type MirrorRoots = (project: string) => string | null

const isAbsolute = (path: string): boolean => path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path)

/**
 * Reads `INQUEST_MIRRORS`: one folder for all projects, or `project=folder` for each, with commas between them; a folder without a project is
 * for all that have none of their own.
 *
 * @returns where mirrors of a project may stand; or what is wrong with the setting
 */
export function readMirrorRoots(
  env: Record<string, string | undefined>,
): { roots: MirrorRoots } | { trouble: MirrorRootTrouble } {
  const named = new Map<string, string>()
  let forOthers: string | null = null
  for (const entry of (env.INQUEST_MIRRORS ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')) {
    const [, project, path] = /^(?:([A-Za-z0-9._-]+)=)?(.*)$/s.exec(entry)!
    if (!isAbsolute(path!))
      return {
        trouble: { id: 'not_absolute', params: { entry } },
      }
    if (project === undefined ? forOthers !== null : named.has(project))
      return { trouble: { id: 'named_twice', params: { project: project ?? null } } }
    if (project === undefined) forOthers = path!
    else named.set(project, path!)
  }
  return { roots: (project) => named.get(project) ?? forOthers }
}
