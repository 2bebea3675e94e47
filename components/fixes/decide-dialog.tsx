'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewReview } from '@/lib/api/fix-schemas'
import type { ReviewState } from '@/lib/model/fix-states'
import { links } from '@/lib/links'
import { asProblem, sendJson } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { Button } from '../shared/ui/button'
import { Dialog } from '../shared/ui/dialog'
import { inputClass } from '../shared/ui/field'
import { VisibleText } from '../shared/visible-text'
import { say } from '../shell/announcer'
import { verdictWord, fixStateWord, signalsToAcknowledge } from './words'
import type { FixDetail } from '@/lib/model/fix'

export const DECISIONS: Record<ReviewState, { verb: string; title: string; does: string }> = {
  approved: {
    verb: 'Approve',
    title: 'Approve this patch',
    does: 'The approval covers exactly this patch, by its digest. Nothing is applied, and the failed run stays failed.',
  },
  changes_requested: {
    verb: 'Request changes',
    title: 'Request changes',
    does: 'The proposer must submit a new version. This version can’t be approved afterwards.',
  },
  rejected: { verb: 'Reject', title: 'Reject this fix', does: 'This ends the review of this patch.' },
  applied: {
    verb: 'Report as applied',
    title: 'Report that you applied this fix',
    does: 'This records what you did manually. Nothing is applied here.',
  },
}
const HOW = ['inquest fix apply', 'git apply', 'other'] as const

/** Takes a decision with its reason; what somebody else changed meanwhile is shown, and nothing of it is lost. */
export function DecideDialog({
  fix,
  to,
  onClose,
  onDone,
  onReload,
}: {
  fix: FixDetail
  to: ReviewState | null
  onClose: () => void
  onDone: (fix: FixDetail) => void
  onReload: () => void
}) {
  return (
    <Dialog open={to !== null} onClose={onClose} title={to === null ? '' : DECISIONS[to].title}>
      {to !== null && (
        <DecideForm key={to} fix={fix} to={to} onClose={onClose} onDone={onDone} onReload={onReload} />
      )}
    </Dialog>
  )
}

export function DecideForm({
  fix,
  to,
  onClose,
  onDone,
  onReload,
}: {
  fix: FixDetail
  to: ReviewState
  onClose: () => void
  onDone: (fix: FixDetail) => void
  onReload: () => void
}) {
  const needed = to === 'approved' ? signalsToAcknowledge(fix) : []
  const [comment, setComment] = useState('')
  const [seen, setSeen] = useState<string[]>([])
  const [how, setHow] = useState<(typeof HOW)[number]>('git apply')
  const [commit, setCommit] = useState('')
  const [exact, setExact] = useState<'exact' | 'edited' | 'unknown'>('exact')
  // What is judged is what was on screen when the dialog was opened.
  const [judged] = useState({ version: fix.version, sha256: fix.sha256 })
  const sending = useMutation({
    mutationFn: (review: NewReview) =>
      sendJson<FixDetail>('POST', links.api.ofFix(fix.id, 'reviews'), review),
    onSuccess: (after) => {
      say(fixStateWord(after.state))
      onDone(after)
      onClose()
    },
  })
  const problem = sending.error === null ? null : asProblem(sending.error)
  const reasonNeeded = to !== 'applied'
  const why = sending.isPending
    ? 'Sending'
    : reasonNeeded && comment.trim() === ''
      ? 'Enter a reason first'
      : needed.some((code) => !seen.includes(code))
        ? 'Confirm that you’ve reviewed each high-severity flag first'
        : null
  const send = (): void => {
    if (why !== null) return
    sending.mutate({
      ...judged,
      to,
      comment: comment.trim(),
      acknowledged: seen,
      ...(to === 'applied' && {
        applied: {
          how,
          commit: /^[0-9a-f]{7,64}$/.test(commit.trim()) ? commit.trim() : null,
          exact: exact === 'unknown' ? null : exact === 'exact',
        },
      }),
    })
  }
  return (
    <form
      className="space-y-3 p-4"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && send()}
    >
      <p className="text-ink-2">{DECISIONS[to].does}</p>
      {fix.byOwnKey && (
        <p className="text-warn">This fix was proposed with your API key. Your review will show that.</p>
      )}
      {to === 'approved' && fix.verdict !== 'reproduced-and-fixed' && (
        <p className="text-warn">Proposer’s evidence: {verdictWord(fix.verdict)}.</p>
      )}
      {to === 'approved' && fix.reading.warnings.length > 0 && (
        <p className="text-warn wrap-anywhere">
          Flags: <VisibleText text={fix.reading.warnings.join(', ')} />.
        </p>
      )}
      {needed.length > 0 && (
        <fieldset className="space-y-1 rounded border border-warn bg-tint-warn px-3 py-2">
          <legend className="px-1 font-medium">I’ve reviewed the high-severity flags</legend>
          {needed.map((code) => (
            <label key={code} className="flex items-center gap-2">
              <input
                type="checkbox"
                checked={seen.includes(code)}
                className="accent-(--accent)"
                onChange={(event) =>
                  setSeen((before) =>
                    event.target.checked ? [...before, code] : before.filter((one) => one !== code),
                  )
                }
              />
              <code className="font-mono">{code}</code>
            </label>
          ))}
        </fieldset>
      )}
      {to === 'applied' && (
        <fieldset className="grid gap-3 sm:grid-cols-3">
          <legend className="sr-only">What you did</legend>
          <label className="space-y-1">
            <span className="block font-medium">How</span>
            <select
              value={how}
              onChange={(event) => setHow(HOW.find((one) => one === event.target.value) ?? 'other')}
              className={inputClass}
            >
              {HOW.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
          <label className="space-y-1">
            <span className="block font-medium">Commit, if known</span>
            <input
              value={commit}
              onChange={(event) => setCommit(event.target.value)}
              className={inputClass}
              pattern="\s*[0-9a-f]{7,64}\s*"
              title="7 to 64 hex digits"
            />
          </label>
          <label className="space-y-1">
            <span className="block font-medium">Bytes</span>
            <select
              value={exact}
              onChange={(event) =>
                setExact(
                  event.target.value === 'edited'
                    ? 'edited'
                    : event.target.value === 'unknown'
                      ? 'unknown'
                      : 'exact',
                )
              }
              className={inputClass}
            >
              <option value="exact">exactly this patch</option>
              <option value="edited">edited</option>
              <option value="unknown">not known</option>
            </select>
          </label>
        </fieldset>
      )}
      <label className="block space-y-1">
        <span className="block font-medium">Reason{!reasonNeeded && ' (optional)'}</span>
        <textarea
          autoFocus
          value={comment}
          onChange={(event) => setComment(event.target.value)}
          rows={4}
          maxLength={20_000}
          className="w-full rounded border border-control bg-surface px-2.5 py-1.5"
        />
      </label>
      {problem !== null && (
        <div>
          <ProblemNotice compact problem={problem} />
          {problem.type === '/problems/stale-write' && <Button onClick={onReload}>Reload the fix</Button>}
        </div>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <span className="mr-auto text-sm text-ink-2">
          Judged: <code className="font-mono">{judged.sha256.slice(0, 12)}…</code>
        </span>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button kind={to === 'rejected' ? 'danger' : 'main'} type="submit" why={why}>
          {DECISIONS[to].verb}
        </Button>
      </div>
    </form>
  )
}
