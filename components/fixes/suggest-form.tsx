'use client'

import { useState } from 'react'
import type { FileRows } from '@/lib/views/fixes/diff-rows'
import type { PatchPosition } from '@/lib/model/patch-position'
import { NOT_EDITABLE_WORDS } from '@/lib/words/selected-lines'
import { type LinesToChange, linesToChange } from '@/lib/views/fixes/lines-to-change'
import { visible } from '@/lib/text/visible'
import { ProblemNotice } from '../shared/problem-notice'
import { Button } from '../shared/ui/button'
import { inputClass } from '../shared/ui/field'
import { Kbd } from '../shared/ui/kbd'
import { VisibleText } from '../shared/visible-text'
import { say } from '../shell/announcer'
import type { SuggestionState } from './use-suggestion'
import type { MaskedLines } from './words'

const area = 'w-full rounded border border-control bg-surface px-2.5 py-1.5 text-ink'

/** Other lines in the place of some, and why. Which lines can be changed until something is written; Ctrl or Cmd with Enter sends. */
export function SuggestForm({
  file,
  name,
  rows,
  chosen,
  masked,
  sending,
  onLeave,
}: {
  /** Place of the file in the patch. */
  file: number
  name: string
  rows: FileRows
  chosen: LinesToChange
  masked: MaskedLines
  sending: SuggestionState
  onLeave: () => void
}) {
  const [at, setAt] = useState(chosen)
  const [text, setText] = useState(at.lines.join('\n'))
  const [takeOut, setTakeOut] = useState(false)
  const [reason, setReason] = useState('')
  const was = at.lines.join('\n')
  const isWritten = text !== was || takeOut
  const label = `Suggest a change to ${at.start === at.end ? `line ${at.start}` : `lines ${at.start} to ${at.end}`} of ${visible(name)}`
  const move = (lines: NonNullable<PatchPosition['lines']>): void => {
    const next = linesToChange(rows, lines, masked)
    if ('why' in next) return say(NOT_EDITABLE_WORDS[next.why])
    setAt(next)
    setText(next.lines.join('\n'))
  }
  const why = sending.busy
    ? 'Sending'
    : !isWritten
      ? 'Edit the lines first'
      : reason.trim() === ''
        ? 'Enter a reason first'
        : null
  const send = (): void => {
    if (why === null)
      sending.send({
        file,
        start: at.start,
        end: at.end,
        lines: takeOut ? [] : text.split('\n'),
        reason: reason.trim(),
      })
    else say(why)
  }
  const leave = (): void => {
    sending.reset()
    onLeave()
  }
  return (
    <form
      aria-label={label}
      className="max-w-4xl space-y-2 p-3"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !isWritten && reason === '') leave()
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
      }}
    >
      <p className="text-ink-2">
        This creates a new version proposed by you, which someone else must review. The current patch is not
        changed.
      </p>
      <textarea
        autoFocus
        aria-label="Lines of the new file"
        value={text}
        disabled={takeOut}
        spellCheck={false}
        dir="ltr"
        rows={Math.min(20, Math.max(3, text.split('\n').length + 1))}
        onChange={(event) => setText(event.target.value)}
        className={`${area} font-mono text-sm disabled:opacity-55`}
      />
      {visible(text) !== text && (
        <p className="text-sm text-warn">
          With invisible characters:{' '}
          <code className="block font-mono whitespace-pre-wrap wrap-anywhere text-ink">
            <VisibleText text={text} />
          </code>
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-2">
        <fieldset
          disabled={isWritten}
          className="flex flex-wrap items-center gap-2 disabled:opacity-55"
          title={isWritten ? 'Selection is locked while you edit' : undefined}
        >
          <legend className="sr-only">Lines</legend>
          {(['start', 'end'] as const).map((which) => (
            <label key={which} className="flex items-center gap-1">
              {which === 'start' ? 'from line' : 'to'}
              <input
                type="number"
                min={1}
                value={at[which]}
                className={`${inputClass} !w-20`}
                onChange={(event) => {
                  const line = Math.max(1, Math.trunc(Number(event.target.value)) || 1)
                  move({
                    side: 'new',
                    start: which === 'start' ? line : Math.min(at.start, line),
                    end: which === 'end' ? line : Math.max(at.end, line),
                  })
                }}
              />
            </label>
          ))}
        </fieldset>
        <label className="flex items-center gap-1.5">
          <input
            type="checkbox"
            checked={takeOut}
            onChange={(event) => setTakeOut(event.target.checked)}
            className="accent-(--accent)"
          />{' '}
          Delete the lines
        </label>
      </div>
      <label className="block space-y-1">
        <span className="block font-medium">Why is this better?</span>
        <textarea
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          rows={2}
          maxLength={20_000}
          className={area}
        />
      </label>
      {sending.problem !== null && <ProblemNotice compact problem={sending.problem} />}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <span className="text-sm text-ink-2 max-md:hidden">
          <Kbd>Ctrl/Cmd Enter</Kbd>
        </span>
        <Button kind="quiet" onClick={leave}>
          Cancel
        </Button>
        <Button kind="main" type="submit" why={why}>
          Propose this version
        </Button>
      </div>
    </form>
  )
}
