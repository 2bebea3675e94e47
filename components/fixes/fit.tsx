'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { LoaderCircle, TriangleAlert } from 'lucide-react'
import type { FixFit } from '@/lib/api/fit-schemas'
import type { FitOutcome, FitSide, FitTrouble } from '@/lib/judge/fixes/fit'
import { NOT_CHECKED_WORDS } from '@/lib/words/fixes'
import { links } from '@/lib/links'
import { useLiveRefetch } from '../live/use-live-refetch'
import { formatCount, shortDigest } from '../shared/format'
import { asProblem, sendJson } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { Time } from '../shared/time'
import { Button } from '../shared/ui/button'
import { VisibleText } from '../shared/visible-text'
import {
  appliedSentence,
  OUTCOMES,
  progressWords,
  sideSentence,
  staleSentence,
  troublePlace,
  troubleSentence,
} from './fit-words'
import { fixQueries } from './queries'
import type { FixDetail } from '@/lib/model/fix'

interface FitProps {
  fix: FixDetail
  /** Goes to the place in the diff that does not fit. */
  onGo: (trouble: FitTrouble) => void
}

/** Whether git would still apply the patch to its base and its branch. It is only asked, in a repository that is only read. */
export function Fit({ fix, onGo }: FitProps) {
  const client = useQueryClient()
  const { queryKey } = fixQueries.fit(fix.id)
  const fit = useQuery(fixQueries.fit(fix.id))
  useLiveRefetch(fit.refetch, 1_000)
  const asking = useMutation({
    mutationFn: () => sendJson<FixFit>('POST', links.api.ofFix(fix.id, 'fit'), {}),
    onSuccess: (answer) => client.setQueryData(queryKey, answer),
  })
  const { data } = fit
  const progress = data === undefined ? null : progressWords(data)
  return (
    <section aria-labelledby="fit" className="min-w-0 space-y-2 rounded border border-line bg-surface p-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id="fit" className="flex flex-wrap items-center gap-x-3 font-semibold">
          Does it still apply?{' '}
          {data !== undefined && (
            <span className="inline-flex font-medium">
              <OutcomeMark outcome={data.outcome} />
            </span>
          )}{' '}
          {data?.stale != null && <span className="font-normal text-ink-2">when it was checked</span>}
        </h2>
        {data !== undefined &&
          (data.mayCheck || data.whyNotCheck !== null) &&
          data.why !== 'unsafe' &&
          data.why !== 'refused' && (
            <Button
              className="ml-auto"
              why={data.whyNotCheck ?? (progress !== null || asking.isPending ? 'Checking' : null)}
              onClick={() => asking.mutate()}
            >
              {data.standing === 'none' ? 'Check' : 'Check again'}
            </Button>
          )}
      </div>
      <p role="status" className="flex items-center gap-1.5 text-ink-2 empty:hidden">
        {progress !== null && (
          <>
            <LoaderCircle size={14} aria-hidden className="shrink-0" /> {progress}
          </>
        )}
      </p>
      {fit.isError && data === undefined && (
        <ProblemNotice compact problem={asProblem(fit.error)} onRetry={() => void fit.refetch()} />
      )}
      {asking.isError && <ProblemNotice compact problem={asProblem(asking.error)} />}
      {data === undefined && !fit.isError && <p className="text-ink-2">Loading…</p>}
      {data?.applied != null && (
        <div>
          <p className="wrap-anywhere">
            <VisibleText
              text={appliedSentence(
                data.applied,
                fix.reviews.findLast(({ to }) => to === 'applied')?.by ?? 'somebody',
              )}
            />
          </p>
          {data.applied.others.length > 0 && (
            <ul
              aria-label="Files that differ"
              tabIndex={data.applied.others.length > 8 ? 0 : undefined}
              className="mt-1 max-h-72 overflow-auto border-l-2 border-warn pl-3 text-sm"
            >
              {data.applied.others.map(({ name, found }) => (
                <li key={name} className="wrap-anywhere">
                  <VisibleText text={name} />{' '}
                  <span className="text-ink-2">
                    {found === null ? 'missing' : 'different content or mode'}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      {data !== undefined && <Found fit={data} isOnItsWay={progress !== null} onGo={onGo} />}
    </section>
  )
}

/** Shape, word and colour. */
function OutcomeMark({ outcome }: { outcome: FitOutcome }) {
  const { icon: Icon, tone, word } = OUTCOMES[outcome]
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <Icon size={16} aria-hidden className={`shrink-0 ${tone}`} /> {word}
    </span>
  )
}

function Found({ fit, isOnItsWay, onGo }: { fit: FixFit; isOnItsWay: boolean; onGo: FitProps['onGo'] }) {
  const { base, head, branch, checkedAt, gitVersion } = fit
  if (base === null || head === null)
    return isOnItsWay ? null : <p>{NOT_CHECKED_WORDS[fit.why ?? 'never']}</p>
  const stale = staleSentence(fit)
  const isOne = base.outcome === 'not-checked' && head.outcome === 'not-checked' && base.why === head.why
  return (
    <>
      {stale !== null && (
        <p className="flex gap-2 rounded border border-warn bg-tint-warn px-2 py-1.5">
          <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-warn" />
          <span className="min-w-0 wrap-anywhere">
            <VisibleText text={stale} /> The result below is from before.
          </span>
        </p>
      )}
      {isOne ? (
        <Side side={head} onGo={onGo} />
      ) : (
        <>
          <Side name="Its base" side={base} onGo={onGo} />
          <Side name={branch === null ? 'The branch' : `Branch ${branch}`} side={head} onGo={onGo} />
        </>
      )}
      <p className="text-sm text-ink-2">
        Checked <Time at={checkedAt} />
        {gitVersion !== null && <> with git {gitVersion}</>}
        {fit.repository !== null && (
          <>
            , in the mirror of <VisibleText text={fit.repository} />
          </>
        )}
        . Nothing was applied.
      </p>
    </>
  )
}

function Side({ name, side, onGo }: { name?: string; side: FitSide; onGo: FitProps['onGo'] }) {
  return (
    <div>
      <p className="flex flex-wrap items-center gap-x-2">
        {name !== undefined && (
          <span className="min-w-0 font-medium wrap-anywhere">
            <VisibleText text={name} />
          </span>
        )}
        {side.commit !== null && (
          <code className="font-mono text-sm text-ink-2" title={side.commit}>
            {shortDigest(side.commit)}
          </code>
        )}
        {name !== undefined && <OutcomeMark outcome={side.outcome} />}
        <span className="min-w-0 text-ink-2">{sideSentence(side)}</span>
      </p>
      {side.words !== null && (
        <p className="min-w-0 text-sm text-ink-2 wrap-anywhere">
          <VisibleText text={side.words} />
        </p>
      )}
      {side.troubles.length > 0 && (
        <ul
          aria-label={`Does not apply: ${name ?? ''}`}
          tabIndex={side.troubles.length > 8 ? 0 : undefined}
          className="mt-1 max-h-72 divide-y divide-line overflow-auto border-l-2 border-bad pl-3"
        >
          {side.troubles.map((trouble, index) => (
            <Trouble key={index} trouble={trouble} onGo={onGo} />
          ))}
        </ul>
      )}
      {side.troublesTotal > side.troubles.length && (
        <p className="text-sm text-ink-2">The first {formatCount(side.troubles.length)} are listed.</p>
      )}
    </div>
  )
}

function Trouble({ trouble, onGo }: { trouble: FitTrouble; onGo: FitProps['onGo'] }) {
  const place = <VisibleText text={troublePlace(trouble)} />
  return (
    <li className="py-1">
      <p className="flex flex-wrap items-baseline gap-x-2">
        {trouble.file === null ? (
          <span className="font-medium">{place}</span>
        ) : (
          <button
            type="button"
            onClick={() => onGo(trouble)}
            className="link min-w-0 text-left wrap-anywhere"
          >
            {place}
          </button>
        )}
        <span>{troubleSentence(trouble)}</span>
      </p>
      <p className="min-w-0 font-mono text-sm wrap-anywhere text-ink-2">
        <span className="sr-only">git says: </span>
        <VisibleText text={trouble.words} />
      </p>
    </li>
  )
}
