'use client'

import type { Thread } from '@/lib/views/fixes/threads'
import { plural } from '../shared/format'
import { Button } from '../shared/ui/button'
import { CommentForm } from './comment-form'
import { ThreadView } from './thread-view'
import type { SendComment } from './use-comments'

/** What was said of the fix as a whole, and how much is beside its lines. */
export function Conversation({
  threads,
  busy,
  mayComment,
  writing,
  onWriting,
  onSend,
  children,
}: {
  threads: readonly Thread[]
  busy: boolean
  mayComment: boolean
  writing: boolean
  onWriting: (open: boolean) => void
  onSend: SendComment
  /** What was asked for on earlier versions. */
  children: React.ReactNode
}) {
  const own = threads.filter((thread) => thread.earlier === null)
  const whole = own.filter((thread) => thread.file === null)
  const open = own.filter((thread) => !thread.isResolved).length
  return (
    <section
      aria-labelledby="conversation"
      className="min-w-0 space-y-2 rounded border border-line bg-surface p-3"
    >
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id="conversation" className="font-semibold">
          Conversation
        </h2>
        <span className="text-ink-2">
          {own.length === 0
            ? `No comments${threads.length > 0 ? ' of this version' : ''} yet.`
            : `${plural(own.length, 'thread')}, ${open} open; ${own.length - whole.length} beside their lines`}
        </span>
        {!writing && (
          <Button
            className="ml-auto"
            why={mayComment ? null : 'Your role can’t comment'}
            onClick={() => onWriting(true)}
          >
            Comment on the fix
          </Button>
        )}
      </div>
      {children}
      {whole.map((thread) => (
        <ThreadView
          key={`${thread.id} ${thread.isResolved}`}
          thread={thread}
          busy={busy}
          mayComment={mayComment}
          onSend={onSend}
        />
      ))}
      {writing && (
        <CommentForm
          label="Comment on the fix"
          lines={null}
          busy={busy}
          onLeave={() => onWriting(false)}
          onSend={(text) => {
            onSend({ text })
            onWriting(false)
          }}
        />
      )}
    </section>
  )
}
