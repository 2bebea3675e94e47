'use client'

import { FileSearch, X } from 'lucide-react'
import Link from 'next/link'
import { useState } from 'react'
import type { CallItem } from '@/lib/api/schemas'
import { failureWords } from '@/lib/words/failures'
import { RESOLUTION_NAMES } from '@/lib/words/resolution-names'
import { CALL_VERDICTS } from '@/lib/words/verdicts'
import type { Pointer } from '@/lib/model/execution'
import { links } from '@/lib/links'
import { inputChannelWords, linkRuleWords } from '../execution-data/words'
import { Payload } from '../raw/payload'
import { CopyButton } from '../shared/copy-button'
import { formatBytes, formatDuration } from '../shared/format'
import { CallGlyph, callWord, Outcome } from '../shared/glyphs'
import { SidePanel } from '../shared/side-panel'
import { ExactTime } from '../shared/time'
import { VisibleText } from '../shared/visible-text'

/** One call, beside the list it was chosen from; its payload is read when it is asked for. */
export function CallPanel({
  executionId,
  call,
  onClose,
}: {
  executionId: string
  call: CallItem
  onClose: () => void
}) {
  return (
    <SidePanel label={`Call ${call.ordinal + 1}`} className="space-y-4 p-4">
      <header className="flex items-center gap-2">
        <CallGlyph state={call.state} />
        <h2 className="min-w-0 flex-1 truncate text-md font-semibold">
          <VisibleText text={call.tool} />{' '}
          <span className="text-base font-normal text-ink-3">
            call {call.ordinal + 1}, {callWord(call.state).toLowerCase()}
          </span>
        </h2>
        <button type="button" onClick={onClose} className="rounded p-1 text-ink-2 hover:bg-hover">
          <X size={16} aria-hidden />
          <span className="sr-only">Close call</span>
        </button>
      </header>
      {call.target !== null && (
        <pre
          role="group"
          className="max-h-40 overflow-auto rounded bg-sunken px-3 py-2 font-mono text-sm whitespace-pre-wrap"
          tabIndex={0}
          aria-label="Target"
        >
          <VisibleText text={call.target} />
        </pre>
      )}
      <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm [&_dt]:text-ink-3">
        {call.failureClass && (
          <>
            <dt>Failure class</dt>
            <dd>
              {failureWords(call)}
              {call.exitCode === null ? '' : `, exit code ${call.exitCode}`}
            </dd>
          </>
        )}
        <dt>Started</dt>
        <dd>
          <ExactTime at={call.startedAt} />
        </dd>
        <dt>Took</dt>
        <dd>{call.durationMs === null ? 'unknown' : formatDuration(call.durationMs)}</dd>
        {call.chain !== null && (
          <>
            <dt>Chain</dt>
            <dd>
              {call.chain + 1}
              {(call.numberInChain ?? 1) > 1 && `, retry ${call.numberInChain! - 1}`}
            </dd>
          </>
        )}
        {call.resolution && (
          <>
            <dt>What became of it</dt>
            <dd className="first-letter:uppercase" title={`Rule: ${call.resolution.rule}`}>
              {RESOLUTION_NAMES[call.resolution.resolution]} (inferred).{' '}
              <VisibleText text={call.resolution.text} />
            </dd>
          </>
        )}
        {call.retry && (
          <>
            <dt>Identical retry</dt>
            <dd className="first-letter:uppercase" title={`Rule: ${call.retry.rule}`}>
              {CALL_VERDICTS[call.retry.verdict]} (inferred). <VisibleText text={call.retry.text} />
            </dd>
          </>
        )}
        {call.linkRule && (
          <>
            <dt>Linked by</dt>
            <dd>
              {linkRuleWords(call.linkRule)} (
              {call.linkBasis === 'recorded' ? 'stated by the source' : 'inferred'})
              {call.inputChanged === null ? '' : call.inputChanged ? '; input changed' : '; same input'}
            </dd>
          </>
        )}
        <dt>Id</dt>
        <dd className="flex items-center gap-1">
          <code className="truncate font-mono">
            <VisibleText text={call.callId} />
          </code>
          <CopyButton text={call.callId} label="Copy call ID" />
        </dd>
        {call.childId && (
          <>
            <dt>Started</dt>
            <dd>
              <Link href={links.execution(call.childId)} className="link">
                a sub-agent
              </Link>{' '}
              {call.childOutcome !== null && <Outcome outcome={call.childOutcome} />}
            </dd>
          </>
        )}
        {call.disagreements.map((d) => (
          <div key={`${d.channel} ${d.fact}`} className="contents">
            <dt>Disagreement</dt>
            <dd>
              {inputChannelWords(d.channel)} says {d.fact} “<VisibleText text={d.said} />
              ”; used: “<VisibleText text={d.used} />”
            </dd>
          </div>
        ))}
      </dl>
      {call.errorText && (
        <section aria-label="Error text">
          <h3 className="mb-1 text-sm font-medium text-ink-3">Error text</h3>
          <pre
            tabIndex={0}
            className="max-h-72 overflow-auto rounded border border-line bg-bg px-3 py-2 font-mono text-sm whitespace-pre-wrap"
          >
            <VisibleText text={call.errorText} />
          </pre>
          {call.errorTextCut && (
            <p className="mt-1 text-sm text-ink-3">Truncated. View the raw result for the full text.</p>
          )}
        </section>
      )}
      <PointerPart executionId={executionId} name="Call" pointer={call.callPointer} />
      <PointerPart executionId={executionId} name="Result" pointer={call.resultPointer} />
    </SidePanel>
  )
}

function PointerPart({
  executionId,
  name,
  pointer,
}: {
  executionId: string
  name: string
  pointer: Pointer | null
}) {
  const [open, setOpen] = useState(false)
  if (!pointer) return <p className="text-sm text-ink-3">{name}: no raw record.</p>
  return (
    <section className="rounded border border-line">
      <div className="flex items-center gap-2 px-3 py-1.5">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="font-medium hover:underline"
        >
          {name}
        </button>
        <span className="text-sm text-ink-3">{formatBytes(pointer.byteEnd - pointer.byteStart)}</span>
        <Link
          href={links.bytes(executionId, pointer)}
          prefetch={false}
          className="link ml-auto inline-flex items-center gap-1 text-sm"
        >
          <FileSearch size={14} aria-hidden /> View raw
        </Link>
      </div>
      {open && (
        <div className="border-t border-line">
          <Payload key={`${pointer.received} ${pointer.byteStart}`} pointer={pointer} />
        </div>
      )}
    </section>
  )
}
