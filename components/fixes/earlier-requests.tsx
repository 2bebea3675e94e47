'use client'

import { CircleCheck, MessageSquare, PencilLine } from 'lucide-react'
import Link from 'next/link'
import type { DiffSide, PatchPosition } from '@/lib/model/patch-position'
import { earlierVersions } from '@/lib/views/fixes/since-version'
import type { Thread } from '@/lib/views/fixes/threads'
import { links } from '@/lib/links'
import { Time } from '../shared/time'
import { VisibleText } from '../shared/visible-text'
import { placeWord } from './earlier-mark'
import { lineWords, ThreadView } from './thread-view'
import type { SendComment } from './use-comments'
import type { FixDetail } from '@/lib/model/fix'

/** What reviewers asked for on earlier versions, and what was said there: what still has its line is named with it, the rest stands here. */
export function EarlierRequests({
  fix,
  threads,
  busy,
  mayComment,
  onSend,
  onGo,
}: {
  fix: FixDetail
  threads: readonly Thread[]
  busy: boolean
  mayComment: boolean
  onSend: SendComment
  onGo: (place: PatchPosition) => void
}) {
  const versions = earlierVersions(fix).toReversed()
  const earlier = threads.filter((thread) => thread.earlier !== null)
  const requests = versions.flatMap(({ id, ordinal, requests: list }) =>
    list.map((request) => ({ id, ordinal, ...request })),
  )
  if (earlier.length === 0 && requests.length === 0) return null
  return (
    <section aria-labelledby="earlier" className="space-y-2 border-t border-line pt-2">
      <h3 id="earlier" className="font-medium">
        On earlier versions
      </h3>
      {requests.map(({ id, ordinal, by, at, comment }) => (
        <div key={`${id} ${at}`} className="max-w-3xl border-l-2 border-warn px-3 py-1">
          <p className="flex flex-wrap items-center gap-x-2 text-sm text-ink-2">
            <PencilLine size={14} aria-hidden className="text-warn" />
            <span>
              <strong className="font-medium text-ink">
                <VisibleText text={by} />
              </strong>{' '}
              asked for changes{' '}
              <Link href={links.fix(id)} className="link">
                of version {ordinal}
              </Link>
            </span>
            <Time at={at} />
          </p>
          <p className="whitespace-pre-wrap wrap-anywhere">
            <VisibleText text={comment} />
          </p>
        </div>
      ))}
      {earlier.map((thread) =>
        thread.earlier?.standing === 'kept' ? (
          <KeptThread key={thread.id} thread={thread} onGo={onGo} />
        ) : (
          <ThreadView
            key={`${thread.id} ${thread.isResolved}`}
            thread={thread}
            busy={busy}
            mayComment={mayComment}
            onSend={onSend}
          />
        ),
      )}
    </section>
  )
}

/** A thread that is at its line below. */
function KeptThread({ thread, onGo }: { thread: Thread; onGo: (place: PatchPosition) => void }) {
  const {
    file,
    side,
    lineStart,
    lineEnd,
    comments: [first],
  } = thread
  if (file === null) return null
  const place = {
    file,
    lines:
      lineStart === null
        ? null
        : { side: (side ?? 'new') as DiffSide, start: lineStart, end: lineEnd ?? lineStart },
  }
  return (
    <p className="flex max-w-3xl flex-wrap items-center gap-x-2 border-l-2 border-line-strong px-3 py-1 text-sm text-ink-2">
      {thread.isResolved ? (
        <CircleCheck size={14} aria-hidden className="text-good" />
      ) : (
        <MessageSquare size={14} aria-hidden />
      )}
      {thread.isResolved ? 'Resolved' : 'Open'}, on version {thread.version}, {placeWord(place)} kept:{' '}
      <button type="button" onClick={() => onGo(place)} className="link text-left wrap-anywhere">
        {[lineWords(thread), thread.path].filter((word) => word !== null).join(', ')}
      </button>
      {first && first.text !== null && (
        <span className="line-clamp-1 min-w-0 basis-full text-ink">
          <VisibleText text={first.text} />
        </span>
      )}
    </p>
  )
}
