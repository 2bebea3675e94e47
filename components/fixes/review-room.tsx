'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import type { PatchPosition } from '@/lib/model/patch-position'
import { REVIEW_STATES, type ReviewState } from '@/lib/model/fix-states'
import { links } from '@/lib/links'
import { useLiveRefetch } from '../live/use-live-refetch'
import { asProblem } from '../shared/get-json'
import { useKeys } from '../shared/keys'
import { ProblemNotice } from '../shared/problem-notice'
import { Button } from '../shared/ui/button'
import { VisibleText } from '../shared/visible-text'
import { say } from '../shell/announcer'
import { ApplyBox } from './apply-box'
import { Budget } from './budget'
import { Conversation } from './conversation'
import { DECISIONS, DecideDialog } from './decide-dialog'
import { placeOfPatchLine } from './diff-place'
import { EarlierRequests } from './earlier-requests'
import { Evidence } from './evidence'
import { FileList } from './file-list'
import { Fit } from './fit'
import { FlagList } from './flag-list'
import { InterdiffSwitch, useInterdiff } from './interdiff-switch'
import { LateReviews } from './late-reviews'
import { Provenance } from './provenance'
import { fixQueries } from './queries'
import { RoomHeader } from './room-header'
import { ShareLinks } from './share-links'
import { SinceNotes } from './since-notes'
import { useComments, useViewed } from './use-comments'
import { useFiles } from './use-files'
import { useFlags } from './use-flags'
import { usePosition } from './use-position'
import { useSinceVersion } from './use-since-version'
import { useThreads } from './use-threads'
import type { FixDetail, FixFlag } from '@/lib/model/fix'

// The diff and what it draws with come after the page can be read.
const RefusedPatch = dynamic(() => import('./refused-patch').then((m) => m.RefusedPatch))
const InterdiffView = dynamic(() => import('./interdiff-view').then((m) => m.InterdiffView), {
  ssr: false,
  loading: () => (
    <div role="group" aria-busy="true" aria-label="Loading the diff" className="skeleton h-96" />
  ),
})
const DiffView = dynamic(() => import('./diff-view').then((m) => m.DiffView), {
  ssr: false,
  loading: () => (
    <div role="group" aria-busy="true" aria-label="Loading the diff" className="skeleton h-96" />
  ),
})

/** One fix, from what failed to a decision about exact bytes. Nothing on this page applies anything. */
export function ReviewRoom({
  id,
  mayComment,
  maySuggest,
}: {
  id: string
  mayComment: boolean
  maySuggest: boolean
}) {
  const client = useQueryClient()
  const detail = useQuery(fixQueries.detail(id))
  useLiveRefetch(detail.refetch, 1_000)
  if (!detail.data)
    return detail.isError ? (
      <ProblemNotice problem={asProblem(detail.error)} onRetry={() => void detail.refetch()} />
    ) : null
  const show = (fix: FixDetail): void => {
    client.setQueryData(fixQueries.detail(id).queryKey, fix)
    void client.invalidateQueries({ queryKey: fixQueries.root(), refetchType: 'none' })
  }
  return (
    <Room
      fix={detail.data}
      mayComment={mayComment}
      maySuggest={maySuggest}
      onFix={show}
      onReload={() => void detail.refetch()}
    />
  )
}

