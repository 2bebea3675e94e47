'use client'

import { ArrowLeftRight } from 'lucide-react'
import { useId } from 'react'
import { POLICIES } from '@/lib/judge/decisions/policies'
import { policySays } from '@/lib/words/policies'
import { Button } from '../shared/ui/button'
import type { PoliciesState } from './policies-state'

/** The two policies, each with its one line, and a button that swaps them. */
export function PolicyPicker({ state }: { state: PoliciesState }) {
  const { from, to } = state.question
  return (
    <div className="grid gap-3 md:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] md:gap-4">
      <Choice
        label="From"
        chosen={from.name}
        says={policySays(from.name)}
        onChoose={(name) => state.setPolicies(name, to.name)}
      />
      <Button
        onClick={state.swap}
        title="Swap the two policies (w)"
        className="self-start justify-self-start md:mt-[1.125rem]"
      >
        <ArrowLeftRight size={14} aria-hidden /> Swap
      </Button>
      <Choice
        label="To"
        chosen={to.name}
        says={policySays(to.name)}
        onChoose={(name) => state.setPolicies(from.name, name)}
      />
    </div>
  )
}

function Choice({
  label,
  chosen,
  says,
  onChoose,
}: {
  label: string
  chosen: string
  says: string
  onChoose: (name: string) => void
}) {
  const id = useId()
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="block text-sm font-medium text-ink-2">
        {label}
      </label>
      <select
        id={id}
        value={chosen}
        aria-describedby={`${id}-says`}
        onChange={(event) => onChoose(event.target.value)}
        className="h-8 w-full rounded border border-control bg-surface px-2 font-medium"
      >
        {POLICIES.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <p id={`${id}-says`} className="mt-1 text-sm text-ink-2">
        {says}
      </p>
    </div>
  )
}
