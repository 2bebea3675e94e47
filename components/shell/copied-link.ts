import { links } from '@/lib/links'

/** Pages that look through every project one may read, unless the address names one. */
export const isListPage = (path: string): boolean =>
  [links.executions(), links.policies(), links.fixes()].includes(path)

/**
 * The address as it is copied. A list names its project, since a reader with other projects would see another list: the chosen one stands
 * in the address already, and the only one is added. With several and none chosen it is the list of all.
 */
export function copiedLink(href: string, projects: readonly { slug: string }[]): string {
  const url = new URL(href)
  const [only, ...others] = projects
  if (isListPage(url.pathname) && only && others.length === 0 && !url.searchParams.has('project'))
    // Put behind what is there, which is copied as it is spelled.
    url.search = `${url.search === '' ? '?' : `${url.search}&`}project=${encodeURIComponent(only.slug)}`
  return url.href
}
