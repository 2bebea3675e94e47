'use client'

import { ChevronDown, ChevronUp } from 'lucide-react'
import { parseAsBoolean, parseAsStringLiteral, useQueryStates } from 'nuqs'
import type { DiffLayout } from '@/lib/views/fixes/drawn-lines'
import { cn } from '../shared/ui/cn'
import { formatCount } from '../shared/format'
import { useNarrow } from '../shared/use-narrow'
import { VisibleText } from '../shared/visible-text'
import type { FixFile } from '@/lib/model/fix'

/** How the diff is drawn; the address holds what is not as usual. A narrow screen has room for one column only. */
export function useDiffOptions() {
  const narrow = useNarrow()
  const [state, setState] = useQueryStates(
    {
      diff: parseAsStringLiteral(['split', 'unified'] as const).withDefault('split'),
      space: parseAsStringLiteral(['shown', 'ignored'] as const).withDefault('shown'),
      words: parseAsBoolean.withDefault(true),
    },
    { history: 'replace' },
  )
  const layout: DiffLayout = narrow ? 'unified' : state.diff
  return {
    layout,
    ignoreSpace: state.space === 'ignored',
    words: state.words,
    narrow,
    toggleLayout: () => void setState({ diff: state.diff === 'split' ? 'unified' : 'split' }),
    toggleSpace: () => void setState({ space: state.space === 'ignored' ? 'shown' : 'ignored' }),
    toggleWords: () => void setState({ words: !state.words }),
  }
}

export const choice = (on: boolean): string =>
  cn(
    'h-7 rounded border px-2 text-sm whitespace-nowrap hover:bg-hover',
    on ? 'border-accent bg-selected font-medium' : 'border-line bg-surface text-ink-2',
  )

/** Stays in sight: which file is looked at, and how the diff is drawn. */
export function DiffOptions({
  options,
  at,
  files,
  total,
  onFile,
  children,
}: {
  options: ReturnType<typeof useDiffOptions>
  at: number
  files: readonly FixFile[]
  total: number
  onFile: (by: number) => void
  children: React.ReactNode
}) {
  const file = files[at]
  return (
    <div className="sticky top-11 z-10 flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-bg py-1.5">
      <span className="flex min-w-0 flex-1 items-center gap-1">
        <button
          type="button"
          onClick={() => onFile(-1)}
          title="Previous file (K)"
          aria-label="Previous file"
          className="rounded p-1 text-ink-2 hover:bg-hover"
        >
          <ChevronUp size={16} aria-hidden />
        </button>
        <button
          type="button"
          onClick={() => onFile(1)}
          title="Next file (J)"
          aria-label="Next file"
          className="rounded p-1 text-ink-2 hover:bg-hover"
        >
          <ChevronDown size={16} aria-hidden />
        </button>
        <span className="text-sm whitespace-nowrap text-ink-2">
          {files.length === 0 ? 'No file' : `File ${formatCount(at + 1)} of ${formatCount(total)}`}
        </span>
        {file && (
          <span className="min-w-0 truncate font-mono text-sm max-md:hidden">
            <VisibleText text={file.name} />
          </span>
        )}
      </span>
      {children}
      {!options.narrow && (
        <span role="group" aria-label="Columns" className="flex gap-1">
          <button
            type="button"
            aria-pressed={options.layout === 'split'}
            onClick={() => options.layout !== 'split' && options.toggleLayout()}
            title="Split or unified (s)"
            className={choice(options.layout === 'split')}
          >
            Split
          </button>
          <button
            type="button"
            aria-pressed={options.layout === 'unified'}
            onClick={() => options.layout !== 'unified' && options.toggleLayout()}
            title="Split or unified (s)"
            className={choice(options.layout === 'unified')}
          >
            Unified
          </button>
        </span>
      )}
      <button
        type="button"
        aria-pressed={options.words}
        onClick={options.toggleWords}
        className={choice(options.words)}
      >
        Words
      </button>
      <button
        type="button"
        aria-pressed={options.ignoreSpace}
        onClick={options.toggleSpace}
        title="Ignore whitespace (w)"
        className={choice(options.ignoreSpace)}
      >
        Ignore whitespace
      </button>
    </div>
  )
}
