'use client'

import { RotateCw, TriangleAlert } from 'lucide-react'
import { links } from '@/lib/links'
import type { Problem } from '@/lib/problem'
import { Button } from './ui/button'

/** "Could not look" is never an empty list: what happened, the id to ask about, and a way on. */
export function ProblemNotice({
  problem,
  onRetry,
  compact = false,
}: {
  problem: Problem
  onRetry?: () => void
  compact?: boolean
}) {
  const slug = problem.type.startsWith('/problems/') ? problem.type.slice('/problems/'.length) : null
  return (
    <div role="alert" className={compact ? 'flex gap-3 p-3' : 'mx-auto flex max-w-xl gap-3 px-4 py-10'}>
      <TriangleAlert size={18} aria-hidden className="mt-0.5 shrink-0 text-warn" />
      <div className="min-w-0 space-y-2">
        <p className={compact ? 'font-medium' : 'text-md font-medium'}>{problem.title}</p>
        {problem.detail && problem.detail !== problem.title && (
          <p className="whitespace-pre-wrap text-ink-2">{problem.detail}</p>
        )}
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-3">
          {problem.requestId && (
            <span>
              Request <code className="font-mono">{problem.requestId}</code>
            </span>
          )}
          {slug && (
            <a href={links.problem(slug)} className="link">
              What this means and what to do
            </a>
          )}
        </p>
        {onRetry && (
          <Button onClick={onRetry}>
            <RotateCw size={14} aria-hidden /> Try again
          </Button>
        )}
      </div>
    </div>
  )
}
