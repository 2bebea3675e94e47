'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Pointer } from '@/lib/model/execution'
import { asProblem } from '../shared/get-json'
import { formatBytes } from '../shared/format'
import { ProblemNotice } from '../shared/problem-notice'
import { VisibleText } from '../shared/visible-text'
import { JsonTree } from './json-tree'
import { receivedQueries } from './queries'

const FIRST_BYTES = 256 * 1024

/** The bytes a pointer names, read when they are shown: as a tree when they are JSON, else as text. A part is never taken for the whole. */
export function Payload({ pointer, className }: { pointer: Pointer; className?: string }) {
  const length = pointer.byteEnd - pointer.byteStart
  const [whole, setWhole] = useState(length <= FIRST_BYTES)
  const end = whole ? pointer.byteEnd : pointer.byteStart + FIRST_BYTES
  const bytes = useQuery(receivedQueries.range(pointer.received, pointer.byteStart, end))
  if (bytes.isError)
    return <ProblemNotice compact problem={asProblem(bytes.error)} onRetry={() => void bytes.refetch()} />
  if (!bytes.data)
    return (
      <div role="group" aria-busy="true" aria-label="Reading the bytes" className="space-y-1.5 p-3">
        <div className="skeleton h-4 w-4/5" />
        <div className="skeleton h-4 w-3/5" />
      </div>
    )
  const text = new TextDecoder().decode(bytes.data)
  return (
    <div className={className}>
      {whole ? (
        <JsonTree key={text.length} text={text} fallback={<Text text={text} />} />
      ) : (
        <Text text={text} />
      )}
      {!whole && (
        <p className="border-t border-line px-3 py-2 text-sm text-ink-2">
          {formatBytes(FIRST_BYTES)} of {formatBytes(length)} are shown.{' '}
          <button type="button" className="link" onClick={() => setWhole(true)}>
            Load all
          </button>
        </p>
      )}
    </div>
  )
}

const Text = ({ text }: { text: string }) => (
  <pre
    role="group"
    tabIndex={0}
    aria-label="Text"
    className="max-h-96 overflow-auto px-3 py-2 font-mono text-sm whitespace-pre-wrap"
  >
    <VisibleText text={text} />
  </pre>
)
