import { ChevronDown, ChevronRight } from 'lucide-react'
import { cn } from '../shared/ui/cn'
import { formatCount } from '../shared/format'
import { VisibleText } from '../shared/visible-text'
import { changeWords, isGenerated, statusWord } from './file-words'
import { FlagNote } from './flag-note'
import { Reasons } from './hunk-head'
import type { FixFile, FixFlag, FixReason } from '@/lib/model/fix'

/** Lines added and deleted, also for ears. */
export const Counts = ({ additions, deletions }: { additions: number | null; deletions: number | null }) => (
  <span className="font-mono text-sm whitespace-nowrap">
    {additions === null || deletions === null ? (
      <span className="text-ink-2">binary</span>
    ) : (
      <>
        <span className="text-good">
          <span aria-hidden>+</span>
          {formatCount(additions)}
          <span className="sr-only"> lines added</span>
        </span>{' '}
        <span className="text-bad">
          <span aria-hidden>−</span>
          {formatCount(deletions)}
          <span className="sr-only"> lines deleted</span>
        </span>
      </>
    )}
  </span>
)

/** The head of a file: its name, what happens to it beside its lines, and flags that point at no line of it. */
export function FileBlock({
  file,
  isOpen,
  isCurrent,
  isViewed,
  isPlain,
  since,
  why,
  flags,
  onToggle,
  onViewed,
  children,
}: {
  file: FixFile
  isOpen: boolean
  isCurrent: boolean
  isViewed: boolean
  /** Its colours could not be made. */
  isPlain: boolean
  /** What became of it since the version before, in words. */
  since: string | null
  /** Why it is changed, as far as that is said of the file; null: nothing is said of any part of it. */
  why: readonly FixReason[] | null
  flags: readonly FixFlag[]
  onToggle: () => void
  onViewed: (viewed: boolean) => void
  /** Threads about the whole file. */
  children: React.ReactNode
}) {
  const words = changeWords(file)
  const id = `file-${file.ordinal + 1}`
  return (
    <div className="pt-3">
      <div
        id={id}
        tabIndex={-1}
        className={cn(
          'flex flex-wrap items-center gap-x-3 gap-y-1 rounded-t border border-line bg-sunken px-2 py-1.5',
          isCurrent && 'border-l-2 border-l-accent',
        )}
      >
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex min-w-0 flex-1 items-center gap-1.5 rounded text-left hover:bg-hover max-md:basis-full"
        >
          {isOpen ? (
            <ChevronDown size={16} aria-hidden className="shrink-0" />
          ) : (
            <ChevronRight size={16} aria-hidden className="shrink-0" />
          )}
          <h3 className="min-w-0 font-mono text-sm font-medium wrap-anywhere">
            <VisibleText text={file.name} />
          </h3>
        </button>
        <span className="text-sm text-ink-2">{statusWord(file.status)}</span>
        {since !== null && <span className="text-sm text-ink-2">{since}</span>}
        {why === null && (
          <span className="text-sm text-ink-2" title="No reason given for this file">
            no reason given
          </span>
        )}
        {isPlain && (
          <span className="text-sm text-ink-2" title="Syntax highlighting failed">
            no highlighting
          </span>
        )}
        {file.nameBase64 !== null && (
          <span className="text-sm text-warn" title={`File name in base64: ${file.nameBase64}`}>
            name is not UTF-8
          </span>
        )}
        {(file.binary || file.hunks > 0) && <Counts additions={file.additions} deletions={file.deletions} />}
        <label className="flex items-center gap-1.5 text-sm">
          <input
            type="checkbox"
            checked={isViewed}
            onChange={(event) => onViewed(event.target.checked)}
            className="accent-(--accent)"
          />{' '}
          Viewed
        </label>
      </div>
      {(words.length > 0 || (!isOpen && isGenerated(file.name))) && (
        <p className="border-x border-b border-line bg-surface px-3 py-1.5 text-ink-2 wrap-anywhere">
          <VisibleText text={words.join(' ')} />
          {!isOpen && isGenerated(file.name) && ' Lock or generated file, collapsed by default.'}
        </p>
      )}
      {why !== null && why.length > 0 && (
        <div className="border-x border-b border-line bg-surface">
          <Reasons reasons={why} />
        </div>
      )}
      {flags.map((flag, index) => (
        <FlagNote key={index} flag={flag} />
      ))}
      {children}
    </div>
  )
}
