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

/** Where a diagnosis is in its row. */
export const SLOT = '/result/context/error/diagnosis'

interface Props {
  read: AgentDiagnosisRead
  /** Execution whose rows hold it. */
  holder: string
  /** The page is that of the agent's run. */
  isOwnRun: boolean
  /** Where it is in the documents that the page holds. */
  shows: string
}

/** One agent that failed: what became of its diagnosis, the diagnosis itself, and what the agent returned, which stays beside it. */
export function AgentDiagnosis({ read, holder, isOwnRun, shows }: Props) {
  const { state, value, attempts, elsewhere, versions, row } = read
  const words = STATE_WORDS[state]
  return (
    <div className="rounded border border-line bg-surface p-4 md:p-5">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StateMark state={state} /> <span className="text-md font-semibold">{words.name}</span>
        {value !== null && (
          <CopyButton className="ml-auto !py-0 text-sm" label="Copy diagnosis as JSON" text={value.json}>
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
      {versions.length > 0 && <RowVersions versions={versions} holder={holder} />}
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
        <section aria-label="Diagnosis runs" className="mt-4">
          <h3 className="text-sm font-medium text-ink-3">Diagnosis runs</h3>
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
      aria-label="Unsaved diagnosis"
      className="mt-3 rounded border-2 border-dashed border-line-strong bg-tint-warn px-4 py-3"
    >
      <p className="font-semibold">Run {run} produced a diagnosis that was never saved here</p>
      <p className="mt-0.5 max-w-[90ch] text-sm">
        {isHandle ? (
          <>
            Only the ID of the diagnosis run was stored at <code className="font-mono">{SLOT_WORDS}</code>.
          </>
        ) : (
          <>
            It was lost in transit, or never attached at <code className="font-mono">{SLOT_WORDS}</code>.
          </>
        )}{' '}
        The source’s own check can’t see this: it compares the rows of a step with each other.{' '}
        <Link href={links.execution(holder, 'parity')} className="link inline-flex items-center gap-1">
          View differences <ArrowRight size={14} aria-hidden />
        </Link>
      </p>
      <div className="mt-2 rounded bg-surface px-3 pb-1">
        <p className="py-2 text-sm font-medium text-ink-2">Inferred from that run:</p>
        <DiagnosisValues value={elsewhere.value} shows={`${shows}/value`} hrefOf={null} />
      </div>
    </section>
  )
}

const SLOT_WORDS = 'result.context.error.diagnosis'

/** Kept documents that contradict what is shown: none of them is chosen in silence. */
function RowVersions({ versions, holder }: { versions: AgentDiagnosisRead['versions']; holder: string }) {
  return (
    <section
      aria-label="Conflicting copies of this row"
      className="mt-3 rounded border-2 border-dashed border-line-strong bg-tint-warn px-4 py-3 text-sm"
    >
      <p className="font-semibold">
        {versions.length === 1
          ? 'Another copy of this row differs'
          : `${versions.length} other copies of this row differ`}
      </p>
      <p className="mt-0.5 max-w-[90ch]">Showing the most complete copy. Other copies contain:</p>
      <ul className="mt-1 list-disc pl-5">
        {versions.map(({ state, pointer }) => (
          <li key={`${pointer.received} ${pointer.byteStart}`}>
            {VERSION_WORDS[state] ?? state}, in{' '}
            <Link href={links.bytes(holder, pointer)} prefetch={false} className="link font-mono">
              {pointer.received.slice(0, 12)}…
            </Link>
          </li>
        ))}
      </ul>
      <p className="mt-1">
        <Link href={links.execution(holder, 'parity')} className="link inline-flex items-center gap-1">
          View all differences <ArrowRight size={14} aria-hidden />
        </Link>
      </p>
    </section>
  )
}

const VERSION_WORDS: Record<string, string> = {
  complete: 'a complete diagnosis',
  incomplete: 'an incomplete diagnosis',
  malformed: 'something other than a diagnosis',
  dispatch_handle: 'only a run ID',
  absent: 'no diagnosis',
}

/** What the agent returned. A diagnosis never is in its place. */
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
    <section aria-label="Agent error" className="mt-4 rounded border border-line bg-sunken px-4 py-3">
      <h3 className="text-sm font-medium text-ink-3">Agent error</h3>
      {error === null ? (
        <p className="mt-1 text-ink-2">No error reported, or its row is unreadable.</p>
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
                    <span className="text-ink-3">not reported</span>
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
          'The agent’s run is not recorded.'
        ) : isOwnRun ? (
          'See the events of this run for why it failed.'
        ) : (
          <>
            See the agent’s run for why it failed:{' '}
            <Link href={links.anyId(childId)} prefetch={false} className="link font-mono wrap-anywhere">
              <VisibleText text={childId} />
            </Link>
          </>
        )}
      </p>
    </section>
  )
}
