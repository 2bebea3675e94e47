'use client'

import { CircleCheck, MessageSquare } from 'lucide-react'
import { useState } from 'react'
import type { Thread } from '@/lib/views/fixes/threads'
import { visible } from '@/lib/text/visible'
import { Time } from '../shared/time'
import { VisibleText } from '../shared/visible-text'
import { CommentForm } from './comment-form'
import { EarlierMark } from './earlier-mark'
import type { SendComment } from './use-comments'

export const lineWords = ({
  side,
  lineStart,
  lineEnd,
}: Pick<Thread, 'side' | 'lineStart' | 'lineEnd'>): string | null =>
  lineStart === null
    ? null
    : `${lineEnd === null || lineEnd === lineStart ? `line ${lineStart}` : `lines ${lineStart} to ${lineEnd}`} of the ${side ?? 'new'} file`

/** A thread of comments; a resolved one is folded to a line. */
export function ThreadView({
  thread,
  busy,
  mayComment,
  onSend,
  beside = '',
}: {
  thread: Thread
  busy: boolean
  mayComment: boolean
  onSend: SendComment
  /** What it is beside, where it is elsewhere on the page, too. */
  beside?: string
}) {
  const [open, setOpen] = useState(!thread.isResolved)
  const [replying, setReplying] = useState(false)
  const act = (kind: 'resolve' | 'reopen'): void => {
    onSend({ kind, thread: thread.id })
    setOpen(kind === 'reopen')
  }
  const where = lineWords(thread)
  // Its first words tell it from the other threads of the same place.
  const label = `Thread${where === null ? '' : ` on ${where}`}${thread.earlier === null ? '' : `, from version ${thread.version}`}${beside}: ${visible(thread.comments[0]?.text ?? 'withdrawn').slice(0, 60)}`
  const quiet = 'rounded px-1.5 py-0.5 text-sm text-ink-2 hover:bg-hover hover:text-ink'
  return (
    <section
      aria-label={label}
      className="max-w-3xl border-l-2 border-accent bg-surface px-3 py-2"
      data-thread={thread.id}
    >
      <div className="flex flex-wrap items-center gap-x-2 text-sm text-ink-2">
        {thread.isResolved ? (
          <CircleCheck size={14} aria-hidden className="text-good" />
        ) : (
          <MessageSquare size={14} aria-hidden />
        )}
        {thread.isResolved
          ? `Resolved${thread.resolvedBy === null ? '' : ` by ${thread.resolvedBy}`}`
          : 'Open'}
        {where !== null && `, on ${where}`}
        {thread.earlier !== null && <EarlierMark thread={thread} earlier={thread.earlier} />}
        {thread.isResolved && (
          <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className={quiet}>
            {open
              ? 'Collapse'
              : `Show ${thread.comments.length === 1 ? 'the comment' : `${thread.comments.length} comments`}`}
          </button>
        )}
      </div>
      {open && (
        <>
          <ul className="mt-1 space-y-2">
            {thread.comments.map((comment) => (
              <li key={comment.id}>
                <p className="flex flex-wrap items-baseline gap-x-2">
                  <strong className="font-medium">
                    <VisibleText text={comment.by} />
                  </strong>
                  <Time at={comment.at} className="text-sm text-ink-2" />
                  {comment.isMine && comment.text !== null && mayComment && (
                    <button
                      type="button"
                      disabled={busy}
                      onClick={() => onSend({ kind: 'withdraw', thread: thread.id, target: comment.id })}
                      className={quiet}
                    >
                      Withdraw
                    </button>
                  )}
                </p>
                {comment.text === null ? (
                  <p className="text-ink-2 italic">Withdrawn.</p>
                ) : (
                  <p className="whitespace-pre-wrap wrap-anywhere">
                    <VisibleText text={comment.text} />
                  </p>
                )}
              </li>
            ))}
          </ul>
          {mayComment && !replying && (
            <p className="mt-1 flex gap-1">
              <button type="button" onClick={() => setReplying(true)} className={quiet}>
                Reply
              </button>
              <button
                type="button"
                disabled={busy}
                onClick={() => act(thread.isResolved ? 'reopen' : 'resolve')}
                className={quiet}
              >
                {thread.isResolved ? 'Reopen' : 'Resolve'}
              </button>
            </p>
          )}
          {replying && (
            <CommentForm
              label="Reply"
              lines={null}
              busy={busy}
              onLeave={() => setReplying(false)}
              onSend={(text) => {
                onSend({ thread: thread.id, text })
                setReplying(false)
              }}
            />
          )}
        </>
      )}
    </section>
  )
}
