'use client'

import { usePathname } from 'next/navigation'
import { links } from '@/lib/links'
import type { Preferences } from '../shared/preferences'
import { ShellKeys } from './shell-keys'
import { Rail, TabBar } from './rail'
import { TopBar } from './top-bar'
import type { Viewer } from './viewer'

/** The frame around every page: rail, sticky bar, main column. Sign-in is alone, without it. */
export function Shell({
  viewer,
  preferences,
  children,
}: {
  viewer: Viewer | null
  preferences: Preferences
  children: React.ReactNode
}) {
  const path = usePathname()
  if (viewer === null || path === links.signIn())
    return (
      <main id="main" className="min-h-dvh">
        {children}
      </main>
    )
  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="sr-only z-50 rounded bg-raised px-3 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <Rail path={path} viewer={viewer} />
      <div className="flex min-w-0 flex-1 flex-col pb-14 md:pb-0">
        <TopBar viewer={viewer} preferences={preferences} />
        <main id="main" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          {children}
        </main>
      </div>
      <TabBar path={path} />
      <ShellKeys preferences={preferences} viewer={viewer} />
    </div>
  )
}
