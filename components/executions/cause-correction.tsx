'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { useState } from 'react'
import type { ExecutionDetail } from '@/lib/api/schemas'
import { links } from '@/lib/links'
import type { CauseCorrection } from '@/lib/model/cause-correction'
import { correctedCallWords, correctionWords, sinceCorrected } from '@/lib/words/corrections'
import { executionQueries } from '../execution-data/queries'
import { asProblem, sendJson } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { Time } from '../shared/time'
import { Button } from '../shared/ui/button'
import { VisibleText } from '../shared/visible-text'
import { say } from '../shell/announcer'

// Nobody needs it to read the cause.
const CorrectDialog = dynamic(() => import('./correct-dialog').then((m) => m.CorrectDialog))

/** Puts a correction beside the cause that is on screen; null takes it away. */
function useShowCorrection(id: string): (correction: CauseCorrection | null) => void {
  const client = useQueryClient()
  return (correction) =>
    client.setQueryData<ExecutionDetail>(
      executionQueries.detail(id).queryKey,
      (before) => before && { ...before, correction },
    )
}

/**
 * Opens the dialog in which a person says what the cause is instead. A correction that somebody else makes meanwhile takes the button
 * away, and not the dialog with what was written there.
 */
export function NotTheCause({ execution }: { execution: ExecutionDetail }) {
  const [open, setOpen] = useState(false)
  // Its code comes with the first opening, and stays so that closing it moves the focus back.
  const [wanted, setWanted] = useState(false)
  const show = useShowCorrection(execution.id)
  return (
    <>
      {execution.correction === null && (
        <button
          type="button"
          className="link font-medium"
          onClick={() => {
            setWanted(true)
            setOpen(true)
          }}
        >
          {correctionWords.open}
        </button>
      )}
      {wanted && (
        <CorrectDialog execution={execution} open={open} onClose={() => setOpen(false)} onSaved={show} />
      )}
    </>
  )
}

/** What a person said against the cause: beside the verdict, and never in its place. */
export function CorrectionLine({
  executionId,
  correction,
  mayUndo,
}: {
  executionId: string
  correction: CauseCorrection
  mayUndo: boolean
}) {
  const client = useQueryClient()
  const show = useShowCorrection(executionId)
  const undoing = useMutation({
    mutationFn: () =>
      sendJson<CauseCorrection>(
        'DELETE',
        links.api.causeCorrection(executionId, { correction: correction.id }),
      ),
    onSuccess: () => {
      say(correctionWords.undone)
      show(null)
    },
    // Whoever was faster is shown.
    onError: () => client.invalidateQueries({ queryKey: executionQueries.detail(executionId).queryKey }),
  })
  const since = sinceCorrected(correction)
  return (
    <div
      role="group"
      aria-label="Correction"
      className="mt-3 flex flex-wrap items-start gap-x-4 gap-y-1 border-t border-line pt-2.5"
    >
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <p>
          Corrected by{' '}
          <strong className="font-medium">
            <VisibleText text={correction.by} />
          </strong>
          :{' '}
          {correction.call === null ? (
            correctionWords.nothing
          ) : (
            <Link
              href={links.execution(executionId, 'calls', { call: correction.call.id })}
              prefetch={false}
              className="link"
            >
              <VisibleText text={correctedCallWords(correction.call)} />
            </Link>
          )}
        </p>
        <p className="text-sm text-ink-2">
          <Time at={correction.at} />
          {correction.reason !== '' && (
            <>
              {' · '}
              <VisibleText text={correction.reason} />
            </>
          )}
        </p>
        {since !== null && (
          <p className="text-sm text-ink-2">
            <VisibleText text={since} />
          </p>
        )}
        {undoing.error !== null && <ProblemNotice compact problem={asProblem(undoing.error)} />}
      </div>
      {mayUndo && (
        <Button why={undoing.isPending ? 'Sending' : null} onClick={() => undoing.mutate()}>
          <Undo2 size={14} aria-hidden /> Undo
        </Button>
      )}
    </div>
  )
}
