'use client'

import { Check, RotateCcw, Undo2 } from 'lucide-react'
import { useDeferredValue, useMemo } from 'react'
import { listOffers } from '@/lib/judge/decisions/chosen'
import { decide, type Decided } from '@/lib/judge/decisions/decide'
import { UNKNOWN } from '@/lib/judge/decisions/decision'
import { CURRENT_POLICY, POLICIES } from '@/lib/judge/decisions/policies'
import type { WhatIf } from '@/lib/judge/decisions/what-if'
import { fieldWords, inputChangeText } from '@/lib/words/decision-details'
import { policyWords } from '@/lib/words/decision-values'
import { policySays } from '@/lib/words/policies'
import { cn } from '../shared/ui/cn'
import { plural } from '../shared/format'
import { useKeys } from '../shared/keys'
import { Button } from '../shared/ui/button'
import { Kbd } from '../shared/ui/kbd'
import { VisibleText } from '../shared/visible-text'
import { SmallestChange } from './smallest-change'
import { Word } from './two-verdicts'
import type { WhatIfState } from './use-what-if'

/** Flip an input and see the verdict change, at once and under any policy. */
export function Counterfactual({ whatIf, state }: { whatIf: WhatIf; state: WhatIfState }) {
  const { chosen, policy, decided, unknown } = state
  const actual = useMemo(() => decide(whatIf.actual, CURRENT_POLICY), [whatIf])
  const offers = useMemo(() => listOffers(whatIf, chosen), [whatIf, chosen])
  useKeys({ z: () => state.undo() }, state.isChanged)
  // The search for the smallest set takes its time: first what was asked for is shown.
  const searched = useDeferredValue(policy)
  return (
    <section aria-labelledby="what-if" className="min-w-0">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h3 id="what-if" className="mr-auto font-semibold">
          What if…
        </h3>
        <Button
          kind="quiet"
          className="px-1.5"
          onClick={state.undo}
          why={state.isChanged ? null : 'Nothing changed'}
          title="Undo the last change (z)"
        >
          <Undo2 size={14} aria-hidden /> Undo <Kbd>z</Kbd>
        </Button>
        <Button
          kind="quiet"
          className="px-1.5"
          onClick={state.reset}
          why={state.isChanged ? null : 'Nothing changed'}
        >
          <RotateCcw size={14} aria-hidden /> Reset
        </Button>
      </div>
      <VerdictNow
        actual={actual}
        decided={decided}
        changes={chosen.length}
        policyChanged={policy !== CURRENT_POLICY}
      />
      <SmallestChange whatIf={whatIf} policy={searched} state={state} />
      {unknown.length > 0 && (
        <p className="mt-2 text-sm text-ink-2">
          The URL also names <VisibleText text={unknown.map((id) => `“${id}”`).join(', ')} />, which{' '}
          {unknown.length === 1 ? 'does' : 'do'} not apply here.
        </p>
      )}
      <ul aria-label="Inputs you can change" className="mt-2 space-y-px">
        {offers.map((change, index) => (
          <li key={change.id} className={cn(index > 0 && offers[index - 1]!.of !== change.of && 'mt-1.5')}>
            <Toggle pressed={chosen.some(({ id }) => id === change.id)} onPress={() => state.toggle(change)}>
              <VisibleText text={inputChangeText(change.message)} />
            </Toggle>
          </li>
        ))}
      </ul>
      <fieldset className="mt-3">
        <legend className="text-sm text-ink-3">Policy</legend>
        <div className="mt-0.5 space-y-px">
          {POLICIES.map(({ name }) => (
            <label
              key={name}
              title={policySays(name)}
              className="flex cursor-pointer items-baseline gap-2 rounded px-1.5 py-0.5 hover:bg-hover"
            >
              <input
                type="radio"
                name="policy"
                checked={policy.name === name}
                onChange={() => state.setPolicy(name)}
                className="relative top-0.5 size-3.5 shrink-0 accent-accent"
              />
              <span>
                {policyWords(name)} <code className="font-mono text-xs text-ink-3">{name}</code>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
    </section>
  )
}

function Toggle({
  pressed,
  onPress,
  children,
}: {
  pressed: boolean
  onPress: () => void
  children: React.ReactNode
}) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className={cn(
        'flex w-full items-start gap-2 rounded px-1.5 py-0.5 text-left hover:bg-hover',
        pressed && 'bg-selected font-medium',
      )}
    >
      <span
        aria-hidden
        className={cn(
          'mt-0.5 grid size-4 shrink-0 place-items-center rounded-sm border',
          pressed ? 'border-accent bg-accent text-on-accent' : 'border-control',
        )}
      >
        {pressed && <Check size={12} strokeWidth={3} />}
      </span>
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </button>
  )
}

const FIELDS = ['outcome', 'contentState', 'retryReason', 'subtype'] as const

/** The verdict with the changes; what is another than it was is marked. */
function VerdictNow({
  actual,
  decided,
  changes,
  policyChanged,
}: {
  actual: Decided
  decided: Decided
  changes: number
  policyChanged: boolean
}) {
  const now = wordsOf(decided)
  const was = wordsOf(actual)
  const differing = FIELDS.filter((field) => now[field] !== was[field])
  const given = [changes > 0 && plural(changes, 'change'), policyChanged && 'another policy']
    .filter(Boolean)
    .join(' and ')
  return (
    <div className="mt-1.5 rounded border border-line bg-bg px-3 py-2">
      <p role="status" className="text-sm text-ink-2">
        {given === ''
          ? 'Unchanged:'
          : differing.length === 0
            ? `With ${given}, same verdict:`
            : `With ${given}, new verdict:`}
      </p>
      <dl className="mt-1 grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 gap-y-0.5">
        {FIELDS.map((field) => (
          <div key={field} className="contents">
            <dt className="text-sm text-ink-3 first-letter:uppercase">{fieldWords(field)}</dt>
            <dd className="flex flex-wrap items-center gap-x-1.5">
              {differing.includes(field) ? (
                <>
                  <mark className="px-1 font-medium">
                    <Word field={field} words={now} />
                  </mark>{' '}
                  <span className="text-sm text-ink-2">
                    was <Word field={field} words={was} />
                  </span>
                </>
              ) : (
                <Word field={field} words={now} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

const wordsOf = ({ contentState, outcome, retryReason, subtype }: Decided) => ({
  contentState: contentState ?? UNKNOWN,
  outcome,
  retryReason,
  subtype,
})
