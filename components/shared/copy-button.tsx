'use client'

import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { cn } from './ui/cn'

/** Copies a text and says so, also to a screen reader. Over plain http there is no clipboard API: then the text is offered to select. */
export function CopyButton({
  text,
  label,
  children,
  className,
}: {
  text: string | (() => string)
  label: string
  children?: React.ReactNode
  className?: string
}) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), 1600)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async (): Promise<void> =>
    setState((await copyText(typeof text === 'function' ? text() : text)) ? 'copied' : 'failed')
  return (
    <button
      type="button"
      onClick={copy}
      title={label}
      aria-label={children ? undefined : label}
      className={cn(
        'inline-flex items-center gap-1.5 rounded px-1.5 py-1 text-ink-2 hover:bg-hover hover:text-ink',
        className,
      )}
    >
      {state === 'copied' ? (
        <Check size={14} aria-hidden className="text-good" />
      ) : (
        <Copy size={14} aria-hidden />
      )}
      {children}
      <span role="status" className="sr-only">
        {state === 'copied' ? 'Copied' : state === 'failed' ? 'Couldn’t copy' : ''}
      </span>
    </button>
  )
}

/** True when the text is in the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // No clipboard API over plain http: the old way through a selection still works there.
    const area = document.createElement('textarea')
    area.value = text
    area.setAttribute('readonly', '')
    area.className = 'sr-only'
    document.body.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    return done
  }
}
