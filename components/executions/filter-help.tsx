'use client'

import { CircleQuestionMark } from 'lucide-react'
import { useState } from 'react'
import { FACETS, type Facet } from '@/lib/model/filter-types'
import { Button } from '../shared/ui/button'
import { Dialog } from '../shared/ui/dialog'

const FIELDS: Record<Facet, [example: string, says: string]> = {
  outcome: ['outcome:failed', 'How it ended'],
  attention: ['attention:yes', 'A person should look at it'],
  source: ['source:laptop', 'Who sent it, by its name'],
  class: ['class:exit_code', 'A call failed this way'],
  state: ['state:absent', 'State of its answer: complete, absent, …'],
  reason: ['reason:stale', 'Why a retry was requested'],
  help: ['help:cannot-help', 'If a retry would help or helped'],
  decided: ['decided:recomputed', 'Recorded, recomputed or inferred outcome'],
  differs: ['differs:yes', 'Recorded and recomputed verdicts differ'],
  attempts: ['attempts:>1', 'Number of attempts in its retry chain'],
  silence: ['silence:gap', 'Receipt problems: broken, gap, dropped, retry, disagrees, unanswered, unproven'],
  repository: ['repository:shop', 'Repository it worked in'],
  branch: ['branch:main', 'The branch it worked on'],
}

/** What may be written into the box of the filter: its fields, with an example each, and how conditions go together. */
export function FilterHelp() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button kind="plain" onClick={() => setOpen(true)} title="Filter syntax">
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
            <dd>Words in the title, cause, ID or failed calls</dd>
            <dt className="font-mono text-sm">toolu_01Vdj…</dt>
            <dd>The ID of a call or a record, to open it</dd>
          </dl>
          <p className="text-ink-2">
            Every condition must hold; values of one field are alternatives. Quote values with spaces:{' '}
            <code className="font-mono">branch:"my branch"</code>. Nothing can be excluded.
          </p>
        </div>
      </Dialog>
    </>
  )
}
