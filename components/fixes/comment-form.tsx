'use client'

import { useState } from 'react'
import type { DiffSide } from '@/lib/model/patch-position'
import { Button } from '../shared/ui/button'
import { inputClass } from '../shared/ui/field'
import { Kbd } from '../shared/ui/kbd'

export interface CommentLines {
  side: DiffSide
  start: number
  end: number
}

/** Takes a comment; on lines, these can be changed by keyboard. Ctrl or Cmd with Enter sends, Escape leaves. */
export function CommentForm({
  label,
  lines,
  busy,
  onSend,
  onLeave,
}: {
  label: string
  /** Null: not on lines. */
  lines: CommentLines | null
  busy: boolean
  onSend: (text: string, lines: CommentLines | null) => void
  onLeave: () => void
}) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(lines)
  const line = (value: string): number =>
    Math.max(1, Math.min(Number.MAX_SAFE_INTEGER, Math.trunc(Number(value)) || 1))
  const send = (): void => {
    if (text.trim() !== '' && !busy)
      onSend(text, at && { ...at, start: Math.min(at.start, at.end), end: Math.max(at.start, at.end) })
  }
  return (
    <form
      aria-label={label}
      className="max-w-3xl space-y-2 p-3"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onLeave()
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
      }}
    >
      <textarea
        autoFocus
        aria-label={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        rows={3}
        maxLength={20_000}
        className="w-full rounded border border-control bg-surface px-2.5 py-1.5 text-ink"
      />
      <div className="flex flex-wrap items-center gap-2">
        {at !== null && (
          <fieldset className="flex flex-wrap items-center gap-2 text-sm text-ink-2">
            <legend className="sr-only">Lines</legend>
            <label className="flex items-center gap-1">
              from line{' '}
              <input
                type="number"
                min={1}
                value={at.start}
                onChange={(event) => setAt({ ...at, start: line(event.target.value) })}
                className={`${inputClass} !w-20`}
              />
            </label>
            <label className="flex items-center gap-1">
              to{' '}
              <input
                type="number"
                min={1}
                value={at.end}
                onChange={(event) => setAt({ ...at, end: line(event.target.value) })}
                className={`${inputClass} !w-20`}
              />
            </label>
            <label className="flex items-center gap-1">
              of the
              <select
                value={at.side}
                onChange={(event) => setAt({ ...at, side: event.target.value === 'old' ? 'old' : 'new' })}
                className={`${inputClass} !w-auto`}
              >
                <option value="new">new</option>
                <option value="old">old</option>
              </select>{' '}
              file
            </label>
          </fieldset>
        )}
        <span className="ml-auto flex items-center gap-2">
          <span className="text-sm text-ink-2 max-md:hidden">
            <Kbd>Ctrl/Cmd Enter</Kbd>
          </span>
          <Button kind="quiet" onClick={onLeave}>
            Cancel
          </Button>
          <Button
            kind="main"
            type="submit"
            why={text.trim() === '' ? 'Write something first' : busy ? 'Sending' : null}
          >
            Comment
          </Button>
        </span>
      </div>
    </form>
  )
}
