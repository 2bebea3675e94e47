'use client'

import { CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react'
import Link from 'next/link'
import type { Pointer } from '@/lib/model/execution'
import { links } from '@/lib/links'
import { failedControlWords, KIND_WORDS, placeWord } from '@/lib/words/parity'
import { usePageParity } from '../parity/use-page-parity'
import { plural } from '../shared/format'
import { VisibleText } from '../shared/visible-text'

interface Props {
  executionId: string
  version: number
  /** The row that the tree shows, and its text as this page holds it. */
  place: Pointer
  text: string
  tree: () => Element | null
}

const DOCUMENTS = ['detail', 'diagnosis'] as const
const NAMED_MAX = 3

/** Whether this page shows what is stored: what it holds, and what is in its tree, is held against the same read anew. */
export function ShownAsStored({ executionId, version, place, text, tree }: Props) {
  const { data, isError, isFetching, refetch } = usePageParity(version, {
    executionId,
    documents: DOCUMENTS,
    row: { received: place.received, start: place.byteStart, end: place.byteEnd, text },
    tree,
  })
  const differences = data?.transitions.flatMap((one) => one.differences) ?? []
  const parity = (
    <Link href={links.execution(executionId, 'parity')} className="link">
      Parity
    </Link>
  )
  return (
    <p
      role="status"
      aria-busy={isFetching}
      className="flex flex-wrap items-center gap-x-2 gap-y-1 border-t border-line px-4 py-2 text-sm text-ink-2"
    >
      {data !== undefined && data.failedControls.length > 0 ? (
        <>
          <TriangleAlert size={14} aria-hidden className="text-bad" />{' '}
          <span className="font-medium text-bad">
            Unreliable: the comparison in this browser failed its self-test
          </span>{' '}
          ({failedControlWords(data.failedControls)})
        </>
      ) : isError || data?.verdict === 'unknown' ? (
        <>
          <CircleDashed size={14} aria-hidden className="text-none" /> Unknown if this page matches stored
          data. Compare in {parity}
        </>
      ) : data === undefined ? (
        'Comparing this page with stored data'
      ) : data.verdict === 'equal' ? (
        <>
          <CircleCheck size={14} aria-hidden className="shrink-0 text-good" />{' '}
          <span className="min-w-0 flex-1">
            This page matches stored data: {plural(data.values, 'value')} and{' '}
            {plural(data.nodes, 'displayed text')} compared
          </span>
        </>
      ) : (
        <>
          <TriangleAlert size={14} aria-hidden className="text-bad" />{' '}
          <span className="font-medium text-bad">This page differs from stored data</span>
          {differences.slice(0, NAMED_MAX).map(({ path, kind }) => (
            <span key={`${kind} ${path}`}>
              {KIND_WORDS[kind]} at{' '}
              <code className="font-mono wrap-anywhere">
                <VisibleText text={placeWord(path)} />
              </code>
            </span>
          ))}
          {differences.length > NAMED_MAX && (
            <span>and {plural(differences.length - NAMED_MAX, 'other place')}</span>
          )}
          <span>See {parity}, or reload the page</span>
        </>
      )}
      {!isFetching && (
        <button type="button" className="link ml-auto" onClick={() => void refetch()}>
          Compare again
        </button>
      )}
    </p>
  )
}
