'use client'

import { useMemo } from 'react'
import type { Policy } from '@/lib/judge/decisions/policies'
import { smallestSuccess, type WhatIf } from '@/lib/judge/decisions/what-if'
import type { Change } from '@/lib/judge/decisions/what-if-edits'
import { inputChangeText } from '@/lib/words/decision-details'
import { cn } from '../shared/ui/cn'
import { VisibleText } from '../shared/visible-text'
import type { WhatIfState } from './use-what-if'

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)

/** Sets that are named; the others are counted. */
const SHOWN = 4

/** The smallest sets of changes that make it succeed, each to be pressed. */
export function SmallestChange({
  whatIf,
  policy,
  state,
}: {
  whatIf: WhatIf
  policy: Policy
  state: WhatIfState
}) {
  const sets = useMemo(() => smallestSuccess(whatIf, policy), [whatIf, policy])
  const size = sets[0]?.length ?? 0
  if (sets.length === 0)
    return <p className="mt-2 text-ink-2">No set of up to four changes makes it succeed.</p>
  if (size === 0) return null
  const isApplied = (set: readonly Change[]): boolean =>
    set.length === state.chosen.length && set.every(({ id }) => state.chosen.some((one) => one.id === id))
  return (
    <div className="mt-2">
      <p className="text-ink-2">
        {sets.length === 1
          ? `Smallest change that makes it succeed${size === 1 ? '' : ` (${size} inputs together)`}:`
          : `Smallest changes that make it succeed${size === 1 ? '' : ` (${size} inputs together)`}, any of:`}
      </p>
      <ul className="mt-1 space-y-1">
        {sets.slice(0, SHOWN).map((set) => (
          <li key={set.map(({ id }) => id).join(' ')}>
            <button
              type="button"
              aria-pressed={isApplied(set)}
              onClick={() => (isApplied(set) ? state.choose([]) : state.choose(set.map(({ id }) => id)))}
              className={cn(
                'w-full rounded border px-2.5 py-1 text-left font-medium wrap-anywhere hover:bg-hover',
                isApplied(set) ? 'border-accent bg-selected' : 'border-line-strong bg-raised',
              )}
            >
              {set.map(({ id, message }, index) => (
                <span key={id}>
                  {index > 0 && <span className="font-normal text-ink-2"> and </span>}
                  <VisibleText
                    text={index > 0 ? lowerFirst(inputChangeText(message)) : inputChangeText(message)}
                  />
                </span>
              ))}
            </button>
          </li>
        ))}
      </ul>
      {sets.length > SHOWN && (
        <p className="mt-1 text-sm text-ink-3">{sets.length - SHOWN} more of the same size.</p>
      )}
    </div>
  )
}
