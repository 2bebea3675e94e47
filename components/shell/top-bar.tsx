'use client'

import { CircleHelp, Search } from 'lucide-react'
import { LiveStatus } from '../live/live-status'
import type { Preferences } from '../shared/preferences'
import { Kbd } from '../shared/ui/kbd'
import { openPanel } from './panels'
import { ProjectSwitch } from './project-switch'
import { ThemeToggle } from './theme-toggle'
import type { Viewer } from './viewer'
import { Mark } from './mark'
import { cn } from '../shared/ui/cn'

export function TopBar({ viewer, preferences }: { viewer: Viewer; preferences: Preferences }) {
  return (
    <header className="sticky top-0 z-30 flex h-11 items-center gap-2 border-b border-line bg-bg px-3 md:px-4">
      <span className="md:hidden">
        <Mark />
      </span>
      <ProjectSwitch viewer={viewer} />
      <button
        type="button"
        onClick={() => openPanel('palette')}
        aria-keyshortcuts="Control+K Meta+K"
        className={cn(
          'ml-auto flex h-8 min-w-0 items-center gap-2 rounded border border-line-strong bg-surface px-2.5',
          'text-ink-2 hover:bg-hover md:mx-auto md:w-96',
        )}
      >
        <Search size={14} aria-hidden className="shrink-0" />
        <span className="truncate max-sm:sr-only">Go to an ID, URL or page</span>
        <span className="ml-auto hidden gap-0.5 md:flex" aria-hidden>
          <Kbd>Ctrl</Kbd>
          <Kbd>K</Kbd>
        </span>
      </button>
      <LiveStatus />
      <ThemeToggle theme={preferences.theme} />
      <button
        type="button"
        onClick={() => openPanel('help')}
        title="Keyboard shortcuts and settings (?)"
        className="grid size-8 place-items-center rounded text-ink-2 hover:bg-hover"
      >
        <CircleHelp size={16} aria-hidden /> <span className="sr-only">Help</span>
      </button>
    </header>
  )
}
