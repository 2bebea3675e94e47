'use client'

import { useQueries } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import Link from 'next/link'
import { findQueries } from '../find/queries'
import { plural } from '../shared/format'
import { VisibleText } from '../shared/visible-text'
import { targetOf } from '../shell/palette-target'

/** More are hardly pasted at once. */
const LOOKED_UP_MAX = 3

/** The list searches for words; one that is the very id of something is offered to be opened. */
export function IdOffer({ words }: { words: string[] }) {
  const ids = words.filter((word) => targetOf(word, '') !== null).slice(0, LOOKED_UP_MAX)
  const found = useQueries({ queries: ids.map((id) => findQueries.find(id)) })
  const known = ids.flatMap((id, index) => {
    const items = found[index]?.data?.items ?? []
    return items.length === 0
      ? []
      : [{ id, what: items.length === 1 ? items[0]!.kind : plural(items.length, 'record') }]
  })
  if (known.length === 0) return null
  return (
    <ul aria-label="Found by ID" className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {known.map(({ id, what }) => (
        <li key={id} className="min-w-0">
          <Link
            href={targetOf(id, '')!}
            prefetch={false}
            className="link inline-flex max-w-full items-center gap-1"
          >
            <ArrowRight size={14} aria-hidden className="shrink-0" /> Open{' '}
            <code className="truncate font-mono">
              <VisibleText text={id} />
            </code>{' '}
            <span className="shrink-0">({what})</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
