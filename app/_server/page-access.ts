import { headers } from 'next/headers'
import { forbidden, redirect } from 'next/navigation'
import { cache } from 'react'
import { atLeast, type Role } from '@/lib/auth/roles'
import { links } from '@/lib/links'
import { type Access, readReader } from './access'

/** The reader of the page that is being made, or null; asked once for each request, however many parts ask. */
export const pageReader = cache(async (): Promise<Access | null> => readReader(await headers()))

/**
 * For server components: the reader, with the projects in which they hold at least `minRole`.
 * Nobody signed in → the sign-in page, which comes back here; a weaker role → the page for 403.
 */
export async function pageAccess(minRole: Role = 'viewer'): Promise<Access> {
  const access = await pageReader()
  if (!access) return redirect(links.signIn((await headers()).get('x-inquest-path') ?? undefined))
  const projects = access.projects.filter((project) => atLeast(project.role, minRole))
  return projects.length > 0 ? { ...access, projects } : forbidden()
}
