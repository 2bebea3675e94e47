import { ChevronDown, ChevronRight } from 'lucide-react'
import type { Interdiff } from '@/lib/views/fixes/interdiff'
import type { FilePair } from '@/lib/views/fixes/since-version'
import { cn } from '../shared/ui/cn'
import { VisibleText } from '../shared/visible-text'
import { Counts } from './file-block'
import { changeWords, isGenerated, statusWord } from './file-words'
import type { FixFile } from '@/lib/model/fix'

const REFUSALS = {
  unreadable: 'Could not be read completely',
  'out-of-order': 'Hunks overlap or are out of order',
  'too-long': 'Too long',
}

const doesMore = (file: FixFile): boolean =>
  file.status !== 'M' || changeWords(file).some((word) => !word.startsWith('Binary'))

const wordsOf = (version: number, file: FixFile): string =>
  [
    `Version ${version}: ${statusWord(file.status)}.`,
    ...changeWords(file).filter((word) => !word.startsWith('Binary')),
  ].join(' ')

/** What is to be said of a file beside the lines that differ, a sentence each. */
export function pairSentences(
  { now, before, what }: FilePair<FixFile>,
  numbers: { now: number; before: number },
  read: Interdiff | undefined,
): string[] {
  const sentences: string[] = []
  const missing = what === 'new' ? numbers.before : what === 'gone' ? numbers.now : null
  if (missing !== null) sentences.push(`Version ${missing} doesn’t change this file.`)
  const areAlike =
    now !== null && before !== null && now.name === before.name && wordsOf(0, now) === wordsOf(0, before)
  if (!areAlike)
    for (const [version, file] of [
      [numbers.before, before],
      [numbers.now, now],
    ] as const)
      if (file !== null && (missing === null || doesMore(file))) sentences.push(wordsOf(version, file))
  if (now?.binary || before?.binary) sentences.push('Binary file: changed, not compared.')
  if (read?.refusal)
    sentences.push(
      `${REFUSALS[read.refusal.why]} in version ${read.refusal.version === 'later' ? numbers.now : numbers.before}: not compared.`,
    )
  else if (read && read.hunks.length === 0)
    sentences.push('No lines differ. Only the header or the context lines differ.')
  if (read?.basesDiffer) sentences.push('The versions have different bases here, so lines may have moved.')
  if (read?.isCoarse)
    sentences.push('Too many lines differ in one place. Both versions are shown in full there.')
  return sentences
}

/** The head of a file that two versions make something else of. */
export function InterdiffHead({
  index,
  pair,
  numbers,
  read,
  isOpen,
  isCurrent,
  onToggle,
  onShow,
}: {
  index: number
  pair: FilePair<FixFile>
  numbers: { now: number; before: number }
  read: Interdiff | undefined
  isOpen: boolean
  isCurrent: boolean
  onToggle: () => void
  /** Shows the file among all changes; null when this version does not have it. */
  onShow: (() => void) | null
}) {
  const name = (pair.now ?? pair.before)!.name
  const rows = read?.hunks.flatMap((hunk) => hunk.rows)
  const count = (kind: string): number => rows?.filter((row) => row.kind === kind).length ?? 0
  const sentences = [
    ...pairSentences(pair, numbers, read),
    ...(!isOpen && isGenerated(name) ? ['Lock or generated file, collapsed by default.'] : []),
  ]
  return (
    <div className="pt-3">
      <div
        id={`since-file-${index + 1}`}
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
            <VisibleText text={name} />
          </h3>
        </button>
        <span className="text-sm text-ink-2">
          {pair.what === 'new'
            ? `not in version ${numbers.before}`
            : pair.what === 'gone'
              ? `only in version ${numbers.before}`
              : `changed since version ${numbers.before}`}
        </span>
        {rows !== undefined && <Counts additions={count('added')} deletions={count('deleted')} />}
        {onShow !== null && (
          <button type="button" onClick={onShow} className="link text-sm">
            In all changes
          </button>
        )}
      </div>
      {sentences.length > 0 && (
        <p
          className={cn(
            'border-x border-b border-line bg-surface px-3 py-1.5 wrap-anywhere',
            read?.refusal || read?.basesDiffer ? 'text-warn' : 'text-ink-2',
          )}
        >
          <VisibleText text={sentences.join(' ')} />
        </p>
      )}
    </div>
  )
}
