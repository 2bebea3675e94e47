'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useId, useMemo, useState } from 'react'
import type { CallItem, ExecutionDetail } from '@/lib/api/schemas'
import { limits } from '@/lib/limits'
import { links } from '@/lib/links'
import type { CauseCorrection } from '@/lib/model/cause-correction'
import { cutAtWord, oneLine } from '@/lib/text/visible'
import { correctionWords, moreCalls } from '@/lib/words/corrections'
import { failureWords } from '@/lib/words/failures'
import { executionQueries } from '../execution-data/queries'
import { asProblem, sendJson } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { Button } from '../shared/ui/button'
import { Chip } from '../shared/ui/chip'
import { Dialog } from '../shared/ui/dialog'
import { inputClass } from '../shared/ui/field'
import { VisibleText } from '../shared/visible-text'
import { say } from '../shell/announcer'

interface Props {
  execution: ExecutionDetail
  open: boolean
  onClose: () => void
  onSaved: (correction: CauseCorrection) => void
}

/** Asks which failed call is the cause, or whether nothing needs attention. Nothing is chosen in advance. */
export const CorrectDialog = ({ open, onClose, ...rest }: Props) => (
  <Dialog open={open} onClose={onClose} title={correctionWords.title}>
    {open && <CorrectForm onClose={onClose} {...rest} />}
  </Dialog>
)

const ROWS = 50
const TARGET_CHARS = 200

function CorrectForm({ execution, onClose, onSaved }: Omit<Props, 'open'>) {
  const { id, attention } = execution
  const name = useId()
  const client = useQueryClient()
  const calls = useQuery(executionQueries.failed(id))
  const [choice, setChoice] = useState<{ call: string | null; isMain: boolean } | null>(null)
  const [reason, setReason] = useState('')
  const [search, setSearch] = useState('')
  const [rows, setRows] = useState(ROWS)
  // What is corrected is what was on screen when the dialog was opened.
  const [judged] = useState({
    rule: execution.cause?.rule ?? null,
    pointer: execution.cause?.pointer ?? null,
  })
  const wanted = useDeferredValue(search)
  const found = useMemo(() => matching(calls.data ?? [], wanted), [calls.data, wanted])
  const sending = useMutation({
    mutationFn: (call: string | null) =>
      sendJson<CauseCorrection>('POST', links.api.causeCorrection(id), { call, reason, judged }),
    onSuccess: (correction) => {
      say(correctionWords.saved)
      onSaved(correction)
      onClose()
    },
  })
  const problem = sending.error === null ? null : asProblem(sending.error)
  const why = sending.isPending
    ? 'Sending'
    : choice === null
      ? correctionWords.chooseFirst
      : choice.isMain && attention?.needed === true
        ? correctionWords.sameCall
        : null
  const send = (): void => {
    if (why === null && choice !== null) sending.mutate(choice.call)
  }
  const choose = (call: string | null, isMain: boolean) => () => setChoice({ call, isMain })
  return (
    <form
      className="space-y-3 p-4"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && send()}
    >
      <p className="text-ink-2">{correctionWords.keeps}</p>
      <input
        type="search"
        value={search}
        aria-label={correctionWords.search}
        placeholder={correctionWords.search}
        className={inputClass}
        onChange={(event) => {
          setSearch(event.target.value)
          setRows(ROWS)
        }}
        // Enter in a search sends nothing.
        onKeyDown={(event) =>
          event.key === 'Enter' && !event.ctrlKey && !event.metaKey && event.preventDefault()
        }
      />
      <fieldset className="min-w-0">
        <legend className="sr-only">{correctionWords.title}</legend>
        <label className="flex cursor-pointer items-center gap-2.5 rounded border border-line px-3 py-2 has-checked:border-accent">
          <input
            type="radio"
            name={name}
            className="accent-(--accent)"
            checked={choice !== null && choice.call === null}
            onChange={choose(null, false)}
          />
          <span className="font-medium">{correctionWords.nothing}</span>
        </label>
        <div className="mt-2 max-h-[34vh] divide-y divide-line overflow-y-auto rounded border border-line">
          {found.slice(0, rows).map((call) => (
            <CallChoice
              key={call.ordinal}
              call={call}
              name={name}
              checked={choice?.call === call.callId}
              onChoose={choose(call.callId, call.isMain)}
            />
          ))}
          {found.length === 0 && (
            <p className="px-3 py-4 text-ink-2" role="status">
              {calls.isPending
                ? correctionWords.reading
                : calls.isError
                  ? asProblem(calls.error).title
                  : calls.data.length === 0
                    ? correctionWords.noFailedCalls
                    : correctionWords.noMatch}
            </p>
          )}
          {found.length > rows && (
            <p className="px-3 py-2">
              <Button kind="quiet" onClick={() => setRows((before) => before + ROWS)}>
                {moreCalls(Math.min(ROWS, found.length - rows))}
              </Button>
            </p>
          )}
        </div>
      </fieldset>
      <label className="block space-y-1">
        <span className="block font-medium">{correctionWords.reason}</span>
        <textarea
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          rows={2}
          maxLength={limits.correctionReasonCharsMax}
          className="w-full rounded border border-control bg-surface px-2.5 py-1.5"
        />
      </label>
      {problem !== null && (
        <div>
          <ProblemNotice compact problem={problem} />
          {problem.type === '/problems/stale-write' && (
            <Button
              onClick={() => {
                void client.invalidateQueries({ queryKey: executionQueries.detail(id).queryKey })
                onClose()
              }}
            >
              Reload the execution
            </Button>
          )}
        </div>
      )}
      <div className="flex justify-end gap-2">
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="main" type="submit" why={why}>
          Save correction
        </Button>
      </div>
    </form>
  )
}

/** Calls that hold every word of the search, in their tool, target, error or number. */
function matching(calls: CallItem[], search: string): CallItem[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return calls
  return calls.filter((call) => {
    const text = `${call.ordinal + 1} ${call.tool} ${call.target ?? ''} ${call.errorText ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

function CallChoice({
  call,
  name,
  checked,
  onChoose,
}: {
  call: CallItem
  name: string
  checked: boolean
  onChoose: () => void
}) {
  return (
    <label className="flex cursor-pointer items-start gap-2.5 px-3 py-2 hover:bg-hover has-checked:bg-selected">
      <input
        type="radio"
        name={name}
        className="mt-1 shrink-0 accent-(--accent)"
        checked={checked}
        onChange={onChoose}
      />
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <strong className="font-medium wrap-anywhere">
            <VisibleText text={call.tool} />
          </strong>
          {call.isMain && <Chip>judged cause</Chip>}
          {call.failureClass && <Chip>{failureWords(call)}</Chip>}
          <span className="ml-auto text-sm text-ink-3">call {call.ordinal + 1}</span>
        </span>
        {call.target !== null && (
          <span className="block font-mono text-sm wrap-anywhere text-ink-2">
            <VisibleText text={cutAtWord(oneLine(call.target), TARGET_CHARS)} />
          </span>
        )}
        {call.errorText !== null && (
          <span className="block text-sm wrap-anywhere text-ink-2">
            <VisibleText text={cutAtWord(oneLine(call.errorText), TARGET_CHARS)} />
          </span>
        )}
      </span>
    </label>
  )
}
