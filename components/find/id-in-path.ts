import { links } from '@/lib/links'

/** The id that an address of an execution names; null for addresses of other pages. */
export function idInPath(path: string): string | null {
  const parent = `${links.executions()}/`
  if (!path.startsWith(parent)) return null
  const segment = path.slice(parent.length).split('/')[0]!
  try {
    return decodeURIComponent(segment) || null
  } catch {
    // Not percent-encoded as we write it: then it is the id unchanged.
    return segment
  }
}
