'use client'

import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { links } from '@/lib/links'
import { isListPage } from './copied-link'
import type { Viewer } from './viewer'

/** Lists look through every project one may read, or through the chosen one; single objects need none. */
export function ProjectSwitch({ viewer }: { viewer: Viewer }) {
  const router = useRouter()
  const path = usePathname()
  const params = useSearchParams()
  if (viewer.projects.length < 2) {
    return (
      <span className="min-w-0 truncate font-medium" title={`Project ${viewer.projects[0]?.slug ?? ''}`}>
        {viewer.projects[0]?.name}
      </span>
    )
  }
  const choose = (slug: string): void => {
    const next = new URLSearchParams(isListPage(path) ? params : undefined)
    if (slug === '') next.delete('project')
    else next.set('project', slug)
    for (const one of ['peek', 'cell']) next.delete(one)
    router.push(
      path === links.policies()
        ? links.policies(Object.fromEntries(next))
        : links.executions(next.toString()),
    )
  }
  return (
    <select
      aria-label="Project"
      value={params.get('project') ?? ''}
      onChange={(event) => choose(event.target.value)}
      className="h-8 max-w-44 min-w-0 rounded border border-line-strong bg-surface px-2 font-medium"
    >
      <option value="">All projects</option>
      {viewer.projects.map(({ slug, name }) => (
        <option key={slug} value={slug}>
          {name}
        </option>
      ))}
    </select>
  )
}
