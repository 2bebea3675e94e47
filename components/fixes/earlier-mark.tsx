import Link from 'next/link'
import type { EarlierPlace } from '@/lib/views/fixes/kept-lines'
import type { Thread } from '@/lib/views/fixes/threads'
import { links } from '@/lib/links'
import { VisibleText } from '../shared/visible-text'
import { LineText } from './line-text'

const STANDINGS: Record<EarlierPlace['standing'], string> = {
  kept: ' kept',
  outdated: '',
  reading: ' searching…',
  unread: ' could not be loaded',
  whole: '',
}

/** What a thread is about, in the number that it has. */
export const placeWord = (at: EarlierPlace['at']): string =>
  at === null || at.lines === null ? 'file' : at.lines.end > at.lines.start ? 'lines' : 'line'

/** Which version a thread was opened on, and what became of its place; of one that is outdated the lines as they were. */
export function EarlierMark({
  thread,
  earlier: { at, standing, quote },
}: {
  thread: Thread
  earlier: EarlierPlace
}) {
  return (
    <>
      {standing === 'outdated' && (
        <span className="rounded-sm border border-warn px-1 text-warn">outdated</span>
      )}
      <span>
        <Link href={links.fix(thread.fix, { place: at })} className="link">
          on version {thread.version}
        </Link>
        {STANDINGS[standing] !== '' && `, ${placeWord(at)}${STANDINGS[standing]}`}
      </span>
      {standing !== 'kept' && thread.path !== null && (
        <code className="font-mono wrap-anywhere">
          <VisibleText text={thread.path} />
        </code>
      )}
      {standing !== 'kept' && quote.length > 0 && (
        <blockquote
          className="fix-diff mt-1 max-h-40 basis-full overflow-y-auto border-l-2 border-line-strong bg-sunken py-0.5"
          aria-label={`Lines of version ${thread.version}`}
          tabIndex={0}
        >
          {quote.map(({ row, isMasked, isHidden }) => (
            <div key={row.line} className="diff-code">
              <LineText
                row={row}
                partner={null}
                colours={[]}
                isMasked={isMasked}
                isHidden={isHidden}
                words={false}
              />
            </div>
          ))}
        </blockquote>
      )}
    </>
  )
}
