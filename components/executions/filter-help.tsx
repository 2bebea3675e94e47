'use client'

import { CircleQuestionMark } from 'lucide-react'
import { useState } from 'react'
import { FACETS, type Facet } from '@/lib/executions/filter-types'
import { Button } from '../shared/ui/button'
import { Dialog } from '../shared/ui/dialog'

const FIELDS: Record<Facet, [example: string, says: string]> = {
  outcome: ['outcome:failed', 'How it ended'],
  source: ['source:laptop', 'Who sent it, by its name'],
  class: ['class:exit_code', 'A call failed this way'],
  state: ['state:absent', 'What its answer was: complete, absent, …'],
  reason: ['reason:stale', 'Why it was to be tried again'],
  help: ['help:cannot-help', 'Whether a retry could help, or helped'],
  decided: ['decided:recomputed', 'Whether its outcome was recorded, recomputed or inferred'],
  differs: ['differs:yes', 'The recorded verdict and the recomputed one differ'],
  attempts: ['attempts:>1', 'How many attempts its retry chain has'],
  silence: [
    'silence:gap',
    'Its receipts are not proven, silent, or say a failure was a success: broken, gap, dropped, retry, disagrees, unanswered, unproven',
  ],
  repository: ['repository:shop', 'Where it worked'],
  branch: ['branch:main', 'The branch it worked on'],
}

/** What may be written into the box of the filter: its fields, with an example each, and how conditions go together. */
export function FilterHelp() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button kind="plain" onClick={() => setOpen(true)} title="What may be written into the filter">
        <CircleQuestionMark size={14} aria-hidden />
        <span className="sr-only">Fields of the filter</span>
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Fields of the filter">
        <div className="space-y-3 p-4">
          <dl className="grid grid-cols-[max-content_1fr] items-baseline gap-x-6 gap-y-1.5">
            {FACETS.map((facet) => (
              <div key={facet} className="contents">
                <dt className="font-mono text-sm">{FIELDS[facet][0]}</dt>
                <dd>{FIELDS[facet][1]}</dd>
              </div>
            ))}
            <dt className="font-mono text-sm">"read first" parcel</dt>
            <dd>Words of the title, the cause, the id or the failed calls</dd>
            <dt className="font-mono text-sm">toolu_01Vdj…</dt>
            <dd>The id of a call or a record is offered to be opened</dd>
          </dl>
          <p className="text-ink-2">
            Every condition must hold; values of one field are alternatives. A value with a blank stands in
            quotes: <code className="font-mono">branch:"my branch"</code>. Nothing can be excluded.
          </p>
        </div>
      </Dialog>
    </>
  )
}
