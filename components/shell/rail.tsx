'use client'

import {
  Gavel,
  GitCompareArrows,
  GitPullRequestArrow,
  KeyRound,
  ListTree,
  PanelLeftClose,
  PanelLeftOpen,
  Plug,
  Scale,
  Settings,
  Users,
} from 'lucide-react'
import Link from 'next/link'
import { links } from '@/lib/links'
import { cn } from '../shared/ui/cn'
import { applyRail } from '../shared/preferences'
import { SignOut } from './sign-out'
import type { Viewer } from './viewer'
import { Mark } from './mark'

const PAGES = [
  {
    href: links.executions(),
    label: 'Executions',
    icon: ListTree,
    holds: (path: string) => [links.executions(), links.ciRoot()].some((start) => path.startsWith(start)),
  },
  {
    href: links.fixes(),
    label: 'Fixes',
    icon: GitPullRequestArrow,
    holds: (path: string) => path.startsWith(links.fixes()),
  },
  {
    href: links.policies(),
    label: 'Policies',
    icon: Scale,
    holds: (path: string) => path === links.policies(),
  },
  {
    href: links.parity(),
    label: 'Parity',
    icon: GitCompareArrows,
    holds: (path: string) => path === links.parity(),
  },
]
const SETTINGS = [
  { href: links.settings('sources'), label: 'Sources', icon: Plug },
  { href: links.settings('judgement'), label: 'Judgement', icon: Gavel },
  { href: links.settings('keys'), label: 'Keys', icon: KeyRound },
  { href: links.settings('people'), label: 'People', icon: Users },
]

const item = (current: boolean): string =>
  cn(
    'flex h-8 items-center gap-2.5 rounded px-2 text-ink-2 hover:bg-hover hover:text-ink in-data-[rail=narrow]:justify-center',
    current && 'bg-hover font-medium text-ink',
  )
const word = 'in-data-[rail=narrow]:sr-only'

/**
 * The pages, at the left; `data-late`: the text of the page is painted first (server/first-paint.ts). Folded it keeps its glyphs; its words
 * stay for screen readers and as titles.
 */
export function Rail({ path, viewer }: { path: string; viewer: Viewer }) {
  return (
    <nav
      data-late
      aria-label="Pages"
      className={cn(
        'sticky top-0 hidden h-dvh w-44 shrink-0 flex-col border-r border-line bg-sunken px-2 py-2',
        'in-data-[rail=narrow]:w-12 md:flex',
      )}
    >
      <Link
        href={links.home()}
        title="Inquest"
        className="mb-3 flex h-8 items-center gap-2.5 px-2 font-semibold in-data-[rail=narrow]:justify-center in-data-[rail=narrow]:px-0"
      >
        <Mark /> <span className={word}>Inquest</span>
      </Link>
      <ul className="space-y-0.5">
        {PAGES.map(({ href, label, icon: Icon, holds }) => (
          <li key={href}>
            <Link
              href={href}
              title={label}
              aria-current={holds(path) ? 'page' : undefined}
              className={item(holds(path))}
            >
              <Icon size={16} aria-hidden className="shrink-0" /> <span className={word}>{label}</span>
            </Link>
          </li>
        ))}
      </ul>
      <h2 className="mt-5 mb-1 px-2 text-xs font-medium text-ink-3 in-data-[rail=narrow]:sr-only">
        Settings
      </h2>
      <ul className="space-y-0.5">
        {SETTINGS.map(({ href, label, icon: Icon }) => (
          <li key={href}>
            <Link
              href={href}
              title={label}
              aria-current={path === href ? 'page' : undefined}
              className={item(path === href)}
            >
              <Icon size={16} aria-hidden className="shrink-0" /> <span className={word}>{label}</span>
            </Link>
          </li>
        ))}
      </ul>
      <div className="mt-auto space-y-1">
        {viewer.name !== '' && (
          <>
            <div className="px-2 py-1 in-data-[rail=narrow]:sr-only">
              <p className="truncate font-medium" title={viewer.email ?? undefined}>
                {viewer.name}
              </p>
              <p className="text-sm text-ink-3">{viewer.projects[0]?.role}</p>
            </div>
            <SignOut className={item(false)} wordClass={word} />
          </>
        )}
        <button
          type="button"
          onClick={() => applyRail(document.documentElement.dataset.rail !== 'narrow')}
          title="Collapse or expand the sidebar"
          className={cn(item(false), 'w-full')}
        >
          <PanelLeftClose size={16} aria-hidden className="shrink-0 in-data-[rail=narrow]:hidden" />
          <PanelLeftOpen size={16} aria-hidden className="hidden shrink-0 in-data-[rail=narrow]:block" />
          <span className={word}>Collapse</span>
        </button>
      </div>
    </nav>
  )
}

/** On a narrow screen the pages are at the bottom, in reach of the thumb. */
export function TabBar({ path }: { path: string }) {
  const tabs = [
    ...PAGES,
    {
      href: links.settings('sources'),
      label: 'Settings',
      icon: Settings,
      holds: (p: string) => SETTINGS.some(({ href }) => href === p),
    },
  ]
  return (
    <nav
      aria-label="Pages"
      className="fixed inset-x-0 bottom-0 z-30 flex h-14 border-t border-line bg-raised md:hidden"
    >
      {tabs.map(({ href, label, icon: Icon, holds }) => (
        <Link
          key={href}
          href={href}
          aria-current={holds(path) ? 'page' : undefined}
          className={cn(
            'flex flex-1 flex-col items-center justify-center gap-0.5 text-sm',
            holds(path) ? 'font-medium text-ink' : 'text-ink-2',
          )}
        >
          <Icon size={18} aria-hidden /> {label}
        </Link>
      ))}
    </nav>
  )
}
