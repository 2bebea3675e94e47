import { foundAddress } from '@/components/find/found-address'
import { findAnyId } from '@/db/queries/find-any-id'
import { readReader } from './access'
import { db } from './db'

/**
 * The page of what this id stands for, when the reader may see exactly one such thing; else null, and the page of the id says
 * the rest (a choice, a wait, that nobody is signed in, or that the database did not answer).
 *
 * @param path the id as it is in the address
 */
export async function findOnly(headers: Headers, path: string, search: string): Promise<string | null> {
  try {
    const reader = await readReader(headers)
    if (!reader) return null
    const found = await findAnyId(
      db(),
      reader.projects.map((project) => project.id),
      idOfPath(path),
    )
    return found.length === 1 ? foundAddress(found[0]!, search.slice(1)) : null
  } catch {
    // The page asks again, and shows what went wrong.
    return null
  }
}

/** An id may contain slashes; each segment is percent-encoded. */
export const idOfPath = (path: string): string => path.split('/').map(decodeSegment).join('/')

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