function Room({
  fix,
  mayComment,
  maySuggest,
  onFix,
  onReload,
}: {
  fix: FixDetail
  mayComment: boolean
  maySuggest: boolean
  onFix: (fix: FixDetail) => void
  onReload: () => void
}) {
  const client = useQueryClient()
  const place = usePosition()
  const comments = useComments(fix)
  const { viewed, mark } = useViewed(fix.id)
  const { files, readMore } = useFiles(fix, place.position?.file ?? null)
  const { since } = useSinceVersion(fix, fix.supersedes)
  const interdiff = useInterdiff(fix)
  const { all: threads, here } = useThreads(fix, comments.threads)
  const { flags, readMore: readMoreFlags } = useFlags(fix)
  const [deciding, setDeciding] = useState<ReviewState | null>(null)
  const [writing, setWriting] = useState(false)
  const offered = REVIEW_STATES.filter((state) => fix.mayBecome.includes(state))
  const whyNot = (to: ReviewState): string | null =>
    !fix.mayReview
      ? (fix.whyNotReview ?? 'You can’t review this fix')
      : to === 'approved' && fix.reading.verdict === 'unknown'
        ? 'The patch hasn’t been read yet'
        : to === 'approved' && fix.reading.blocking.length > 0
          ? `Blocking flag: ${fix.reading.blocking.join(', ')}`
          : to === 'approved' && fix.reading.verdict === 'error'
            ? 'git can’t read this patch'
            : null
  const decide = (to: ReviewState): void => {
    if (!offered.includes(to))
      return say(`${DECISIONS[to].verb}: not possible, the fix is ${fix.state.replace('_', ' ')}`)
    const why = whyNot(to)
    if (why !== null) return say(why)
    setDeciding(to)
  }
  useKeys({
    A: () => decide('approved'),
    R: () => decide('changes_requested'),
    D: () => window.location.assign(links.fixPatch(fix.id)),
    '=': interdiff.toggle,
  })
  const goToFlag = (flag: FixFlag): void => {
    if (flag.file === null) return
    const file = files.find((one) => one.ordinal === flag.file)
    const rows = file && client.getQueryData(fixQueries.rows(fix.id, file).queryKey)
    place.goTo({
      file: flag.file,
      lines: flag.lines === null ? null : placeOfPatchLine(rows, flag.lines.start),
    })
  }
  const showPlace = (at: PatchPosition): void => {
    interdiff.choose(null)
    place.goTo(at)
  }
  return (
    <article aria-labelledby="title" className="min-w-0">
      <RoomHeader fix={fix} threads={threads}>
        {offered.map((to) => (
          <Button
            key={to}
            kind={to === 'approved' ? 'main' : to === 'rejected' ? 'danger' : 'plain'}
            why={whyNot(to)}
            onClick={() => decide(to)}
            title={
              to === 'approved'
                ? 'Approve (A)'
                : to === 'changes_requested'
                  ? 'Request changes (R)'
                  : undefined
            }
          >
            {DECISIONS[to].verb}
          </Button>
        ))}
        {!fix.mayReview && fix.whyNotReview !== null && offered.length > 0 && (
          <p className="w-full text-sm text-ink-2">
            <VisibleText text={fix.whyNotReview} />
          </p>
        )}
      </RoomHeader>
      <LateReviews fix={fix} />
      <div className="space-y-3 p-4 md:px-6">
        <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,1fr)_24rem]">
          <div className="min-w-0 space-y-3">
            <Evidence fix={fix} />
            <Fit
              fix={fix}
              onGo={({ file, place: at }) =>
                file !== null &&
                place.goTo({ file, lines: at && { side: at.side, start: at.line, end: at.line } })
              }
            />
            <FlagList fix={fix} flags={flags} onMore={readMoreFlags} onGo={goToFlag} />
            <Conversation
              threads={threads}
              busy={comments.busy}
              mayComment={mayComment}
              writing={writing}
              onWriting={setWriting}
              onSend={comments.send}
            >
              <EarlierRequests
                fix={fix}
                threads={threads}
                busy={comments.busy}
                mayComment={mayComment}
                onSend={comments.send}
                onGo={showPlace}
              />
            </Conversation>
            {comments.problem !== null && <ProblemNotice compact problem={comments.problem} />}
          </div>
          <div className="min-w-0 space-y-3">
            <ApplyBox fix={fix}>{fix.mayReview && <ShareLinks fix={fix} />}</ApplyBox>
            <Budget fix={fix} />
            <Provenance fix={fix} />
          </div>
        </div>
        {fix.reading.verdict === 'error' ? (
          <RefusedPatch fix={fix} flags={flags} />
        ) : (
          <div className="grid items-start gap-3 lg:grid-cols-[17rem_minmax(0,1fr)]">
            <div className="flex max-h-[50vh] min-w-0 flex-col rounded border border-line bg-surface lg:sticky lg:top-14 lg:max-h-[calc(100dvh-4.5rem)]">
              {since !== null && <SinceNotes since={since} />}
              <FileList
                files={files}
                total={fix.reading.files}
                flags={flags}
                viewed={viewed}
                current={place.position?.file ?? null}
                onGo={(file) => place.goTo({ file: file.ordinal, lines: null })}
                onMore={readMore}
              />
            </div>
            {fix.reading.verdict === 'unknown' ? (
              <p className="min-w-0 rounded border border-line bg-surface p-3">
                {fix.reading.problem} It is shown once it has been read. The next server start tries again, or
                run <code className="font-mono">inquest reingest</code>.
              </p>
            ) : interdiff.since !== null ? (
              <InterdiffView
                key={interdiff.since.id}
                fix={fix}
                earlier={interdiff.since.id}
                threads={threads}
                place={place}
                mayComment={mayComment}
                sending={comments.busy}
                onSend={comments.send}
                onShow={showPlace}
              >
                <InterdiffSwitch {...interdiff} />
              </InterdiffView>
            ) : (
              <DiffView
                fix={fix}
                files={files}
                flags={flags}
                threads={here}
                since={since}
                onMore={readMore}
                place={place}
                viewed={viewed}
                onViewed={(file, isViewed) => mark(file.sha256, isViewed)}
                mayComment={mayComment}
                maySuggest={maySuggest}
                sending={comments.busy}
                onSend={comments.send}
              >
                <InterdiffSwitch {...interdiff} />
              </DiffView>
            )}
          </div>
        )}
      </div>
      <DecideDialog
        fix={fix}
        to={deciding}
        onClose={() => setDeciding(null)}
        onDone={onFix}
        onReload={() => {
          setDeciding(null)
          onReload()
        }}
      />
    </article>
  )
}
