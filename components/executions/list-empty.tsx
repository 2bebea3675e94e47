'use client'

import { useQueries } from '@tanstack/react-query'
import Link from 'next/link'
import { links } from '@/lib/links'
import { formatCount } from '../shared/format'
import { ProgramCommand } from '../shared/program'
import { termsOf, toggleTerm } from './filter-edit'
import type { FilterState } from './filter-state'
import { listSearch } from './list-search'
import { executionQueries } from '../execution-data/queries'
import { FACET_WORDS, valueWords } from '../execution-data/words'

/** An empty list has three reasons, and each has its own way on. The fourth, "could not look", is never drawn as empty. */
export function ListEmpty({
  state,
  receivedAny,
  importCommand,
}: {
  state: FilterState
  receivedAny: boolean
  importCommand: string
}) {
  if (!receivedAny) return <NothingYet importCommand={importCommand} />
  if (onlyAsksForFailures(state)) return <AllHandled onAll={() => state.setText('')} />
  return <NoMatch state={state} />
}

/** Failed ones, and whatever else did not end well: of which none is there is no reason to look for a wrong condition. */
const onlyAsksForFailures = (state: FilterState): boolean =>
  state.filter.facets.outcome.includes('failed') &&
  termsOf(state.filter).every(
    (term) => term.facet === 'outcome' && ['failed', 'interrupted', 'retriable'].includes(term.value),
  )

const box = 'mx-auto max-w-xl space-y-3 px-4 py-12'

function NothingYet({ importCommand }: { importCommand: string }) {
  return (
    <div className={box}>
      <h2 className="text-md font-semibold">No data yet</h2>
      <p className="text-ink-2">To import the agent history of this machine, run:</p>
      <ProgramCommand text={importCommand} />
      <p>
        <Link href={links.home()} className="link">
          Other ways to send data
        </Link>
      </p>
    </div>
  )
}

function AllHandled({ onAll }: { onAll: () => void }) {
  return (
    <div className={box}>
      <h2 className="text-md font-semibold">No failed executions</h2>
      <p className="text-ink-2">New failures appear here automatically.</p>
      <button type="button" onClick={onAll} className="link">
        Show all executions
      </button>
    </div>
  )
}

/** Says which term to drop, with how many would match without it. */
function NoMatch({ state }: { state: FilterState }) {
  const terms = termsOf(state.filter).slice(0, 8)
  const without = useQueries({
    queries: terms.map((term) =>
      executionQueries.facets(listSearch(toggleTerm(state.filter, term), state.project)),
    ),
  })
  const hopeless = terms.length > 1 && without.every((query) => query.data?.total === 0)
  return (
    <div className={box}>
      <h2 className="text-md font-semibold">No matching executions</h2>
      <p className="text-ink-2">
        {hopeless
          ? 'All conditions must match. Removing any one of them still finds nothing.'
          : terms.length > 1
            ? 'All conditions must match. Remove one:'
            : 'Remove the condition:'}
      </p>
      <ul className="divide-y divide-line rounded border border-line">
        {terms.map((term, index) => {
          const found = without[index]!.data
          return (
            <li key={`${term.facet} ${term.value}`}>
              <button
                type="button"
                onClick={() => state.toggle(term)}
                className="flex w-full items-center gap-3 px-3 py-2 text-left hover:bg-hover"
              >
                <span className="min-w-0 flex-1 truncate">
                  without{' '}
                  <strong className="font-medium">
                    {term.facet === null
                      ? `"${term.value}"`
                      : `${FACET_WORDS[term.facet]}: ${valueWords(term.facet, term.value)}`}
                  </strong>
                </span>
                <span className="text-ink-2">
                  {found ? `${formatCount(found.total)}${found.totalCapped ? '+' : ''} match` : '…'}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
      <button type="button" onClick={() => state.setText('')} className="link">
        Clear filter
      </button>
    </div>
  )
}
