import { ChevronDown, ChevronRight, TriangleAlert } from 'lucide-react'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { useState } from 'react'
import type { ChangeItem } from '@/lib/api/change-schemas'
import { links } from '@/lib/links'
import { Counts } from '../fixes/file-block'
import { Time } from '../shared/time'
import { VisibleText } from '../shared/visible-text'
import { fitSentence, isDoubtful, whenWords } from './words'

// The library that draws lines is large, and asked for by who opens one.
const ChangeLines = dynamic(() => import('./change-lines').then((m) => m.ChangeLines))

/** A change in the list; its lines are read when it is opened. */
export function ChangeRow({ executionId, change }: { executionId: string; change: ChangeItem }) {
  const [isOpen, setOpen] = useState(false)
  const Arrow = isOpen ? ChevronDown : ChevronRight
  return (
    <li className="border-b border-line">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2">
        <button
          type="button"
          data-row
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="flex min-w-0 flex-1 items-center gap-1.5 rounded text-left hover:bg-hover max-md:basis-full"
        >
          <Arrow size={16} aria-hidden className="shrink-0" />
          <span className="min-w-0 font-mono text-sm font-medium wrap-anywhere">
            {change.name === '' ? 'a file' : <VisibleText text={change.name} />}
          </span>
        </button>
        {isDoubtful(change) && (
          <span className="inline-flex items-center gap-1 text-sm font-medium text-warn">
            <TriangleAlert size={14} aria-hidden className="shrink-0" /> {DOUBTS[change.fit]}
          </span>
        )}
        {change.fit === 'created' && <span className="text-sm text-ink-2">new file</span>}
        {change.fit !== 'too-large' && <Counts additions={change.additions} deletions={change.deletions} />}
        <span className="text-sm text-ink-2">{whenWords(change)}</span>
        <Link href={links.execution(executionId, 'calls', { call: change.callId })} className="link text-sm">
          <VisibleText text={change.tool} />, call {change.ordinal + 1}
        </Link>
        {change.at !== null && (
          <span className="text-sm text-ink-2">
            <Time at={change.at} />
          </span>
        )}
      </div>
      {isOpen && (
        <div className="border-t border-line px-3 py-2">
          <p className="text-ink-2">{fitSentence(change.fit)}</p>
          <ChangeLines executionId={executionId} change={change} />
        </div>
      )}
    </li>
  )
}

const DOUBTS: Record<string, string> = {
  'no-original': 'previous file not recorded',
  'does-not-fit': 'does not match its file',
  'too-large': 'too large to show',
}
