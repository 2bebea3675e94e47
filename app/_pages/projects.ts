import type { Access } from '@/app/_server/access'

/** Projects a list page looks through: the one the address names, else all; a name that is not among them falls back to all. */
export function pageProjects(access: Access, slug: string | null): { ids: string[]; unknown: boolean } {
  const named = slug === null ? undefined : access.projects.find((project) => project.slug === slug)
  return {
    ids: (named ? [named] : access.projects).map((project) => project.id),
    unknown: slug !== null && named === undefined,
  }
}

/** The first value of a parameter of the address; Next gives lists for repeated ones. */
export const one = (value: string | string[] | undefined): string | null =>
  (Array.isArray(value) ? value[0] : value) ?? null
