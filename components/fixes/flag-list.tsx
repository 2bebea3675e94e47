import { formatCount, plural } from '../shared/format'
import { VisibleText } from '../shared/visible-text'
import { FlagWeight } from './flag-note'
import type { FixDetail, FixFlag } from '@/lib/model/fix'

const SHOWN = 8

/** What rules found, what blocks first; each leads to its lines. */
export function FlagList({
  fix,
  flags,
  onMore,
  onGo,
}: {
  fix: FixDetail
  flags: readonly FixFlag[]
  onMore: (() => void) | null
  onGo: (flag: FixFlag) => void
}) {
  const nameOf = (flag: FixFlag): string | null =>
    fix.files.find((file) => file.ordinal === flag.file)?.name ?? null
  const item = (flag: FixFlag, index: number) => {
    const name = nameOf(flag)
    return (
      <li key={index} className="py-1.5">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <FlagWeight weight={flag.weight} />
          <span className="min-w-0 wrap-anywhere">
            <VisibleText text={flag.sentence} />
          </span>
          {flag.detail !== null && (
            <span className="min-w-0 text-ink-2 wrap-anywhere">
              <VisibleText text={flag.detail} />
            </span>
          )}
        </p>
        <p className="flex flex-wrap gap-x-3 text-sm text-ink-2">
          <code className="font-mono">{flag.code}</code>
          {flag.file !== null && (
            <button type="button" onClick={() => onGo(flag)} className="link min-w-0 text-left wrap-anywhere">
              {name === null ? `file ${formatCount(flag.file + 1)}` : <VisibleText text={name} />}
              {flag.lines !== null && `, line ${formatCount(flag.lines.start)} of the patch`}
            </button>
          )}
        </p>
      </li>
    )
  }
  return (
    <section aria-labelledby="flags" className="min-w-0 rounded border border-line bg-surface p-3">
      <h2 id="flags" className="flex flex-wrap items-baseline gap-x-3 font-semibold">
        Flags{' '}
        <span className="font-normal text-ink-2">
          {fix.flagsTotal === 0 ? 'none' : formatCount(fix.flagsTotal)}
        </span>
      </h2>
      {fix.flagsTotal === 0 && <p className="mt-1 text-ink-2">No flags. The patch may still be wrong.</p>}
      <ul className="divide-y divide-line">{flags.slice(0, SHOWN).map(item)}</ul>
      {flags.length > SHOWN && (
        <details>
          <summary className="link">{plural(flags.length - SHOWN, 'more flag')}</summary>
          <ul className="max-h-96 divide-y divide-line overflow-auto" tabIndex={0} aria-label="More flags">
            {flags.slice(SHOWN).map(item)}
          </ul>
        </details>
      )}
      {onMore !== null && (
        <p className="text-sm text-ink-2">
          The first {formatCount(flags.length)} of {formatCount(fix.flagsTotal)} are listed.{' '}
          <button type="button" onClick={onMore} className="link">
            Read more
          </button>
        </p>
      )}
    </section>
  )
}
