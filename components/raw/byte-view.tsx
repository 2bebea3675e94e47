'use client'

import { useEffect, useMemo, useRef } from 'react'
import { cn } from '../shared/ui/cn'
import { formatCount } from '../shared/format'
import { VisibleText } from '../shared/visible-text'
import { splitAtRange } from './byte-text'

/** Characters drawn before and after the range; what lies beyond is counted, not dropped. */
const CONTEXT_CHARS = 6_000

/** The bytes as text, exactly, with the range that was pointed at scrolled into view. */
export function ByteView({
  bytes,
  start,
  range,
  tall,
}: {
  bytes: Uint8Array
  start: number
  range: { byteStart: number; byteEnd: number } | null
  tall: boolean
}) {
  const mark = useRef<HTMLElement>(null)
  const box = useRef<HTMLPreElement>(null)
  const pieces = useMemo(() => splitAtRange(bytes, start, range), [bytes, start, range])
  useEffect(() => {
    if (!mark.current || !box.current) return
    // Only the box scrolls: the page stays where the reader is.
    box.current.scrollTop = mark.current.offsetTop - box.current.offsetTop - box.current.clientHeight / 3
  }, [pieces])
  const markedAt = pieces.findIndex((piece) => piece.marked)
  return (
    <pre
      role="group"
      ref={box}
      tabIndex={0}
      aria-label="Exact bytes"
      className={cn(
        'relative overflow-auto bg-bg px-3 py-2 font-mono text-sm whitespace-pre-wrap',
        tall ? 'min-h-0 flex-1' : 'max-h-[32%] min-h-24 shrink-0',
      )}
    >
      {pieces.map((piece, index) =>
        piece.marked ? (
          <mark key={piece.from} ref={mark}>
            <Long text={piece.text} keep="head" />
          </mark>
        ) : (
          <span key={piece.from} className="text-ink-2">
            <Long text={piece.text} keep={markedAt >= 0 && index < markedAt ? 'tail' : 'head'} />
          </span>
        ),
      )}
    </pre>
  )
}

function Long({ text, keep }: { text: string; keep: 'head' | 'tail' }) {
  if (text.length <= CONTEXT_CHARS * 4) return <VisibleText text={text} />
  const left = text.length - CONTEXT_CHARS
  const note = (
    <span className="rounded bg-hover px-1 font-sans text-ink-3">
      {formatCount(left)} more characters in the tree and the download
    </span>
  )
  return keep === 'tail' ? (
    <>
      {note}
      <VisibleText text={text.slice(-CONTEXT_CHARS)} />
    </>
  ) : (
    <>
      <VisibleText text={text.slice(0, CONTEXT_CHARS)} />
      {note}
    </>
  )
}
