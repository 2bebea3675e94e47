'use client'

import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { links } from '@/lib/links'
import { copyText } from '../shared/copy-button'
import { useKeys } from '../shared/keys'
import type { Preferences } from '../shared/preferences'
import { useWrittenAddress } from '../shared/use-written-address'
import { say, Announcer } from './announcer'
import { copiedLink } from './copied-link'
import { onOpenPanel, openPanel, type Panel } from './panels'
import { startTypeAhead } from './type-ahead'
import type { Viewer } from './viewer'

// Neither panel is part of the first paint.
const Palette = dynamic(() => import('./palette').then((m) => m.Palette), { ssr: false })
const HelpDialog = dynamic(() => import('./help-dialog').then((m) => m.HelpDialog), { ssr: false })

/** The keys that work on every page, and the panels they open. */
export function ShellKeys({ preferences, viewer }: { preferences: Preferences; viewer: Viewer }) {
  const router = useRouter()
  const addressWritten = useWrittenAddress()
  const [panel, setPanel] = useState<Panel | null>(null)
  const [seen, setSeen] = useState<Panel[]>([])
  const open = useRef<Panel | null>(null)
  useEffect(() => void (open.current = panel), [panel])
  useEffect(
    () =>
      onOpenPanel((next) => {
        // While it is open its input hears by itself.
        if (next === 'palette' && open.current !== 'palette') startTypeAhead()
        setSeen((before) => (before.includes(next) ? before : [...before, next]))
        setPanel(next)
      }),
    [],
  )
  useKeys({
    'Mod+k': () => openPanel('palette'),
    '?': () => openPanel('help'),
    'g e': () => router.push(links.executions()),
    'g f': () => router.push(links.fixes()),
    'g i': () => router.push(links.home()),
    'g p': () => router.push(links.parity()),
    'g r': () => router.push(links.policies()),
    y: async () => {
      await addressWritten()
      const copied = await copyText(copiedLink(window.location.href, viewer.projects))
      say(copied ? 'Link copied' : 'Could not copy the link')
    },
  })
  return (
    <>
      {seen.includes('palette') && <Palette open={panel === 'palette'} onClose={() => setPanel(null)} />}
      {seen.includes('help') && (
        <HelpDialog open={panel === 'help'} onClose={() => setPanel(null)} preferences={preferences} />
      )}
      <Announcer />
    </>
  )
}
