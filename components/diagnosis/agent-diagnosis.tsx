import { ArrowRight } from 'lucide-react'
import Link from 'next/link'
import type { RunDiagnosisDocument } from '@/lib/api/diagnosis-schemas'
import { links } from '@/lib/links'
import { CopyButton } from '../shared/copy-button'
import { Outcome } from '../shared/glyphs'
import { VisibleText } from '../shared/visible-text'
import { DiagnosisValues } from './diagnosis-values'
import { JsonText } from './json-text'
import { StateMark } from './state-mark'
import { STATE_WORDS } from '@/lib/words/diagnosis'

export type AgentDiagnosisRead = RunDiagnosisDocument['diagnoses'][number]

/** Where a diagnosis stands in its row. */
export const SLOT = '/result/context/error/diagnosis'

interface Props {
  read: AgentDiagnosisRead
  /** Execution whose rows hold it. */
  holder: string
  /** The page is that of the agent's run. */
  isOwnRun: boolean
  /** Where it stands in the documents that the page holds. */
  shows: string
}

/** One agent that failed: what became of its diagnosis, the diagnosis itself, and what the agent returned, which stays beside it. */
export function AgentDiagnosis({ read, holder, isOwnRun, shows }: Props) {
  const { state, value, attempts, elsewhere, retold, row } = read
  const words = STATE_WORDS[state]
  return (
    <div className="rounded border border-line bg-surface p-4 md:p-5">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StateMark state={state} /> <span className="text-md font-semibold">{words.name}</span>
        {value !== null && (
          <CopyButton className="ml-auto !py-0 text-sm" label="Copy the diagnosis as JSON" text={value.json}>
            JSON
          </CopyButton>
        )}
      </p>
      <p className="mt-1 max-w-[90ch]">{words.means}</p>
      {elsewhere === null ? (
        <p className="mt-0.5 max-w-[90ch] text-ink-2">{words.next}</p>
      ) : (
        <Elsewhere
          elsewhere={elsewhere}
          shows={`${shows}/elsewhere`}
          holder={holder}
          isHandle={state === 'handle_only'}
        />
      )}
      {retold.length > 0 && <RetoldRow retold={retold} holder={holder} />}
      {value !== null && (
        <div className="mt-4">
          <DiagnosisValues
            value={value}
            shows={`${shows}/value`}
            isHandle={state === 'handle_only'}
            hrefOf={(pointer) => links.diagnosis(holder, `${SLOT}${pointer}`, row.eventId)}
          />
        </div>
      )}
      <OriginalError read={read} isOwnRun={isOwnRun} shows={`${shows}/error`} />
      {attempts.length > 0 && (
        <section aria-label="Attempts at a diagnosis" className="mt-4">
          <h3 className="text-sm font-medium text-ink-3">Runs that were started to make it</h3>
          <ul className="mt-1 space-y-1">
            {attempts.map((attempt) => (
              <li key={attempt.id} className="flex flex-wrap items-center gap-x-3">
                <span className="inline-flex">
                  <Outcome outcome={attempt.outcome} />
                </span>
                <Link
                  href={links.execution(attempt.id)}
                  prefetch={false}
                  className="link font-mono wrap-anywhere"
                >
                  <VisibleText text={attempt.externalId} />
                </Link>
                {attempt.path !== null && (
                  <span className="text-sm text-ink-2 wrap-anywhere">
                    <VisibleText text={attempt.path} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** A diagnosis that a run made, as far as its own rows tell; it is attached to nothing. */
export function Elsewhere({
  elsewhere,
  shows,
  holder,
  isHandle = false,
}: {
  elsewhere: NonNullable<AgentDiagnosisRead['elsewhere']>
  shows: string
  holder: string
  isHandle?: boolean
}) {
  const run = (
    <Link href={links.bytes(elsewhere.id, elsewhere.row.pointer)} prefetch={false} className="link font-mono">
      <VisibleText text={elsewhere.externalId} />
    </Link>
  )
  return (
    <section
      aria-label="A diagnosis that is not attached"
      className="mt-3 rounded border-2 border-dashed border-line-strong bg-tint-warn px-4 py-3"
    >
      <p className="font-semibold">
        A diagnosis was made by run {run}, but stands in no row of this run’s agent
      </p>
      <p className="mt-0.5 max-w-[90ch] text-sm">
        {isHandle ? (
          <>
            In its place, at <code className="font-mono">{SLOT_WORDS}</code>, stands only that the run was
            started.
          </>
        ) : (
          <>
            It was lost before the first place that can be read here, or never attached at{' '}
            <code className="font-mono">{SLOT_WORDS}</code>: nothing says which of the two.
          </>
        )}{' '}
        The source’s own check compares the rows of a step with each other, so it cannot see what all of them
        lack.{' '}
        <Link href={links.execution(holder, 'parity')} className="link inline-flex items-center gap-1">
          Compare in Parity <ArrowRight size={14} aria-hidden />
        </Link>
      </p>
      <div className="mt-2 rounded bg-surface px-3 pb-1">
        <p className="py-2 text-sm font-medium text-ink-2">
          Read from that run (inferred), not attached to this one:
        </p>
        <DiagnosisValues value={elsewhere.value} shows={`${shows}/value`} hrefOf={null} />
      </div>
    </section>
  )
}

const SLOT_WORDS = 'result.context.error.diagnosis'

/** Kept documents that contradict what is shown: none of them is chosen in silence. */
function RetoldRow({ retold, holder }: { retold: AgentDiagnosisRead['retold']; holder: string }) {
  return (
    <section
      aria-label="Other tellings of this row"
      className="mt-3 rounded border-2 border-dashed border-line-strong bg-tint-warn px-4 py-3 text-sm"
    >
      <p className="font-semibold">
        {retold.length === 1 ? 'Another kept document tells' : `${retold.length} other kept documents tell`}{' '}
        this row differently
      </p>
      <p className="mt-0.5 max-w-[90ch]">
        Shown here is the telling with the fullest diagnosis. In its place stands elsewhere:
      </p>
      <ul className="mt-1 list-disc pl-5">
        {retold.map(({ state, pointer }) => (
          <li key={`${pointer.received} ${pointer.byteStart}`}>
            {RETOLD_WORDS[state] ?? state}, in{' '}
            <Link href={links.bytes(holder, pointer)} prefetch={false} className="link font-mono">
              {pointer.received.slice(0, 12)}…
            </Link>
          </li>
        ))}
      </ul>
      <p className="mt-1">
        <Link href={links.execution(holder, 'parity')} className="link inline-flex items-center gap-1">
          All that differs, in Parity <ArrowRight size={14} aria-hidden />
        </Link>
      </p>
    </section>
  )
}

const RETOLD_WORDS: Record<string, string> = {
  complete: 'a whole diagnosis',
  incomplete: 'an incomplete diagnosis',
  malformed: 'something that is no diagnosis',
  dispatch_handle: 'only that a run was started',
  absent: 'nothing',
}

/** What the agent returned. A diagnosis never stands in its place. */
function OriginalError({
  read: { error, childId },
  isOwnRun,
  shows,
}: Pick<Props, 'read' | 'isOwnRun' | 'shows'>) {
  const facts =
    error === null
      ? []
      : (
          [
            ['Kind', 'kind'],
            ['Code', 'code'],
            ['Retryable', 'retryable'],
          ] as const
        ).map(([name, key]) => ({ name, key, json: error[key] }))
  return (
    <section aria-label="Error of the agent" className="mt-4 rounded border border-line bg-sunken px-4 py-3">
      <h3 className="text-sm font-medium text-ink-3">What the agent returned</h3>
      {error === null ? (
        <p className="mt-1 text-ink-2">It says no error, or its row cannot be read.</p>
      ) : (
        <>
          <p className="mt-1 max-h-60 overflow-y-auto">
            {error.message === null ? (
              <span className="text-ink-3">no message</span>
            ) : (
              <JsonText json={error.message} shows={`${shows}/message`} />
            )}
          </p>
          <dl className="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-sm">
            {facts.map(({ name, key, json }) => (
              <div key={name} className="flex gap-1.5">
                <dt className="text-ink-3">{name}</dt>
                <dd>
                  {json === null ? (
                    <span className="text-ink-3">not said</span>
                  ) : (
                    <JsonText json={json} shows={`${shows}/${key}`} />
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <p className="mt-2 text-sm">
        {childId === null ? (
          'No run of the agent is named.'
        ) : isOwnRun ? (
          'Why it failed stands in the rows of this run.'
        ) : (
          <>
            Why it failed stands in the agent’s own run,{' '}
            <Link href={links.anyId(childId)} prefetch={false} className="link font-mono wrap-anywhere">
              <VisibleText text={childId} />
            </Link>
          </>
        )}
      </p>
    </section>
  )
}
