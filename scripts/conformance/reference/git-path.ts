import type { ByteText } from '@/lib/judge/patches/bytes'
import { isLink } from '@/lib/judge/patches/verify-path'

/**
 * Whether git writes to such a path (`verify_path` with `core.protectNTFS`, its default): no empty component, `.`, `..` or `.git`,
 * not as NTFS spells it either, and no link called `.gitmodules`. Drive letters and backslashes pass: git is not strict enough
 * for a reviewer, see `path-safety.ts`.
 */
export function gitTakesPath(path: ByteText, mode: number): boolean {
  if (path === '') return false
  const components = path.split('/')
  return components.every((component) => {
    if (component === '' || component === '.' || component === '..') return false
    const name = component.toLowerCase()
    if (name === '.git' || component.split('\\').some(isNtfsDotGit)) return false
    return !(isLink(mode) && (name === '.gitmodules' || NTFS_GITMODULES.test(component)))
  })
}

/** `.git` or `git~1` with what NTFS drops: blanks and dots at the end, a stream after a colon. */
const isNtfsDotGit = (component: ByteText): boolean => /^(?:\.git|git~1)[ .]*(?:$|:)/i.test(component)

const NTFS_GITMODULES = /^(?:\.gitmodules|gitmod~[1-4]|gi7eba~[1-9])[ .]*(?:$|:)/i
