import Link from 'next/link'
import { links } from '@/lib/links'
import { ProgramCommand } from '../shared/program'
import { plural } from '../shared/format'
import { lackingSentences } from './words'

/** Nothing can be replayed: why, and the one command after which something can. */
export function NothingRecorded({
  total,
  unsearchable = 0,
  recordCommand,
}: {
  total: number
  unsearchable?: number
  recordCommand: string
}) {
  return (
    <div className="mx-auto max-w-2xl space-y-3 px-4 py-12">
      <h2 className="text-md font-semibold">
        {total === 0 ? 'Nothing recorded yet' : 'Nothing here can be replayed'}
      </h2>
      <p className="text-ink-2">
        {total === 0
          ? 'A decision is made again from its evidence: what the run printed, how its process ended, and what it was told to deliver.'
          : unsearchable === total
            ? `${plural(total, 'execution')} of this filter ${total === 1 ? 'was' : 'were'} recorded, but ${total === 1 ? 'asks' : 'ask'} for a pattern that cannot be looked for here; its decision names it.`
            : unsearchable > 0
              ? `None of ${plural(total, 'execution')} can be judged again: ${lackingSentences({ total, replayable: 0, unsearchable }).join(' ')}`
              : `None of ${plural(total, 'execution')} came with the evidence of its verdict: what it printed, how its process ended, and what it was told to deliver.`}{' '}
        Run the agent through the recorder, and its next run appears here:
      </p>
      <ProgramCommand text={recordCommand} />
      <p className="text-ink-2">
        <code className="font-mono text-sm">--marker</code> is the text it has to print last,{' '}
        <code className="font-mono text-sm">--expect</code> a regular expression that its answer has to hold.
        Attempts of one piece of work become a chain by <code className="font-mono text-sm">--chain</code> and{' '}
        <code className="font-mono text-sm">--attempt</code>, or by their CI run.
      </p>
      {total === 0 && (
        <p>
          <Link href={links.home()} className="link">
            Other ways in
          </Link>
        </p>
      )}
    </div>
  )
}
