import { DIFFERENCE_KINDS, type DifferenceKind, SEVERITIES, type Severity } from '@/lib/model/parity'
import type { ParityOverview } from '@/lib/api/parity-schemas'
import { PARITY_WINDOWS, type ParityWindow } from '@/lib/judge/parity/parity-question'
import { cn } from '../shared/ui/cn'
import { formatCount } from '../shared/format'
import type { ParityState } from './parity-state'
import { SeverityMark } from './severity-mark'
import { KIND_WORDS } from '@/lib/words/parity'

const WINDOW_WORDS: Record<ParityWindow, string> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  all: 'all time',
}

/** When the checks were made, and which kinds and severities of differences count. What is chosen stays, also when nothing of it is found. */
export function ParityFacets({
  state: { question, change },
  heat,
}: {
  state: ParityState
  heat: ParityOverview['heat'] | undefined
}) {
  const { window, kinds, severities } = question
  const counts = (facet: { value: string; count: number }[] | undefined, value: string): number =>
    facet?.find((one) => one.value === value)?.count ?? 0
  return (
    <div className="flex flex-wrap gap-x-5 gap-y-2">
      <Group name="Checked within">
        {PARITY_WINDOWS.map((one) => (
          <Choice key={one} chosen={one === window} onClick={() => change({ window: one })}>
            {WINDOW_WORDS[one]}
          </Choice>
        ))}
      </Group>
      <Group name="Severity">
        {SEVERITIES.filter((one) => severities.includes(one) || counts(heat?.severities, one) > 0).map(
          (one) => (
            <Choice
              key={one}
              chosen={severities.includes(one)}
              onClick={() => change({ severities: toggled<Severity>(severities, one) })}
            >
              <SeverityMark severity={one} /> {one} <Count n={counts(heat?.severities, one)} />
            </Choice>
          ),
        )}
      </Group>
      <Group name="Kind">
        {DIFFERENCE_KINDS.filter((one) => kinds.includes(one) || counts(heat?.kinds, one) > 0).map((one) => (
          <Choice
            key={one}
            chosen={kinds.includes(one)}
            onClick={() => change({ kinds: toggled<DifferenceKind>(kinds, one) })}
          >
            {KIND_WORDS[one]} <Count n={counts(heat?.kinds, one)} />
          </Choice>
        ))}
      </Group>
    </div>
  )
}

const toggled = <T,>(all: readonly T[], one: T): T[] =>
  all.includes(one) ? all.filter((other) => other !== one) : [...all, one]

/** Left out while there is nothing to choose. */
function Group({ name, children }: { name: string; children: React.ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <div role="group" aria-label={name} className="flex min-w-0 flex-wrap items-center gap-1">
      <span className="mr-1 text-sm text-ink-3">{name}</span>
      {children}
    </div>
  )
}

const Choice = ({
  chosen,
  onClick,
  children,
}: {
  chosen: boolean
  onClick: () => void
  children: React.ReactNode
}) => (
  <button
    type="button"
    aria-pressed={chosen}
    onClick={onClick}
    className={cn(
      'flex h-7 items-center gap-1.5 rounded border border-line px-2 text-sm hover:bg-hover',
      chosen ? 'border-accent bg-selected font-medium' : 'bg-surface text-ink-2',
    )}
  >
    {children}
  </button>
)

const Count = ({ n }: { n: number }) => <span className="text-ink-3">{formatCount(n)}</span>
