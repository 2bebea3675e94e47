import { VisibleText } from '../shared/visible-text'
import { cutWords, goneFiles } from './since-words'
import type { Since } from './use-since-version'

/** Above the list of files: what is no longer in the patch, and how far that was looked at. */
export function SinceNotes({ since }: { since: Since }) {
  const gone = goneFiles(since)
  const cut = cutWords(since)
  if (gone.length === 0 && cut === null) return null
  return (
    <div
      className="max-h-40 space-y-1 overflow-y-auto border-b border-line px-2 py-1.5 text-sm wrap-anywhere text-ink-2"
      tabIndex={0}
      role="group"
      aria-label={`Since version ${since.before.fix.ordinal}`}
    >
      {gone.length > 0 && (
        <p>
          Removed since version {since.before.fix.ordinal}: <VisibleText text={gone.join(', ')} />
        </p>
      )}
      {cut !== null && <p>{cut}</p>}
    </div>
  )
}
