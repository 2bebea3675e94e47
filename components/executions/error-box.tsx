'use client'

import { useEffect, useRef, useState } from 'react'
import { decisiveLine } from '@/lib/text/decisive-line'
import { cn } from '../shared/ui/cn'
import { formatCount, plural } from '../shared/format'
import { VisibleText } from '../shared/visible-text'

/** The error text of a call in a box of whole lines that scrolls. Below it is the number of lines that do not fit. */
export function ErrorBox({ text, low }: { text: string | null; low: boolean }) {
  const box = useRef<HTMLPreElement>(null)
  const hidden = useLinesHidden(box)
  return (
    <>
      <pre
        role="group"
        ref={box}
        tabIndex={0}
        aria-label="Error text"
        className={cn(
          'min-h-14 flex-1 overflow-auto px-4 py-2.5 font-mono text-sm whitespace-pre-wrap',
          // The padding above and whole lines: half a line at the edge could be taken for the end.
          low ? 'max-h-[calc(0.625rem+5lh)]' : 'max-h-[calc(0.625rem+8lh)]',
        )}
      >
        <span className="block">
          {text ? <ErrorText text={text} /> : <span className="text-ink-3">No error text.</span>}
        </span>
      </pre>
      {hidden > 0 && (
        <p className="border-t border-line bg-sunken px-4 py-0.5 text-sm text-ink-2">
          … {plural(hidden, 'more line')}
        </p>
      )}
    </>
  )
}

/** How many lines, as they are wrapped, do not fit into the box. */
function useLinesHidden(box: React.RefObject<HTMLPreElement | null>): number {
  const [hidden, setHidden] = useState(0)
  useEffect(() => {
    const pre = box.current!
    const watch = new ResizeObserver(() => {
      const { lineHeight, paddingBottom } = getComputedStyle(pre)
      const beyond = pre.scrollHeight - parseFloat(paddingBottom) - pre.clientHeight
      setHidden(Math.max(0, Math.round(beyond / parseFloat(lineHeight))))
    })
    // The text too: a fold that opens makes it longer, and the box stays as high as it may be.
    for (const part of [pre, pre.firstElementChild!]) watch.observe(part)
    return () => watch.disconnect()
  }, [box])
  return hidden
}

/** Lines of context that stay above the line that says why. */
const LINES_BEFORE = 2

/** The text, opened near the line that says why: what a program printed before it is folded, and the fold says how much it holds. */
function ErrorText({ text }: { text: string }) {
  const decisive = decisiveLine(text)
  const before = decisive === null ? [] : text.slice(0, decisive.start).split('\n').slice(0, -1)
  const folded = before.length - LINES_BEFORE
  if (folded < 4) return <VisibleText text={text} />
  const head = before.slice(0, folded).join('\n')
  return (
    <>
      <details>
        <summary className="link cursor-pointer font-sans">{formatCount(folded)} lines before</summary>
        <VisibleText text={head} />
      </details>
      <VisibleText text={text.slice(head.length + 1)} />
    </>
  )
}
