'use client'

import { useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { useRouter } from 'next/navigation'
import { useDeferredValue, useEffect, useState } from 'react'
import type { ExecutionItem } from '@/lib/api/schemas'
import { links } from '@/lib/links'
import { executionQueries } from '../execution-data/queries'
import { cn } from '../shared/ui/cn'
import { OutcomeGlyph } from '../shared/glyphs'
import { applyTheme, THEMES } from '../shared/preferences'
import { Dialog } from '../shared/ui/dialog'
import { VisibleText } from '../shared/visible-text'
import { splitFound, targetOf } from './palette-target'
import { takeTypeAhead } from './type-ahead'

const row = 'flex h-9 cursor-pointer items-center gap-2.5 rounded px-2.5 data-[selected=true]:bg-selected'
const group = cn(
  '[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1',
  '[&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-ink-3',
)

/** Takes any id, any address of this server, words to search for, or the name of a page. */
export function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  const router = useRouter()
  const [text, setText] = useState('')
  const words = useDeferredValue(text.trim())
  const target = open ? targetOf(text, window.location.origin) : null
  const search = `q=${encodeURIComponent(words)}&limit=6`
  const found = useQuery({
    ...executionQueries.head(search),
    enabled: open && words.length >= 2 && target === null,
  })
  const { named, alike } = splitFound(found.data?.items ?? [], words)
  const [chosen, setChosen] = useState('')
  const first = named[0]?.id
  // It arrives after the search row was chosen by itself; Enter is meant for it.
  useEffect(() => {
    if (first !== undefined) setChosen(first)
  }, [first])
  const go = (address: string): void => {
    onClose()
    setText('')
    router.push(address)
  }
  const matches = (label: string): boolean => label.toLowerCase().includes(words.toLowerCase())
  const pages = [
    ['Executions', links.executions()],
    ['Failed executions', links.executions('q=outcome:failed')],
    ['Fixes', links.fixes()],
    ['Policies', links.policies()],
    ['Parity', links.parity()],
    ['Settings: sources', links.settings('sources')],
    ['Settings: judgement', links.settings('judgement')],
    ['Settings: keys', links.settings('keys')],
    ['Settings: people', links.settings('people')],
  ].filter(([label]) => matches(label!))
  const themes = THEMES.filter((theme) => matches(`theme ${theme}`))
  return (
    <Dialog open={open} onClose={onClose} title="Go to" titleHidden className="p-0">
      <Command
        shouldFilter={false}
        label="Go to an ID, URL or page"
        loop
        value={chosen}
        onValueChange={setChosen}
      >
        <Command.Input
          value={text}
          onValueChange={setText}
          onFocus={() => {
            const typed = takeTypeAhead()
            if (typed !== '') setText((before) => before + typed)
          }}
          autoFocus
          placeholder="Paste an ID or URL, or search"
          className="h-12 w-full border-b border-line bg-transparent px-4 text-md placeholder:text-ink-3 focus-visible:outline-none"
        />
        <Command.List className="max-h-[52vh] overflow-y-auto p-1.5">
          <Command.Empty className="px-3 py-6 text-center text-ink-2">
            {found.isFetching ? 'Looking…' : 'No results. Press Enter to look up an ID.'}
          </Command.Empty>
          {target !== null && (
            <Command.Item value="target" onSelect={() => go(target)} className={row}>
              Open{' '}
              <code className="min-w-0 truncate font-mono text-ink-2">
                <VisibleText text={text.trim()} />
              </code>
            </Command.Item>
          )}
          {named.map((execution) => (
            <FoundItem key={execution.id} execution={execution} onGo={go} />
          ))}
          {words.length >= 2 && target === null && (
            <Command.Item
              value="search"
              onSelect={() => go(links.executions(`q=${encodeURIComponent(words)}`))}
              className={row}
            >
              Search executions for <strong className="truncate font-medium">{words}</strong>
            </Command.Item>
          )}
          {alike.length > 0 && (
            <Command.Group heading="Executions" className={group}>
              {alike.slice(0, 6).map((execution) => (
                <FoundItem key={execution.id} execution={execution} onGo={go} />
              ))}
            </Command.Group>
          )}
          {pages.length > 0 && (
            <Command.Group heading="Pages" className={group}>
              {pages.map(([label, address]) => (
                <Command.Item key={label} value={label!} onSelect={() => go(address!)} className={row}>
                  {label}
                </Command.Item>
              ))}
            </Command.Group>
          )}
          {themes.length > 0 && (
            <Command.Group heading="Theme" className={group}>
              {themes.map((theme) => (
                <Command.Item
                  key={theme}
                  value={`theme ${theme}`}
                  className={row}
                  onSelect={() => {
                    applyTheme(theme)
                    onClose()
                  }}
                >
                  Theme: {theme}
                </Command.Item>
              ))}
            </Command.Group>
          )}
        </Command.List>
      </Command>
    </Dialog>
  )
}

const FoundItem = ({ execution, onGo }: { execution: ExecutionItem; onGo: (address: string) => void }) => (
  <Command.Item value={execution.id} onSelect={() => onGo(links.execution(execution.id))} className={row}>
    <OutcomeGlyph outcome={execution.outcome} label />
    <span className="truncate">
      <VisibleText text={execution.title ?? execution.externalId} />
    </span>
  </Command.Item>
)
