'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatBytes, formatCount } from '../shared/format'
import { asProblem } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { VisibleText } from '../shared/visible-text'
import { FlagNote } from './flag-note'
import { fixQueries, PATCH_TEXT_BYTES } from './queries'
import { HIDDEN_SENTENCE, MASKED_SENTENCE, secretLines } from './words'
import type { FixDetail, FixFlag } from '@/lib/model/fix'

const LINES_MAX = 2_000
const LINE_CHARS_MAX = 1_000

/** A patch that git refuses, as the text that it is: nothing of it could be drawn as a change without claiming more than git reads. */
export function RefusedPatch({ fix, flags }: { fix: FixDetail; flags: readonly FixFlag[] }) {
  const text = useQuery(fixQueries.text(fix.id))
  const lines = text.data?.replace(/\n$/, '').split('\n') ?? []
  const masked = secretLines(fix)
  return (
    <section aria-label="Text of the patch" className="min-w-0 rounded border border-line bg-surface">
      <p className="border-b border-line p-3">
        git can’t read this patch
        {fix.reading.problem !== null && (
          <>
            : <VisibleText text={fix.reading.problem} />
          </>
        )}{' '}
        <span className="text-ink-2">Its text is shown below, without any interpretation.</span>
      </p>
      {text.isPending && (
        <div role="group" aria-busy="true" aria-label="Reading the patch" className="skeleton m-3 h-24" />
      )}
      {text.isError && (
        <ProblemNotice compact problem={asProblem(text.error)} onRetry={() => void text.refetch()} />
      )}
      <ol className="overflow-hidden py-1 font-mono text-sm">
        {lines.slice(0, LINES_MAX).map((line, index) => (
          <li key={index}>
            <div className="grid grid-cols-[4rem_minmax(0,1fr)] gap-x-3 px-1">
              <span className="text-right text-ink-3 select-none">{index + 1}</span>
              <span className="wrap-anywhere whitespace-pre-wrap">
                <TextLine line={line} isMasked={masked.has(index + 1)} isHidden={masked.hidden} />
              </span>
            </div>
            {flags
              .filter((flag) => flag.lines?.end === index + 1)
              .map((flag, at) => (
                <FlagNote key={at} flag={flag} />
              ))}
          </li>
        ))}
      </ol>
      {(lines.length > LINES_MAX || fix.size > PATCH_TEXT_BYTES) && (
        <p className="border-t border-line p-3 text-ink-2">
          The first{' '}
          {lines.length > LINES_MAX ? `${formatCount(LINES_MAX)} lines` : formatBytes(PATCH_TEXT_BYTES)} of{' '}
          {formatBytes(fix.size)} are shown. Download the patch to see all.
        </p>
      )}
    </section>
  )
}

function TextLine({ line, isMasked, isHidden }: { line: string; isMasked: boolean; isHidden: boolean }) {
  const [asked, setAsked] = useState(false)
  if (isMasked && (isHidden || !asked))
    return (
      <span className="font-sans text-ink-2">
        {MASKED_SENTENCE}
        {isHidden ? (
          `; ${HIDDEN_SENTENCE}`
        ) : (
          <>
            {' '}
            <button type="button" onClick={() => setAsked(true)} className="link ml-2">
              Show the line
            </button>
          </>
        )}
      </span>
    )
  return (
    <>
      <VisibleText text={line.slice(0, LINE_CHARS_MAX)} />
      {line.length > LINE_CHARS_MAX && (
        <span className="font-sans text-ink-2">
          {' '}
          {formatCount(line.length - LINE_CHARS_MAX)} more characters in this line
        </span>
      )}
    </>
  )
}
