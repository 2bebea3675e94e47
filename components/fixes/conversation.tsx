'use client'

import type { Thread } from '@/lib/fixes/threads'
import { plural } from '../shared/format'
import { Button } from '../shared/ui/button'
import { CommentForm } from './comment-form'
import { ThreadView } from './thread-view'
import type { SendComment } from './use-comments'

/** What was said of the fix as a whole, and how much stands beside its lines. */
export function Conversation({ threads, busy, mayComment, writing, onWriting, onSend }: {
  threads: readonly Thread[]; busy: boolean; mayComment: boolean; writing: boolean; onWriting: (open: boolean) => void; onSend: SendComment
}) {
  const whole = threads.filter((thread) => thread.file === null)
  const open = threads.filter((thread) => !thread.isResolved).length
  return (
    <section aria-labelledby="conversation" className="min-w-0 space-y-2 rounded border border-line bg-surface p-3">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id="conversation" className="font-semibold">Conversation</h2>
        <span className="text-ink-2">{threads.length === 0 ? 'Nothing was said yet.' : `${plural(threads.length, 'thread')}, ${open} open; ${threads.length - whole.length} beside their lines`}</span>
        {!writing && <Button className="ml-auto" why={mayComment ? null : 'Your role may read here, and not comment'} onClick={() => onWriting(true)}>Comment on the whole</Button>}
      </div>
      {whole.map((thread) => <ThreadView key={`${thread.id} ${thread.isResolved}`} thread={thread} busy={busy} mayComment={mayComment} onSend={onSend} />)}
      {writing && (
        <CommentForm
          label="Comment on the whole" lines={null} busy={busy} onLeave={() => onWriting(false)}
          onSend={(text) => {
            onSend({ text })
            onWriting(false)
          }}
        />
      )}
    </section>
  )
}
