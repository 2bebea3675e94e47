import { Check, CircleDashed, Download, type LucideIcon, Pause, TriangleAlert } from 'lucide-react'
import type { ConnectionCheck, ConnectionItem } from '@/lib/api/connection-schemas'
import { plural } from '../shared/format'

/** The state of a connection as a word and a sign, so that colour alone does not carry it. */
export const STATES: Record<ConnectionItem['state'], { word: string; icon: LucideIcon; className: string }> =
  {
    paused: { word: 'Paused', icon: Pause, className: 'text-ink-3' },
    failing: { word: 'Failing', icon: TriangleAlert, className: 'text-bad' },
    new: { word: 'Not polled yet', icon: CircleDashed, className: 'text-ink-3' },
    fetching: { word: 'Fetching executions', icon: Download, className: 'text-ink' },
    up_to_date: { word: 'Up to date', icon: Check, className: 'text-good' },
  }

/** How much of its server is here. */
export function executionsWords({ known, open, untaken }: ConnectionItem['executions']): string {
  if (known === 0) return 'No executions yet'
  const parts = [plural(known, 'execution')]
  if (untaken > 0) parts.push(`${untaken} to fetch`)
  if (open > untaken) parts.push(`${open - untaken} unfinished`)
  return parts.join(', ')
}

const DIALECTS = { python: 'NoETL’s Python server', rust: 'NoETL’s Rust server' }

/** What came of asking once. */
export function checkWords({ ok, dialect, executions, failure }: ConnectionCheck): string {
  if (!ok) return failure?.text ?? 'The server could not be reached.'
  if (executions === 0) return 'Connected. The server has no executions yet.'
  return `Connected${dialect === null ? '' : ` to ${DIALECTS[dialect]}`}. Its first page lists ${plural(executions ?? 0, 'execution')}.`
}

/** Seconds between polls, in words. */
export const intervalWords = (seconds: number): string =>
  seconds % 3600 === 0
    ? `every ${plural(seconds / 3600, 'hour')}`
    : seconds % 60 === 0
      ? `every ${plural(seconds / 60, 'minute')}`
      : `every ${plural(seconds, 'second')}`
