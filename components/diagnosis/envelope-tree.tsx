'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useEffect, useMemo, useRef } from 'react'
import type { Pointer } from '@/lib/model/execution'
import { links } from '@/lib/links'
import { JSON_TREE_CHARS_MAX, nodeAt, readJson } from '../raw/json-model'
import { JsonTree } from '../raw/json-tree'
import { receivedQueries } from '../raw/queries'
import { formatBytes } from '../shared/format'
import { asProblem } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { VisibleText } from '../shared/visible-text'

interface Props {
  executionId: string
  /** The whole row, in the kept bytes. */
  place: Pointer
  /** What is opened, scrolled to and highlighted; null: what is said in `opened`, without scrolling. */
  focus: string | null
  opened: string
  /** What is below the tree, once it is there. */
  below?: (text: string, tree: () => Element | null) => React.ReactNode
}

/** A row as it was kept, as a tree whose places are JSON pointers. It is read when it comes onto the page; one that is too large is not cut but named. */
export function EnvelopeTree({ executionId, place, focus, opened, below }: Props) {
  const length = place.byteEnd - place.byteStart
  const isTooLarge = length > JSON_TREE_CHARS_MAX
  const read = useQuery({
    ...receivedQueries.range(place.received, place.byteStart, place.byteEnd),
    enabled: !isTooLarge,
  })
  const text = useMemo(
    () => (read.data ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(read.data) : null),
    [read.data],
  )
  const isThere = useMemo(() => {
    const root = text === null || focus === null ? null : readJson(text)
    return root === null || nodeAt(root, focus!) !== null
  }, [text, focus])
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (focus !== null && text !== null) section.current?.scrollIntoView({ block: 'start' })
  }, [focus, text])
  return (
    <section
      ref={section}
      aria-label="Row"
      className="scroll-mt-16 overflow-hidden rounded border border-line bg-surface"
    >
      <header className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-b border-line px-4 py-2.5">
        <h3 className="font-semibold">Full row</h3>
        <span className="text-sm text-ink-2">{formatBytes(length)}, as received</span>
        <Link href={links.bytes(executionId, place)} prefetch={false} className="link ml-auto text-sm">
          View raw row
        </Link>
      </header>
      {!isThere && (
        <p role="status" className="border-b border-line bg-tint-warn px-4 py-2 text-sm">
          No{' '}
          <code className="font-mono wrap-anywhere">
            <VisibleText text={`#${focus}`} />
          </code>{' '}
          in this row.
        </p>
      )}
      {isTooLarge ? (
        <p className="px-4 py-3 text-ink-2">
          The row ({formatBytes(length)}) is too large to show as a tree (limit:{' '}
          {formatBytes(JSON_TREE_CHARS_MAX)}). View it in{' '}
          <Link href={links.bytes(executionId, place)} className="link">
            Raw
          </Link>
          .
        </p>
      ) : read.isError ? (
        <ProblemNotice compact problem={asProblem(read.error)} onRetry={() => void read.refetch()} />
      ) : text === null ? (
        <div role="group" aria-busy="true" aria-label="Loading row" className="space-y-2 p-4">
          <div className="skeleton h-4" />
          <div className="skeleton h-4 w-4/5" />
        </div>
      ) : (
        <>
          <JsonTree
            key={focus ?? ''}
            text={text}
            focus={focus ?? opened}
            fallback={<p className="px-4 py-3 text-ink-2">Not valid JSON.</p>}
          />
          {below?.(text, () => section.current)}
        </>
      )}
    </section>
  )
}
