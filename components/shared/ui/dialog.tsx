'use client'

import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { cn } from './cn'

/** A modal with a title; Escape, the backdrop and the cross close it, and focus goes back to where it came from. */
export function Dialog({
  open,
  onClose,
  title,
  titleHidden = false,
  children,
  className,
}: {
  open: boolean
  onClose: () => void
  title: string
  titleHidden?: boolean
  children: React.ReactNode
  className?: string
}) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop
          className={cn(
            'fixed inset-0 z-40 bg-[rgb(20_16_8/0.4)] transition-opacity duration-[120ms]',
            'data-ending-style:opacity-0 data-starting-style:opacity-0',
          )}
        />
        <Base.Popup
          className={cn(
            'fixed top-[12vh] left-1/2 z-50 max-h-[76vh] w-[min(40rem,calc(100vw-2rem))] -translate-x-1/2 overflow-auto',
            'rounded border border-line',
            'bg-raised text-ink shadow-float transition-opacity duration-[120ms] data-ending-style:opacity-0 data-starting-style:opacity-0',
            className,
          )}
        >
          <div
            className={
              titleHidden
                ? 'sr-only'
                : 'sticky top-0 flex items-center justify-between gap-3 border-b border-line bg-raised px-4 py-2.5'
            }
          >
            <Base.Title className="text-md font-semibold">{title}</Base.Title>
            <Base.Close aria-label="Close" className="rounded p-1 text-ink-2 hover:bg-hover">
              <X size={16} aria-hidden />
            </Base.Close>
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
