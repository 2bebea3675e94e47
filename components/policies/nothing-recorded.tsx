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
      <h2 className="text-md font-semibold">{total === 0 ? 'Nothing recorded yet' : 'Nothing to replay'}</h2>
      <p className="text-ink-2">
        {total === 0
          ? 'A replay needs the evidence of a decision: what the run printed, how its process ended, and its contract.'
          : unsearchable === total
            ? `${plural(total, 'recorded execution')} ${total === 1 ? 'matches' : 'match'}, but ${total === 1 ? 'it expects' : 'they expect'} a pattern that cannot be searched here. The decision names it.`
            : unsearchable > 0
              ? `None of ${plural(total, 'execution')} can be replayed: ${lackingSentences({ total, replayable: 0, unsearchable }).join(' ')}`
              : `None of ${plural(total, 'execution')} came with the evidence of its verdict: what it printed, how its process ended, and its contract.`}{' '}
        Run the agent with the recorder to see its next run here:
      </p>
      <ProgramCommand text={recordCommand} />
      <p className="text-ink-2">
        <code className="font-mono text-sm">--marker</code> is the text it must print last,{' '}
        <code className="font-mono text-sm">--expect</code> a regular expression that its result must match.
        Link the attempts of one job with <code className="font-mono text-sm">--chain</code> and{' '}
        <code className="font-mono text-sm">--attempt</code>, or through their CI run.
      </p>
      {total === 0 && (
        <p>
          <Link href={links.home()} className="link">
            Other ways to send data
          </Link>
        </p>
      )}
    </div>
  )
}
