import { type ComponentProps, useId } from 'react'
import { cn } from './cn'

export const inputClass =
  'h-8 w-full min-w-0 rounded border border-control bg-surface px-2.5 text-ink placeholder:text-ink-3'

/** A labelled input with its hint and its error tied to it. */
export function Field({
  label,
  hint,
  error,
  className,
  ...input
}: ComponentProps<'input'> & { label: string; hint?: string; error?: string | null }) {
  const id = useId()
  const noteId = `${id}-note`
  const note = error ?? hint
  return (
    <div className={cn('space-y-1', className)}>
      <label htmlFor={id} className="block font-medium">
        {label}
      </label>
      <input
        id={id}
        {...input}
        className={inputClass}
        aria-invalid={error ? true : undefined}
        aria-describedby={note ? noteId : undefined}
      />
      {note && (
        <p id={noteId} className={cn('text-sm', error ? 'text-bad' : 'text-ink-3')}>
          {note}
        </p>
      )}
    </div>
  )
}
