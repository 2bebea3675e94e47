'use client'

import '../fixes/diff.css'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { ChangeItem } from '@/lib/api/change-schemas'
import { readFileRows, type DiffHunk } from '@/lib/views/fixes/diff-rows'
import { drawHunk } from '@/lib/views/fixes/drawn-lines'
import { BytesLink } from '../raw/bytes-link'
import { HunkSlice } from '../fixes/hunk-slice'
import { CopyButton } from '../shared/copy-button'
import { plural } from '../shared/format'
import { asProblem } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { Button } from '../shared/ui/button'
import { changeQueries } from './queries'
import { isDoubtful } from './words'

/** Lines that are drawn at first: a written file may have thousands. */
const LINES_FIRST = 400
const none = () => null
const never = () => false
const NOTHING = { has: never, hidden: false }

/** The lines of a change, drawn from the patch that they are put together to. */
export function ChangeLines({ executionId, change }: { executionId: string; change: ChangeItem }) {
  const detail = useQuery(changeQueries.one(executionId, change.ordinal))
  const [all, setAll] = useState(false)
  const patch = detail.data?.patch ?? null
  const read = useMemo(
    () => (patch === null ? null : readFileRows(new TextEncoder().encode(patch), 1)),
    [patch],
  )
  if (detail.isError)
    return <ProblemNotice compact problem={asProblem(detail.error)} onRetry={() => void detail.refetch()} />
  if (detail.isPending)
    return <div role="group" aria-busy="true" aria-label="Loading lines" className="skeleton mt-2 h-10" />
  const { shown, left } = firstLines(read?.hunks ?? [], all ? Number.MAX_SAFE_INTEGER : LINES_FIRST)
  return (
    <div className="mt-1 space-y-2">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
        <BytesLink executionId={executionId} pointer={change.pointer}>
          View raw record
        </BytesLink>
        {patch !== null && !isDoubtful(change) && (
          <CopyButton
            text={patch}
            label="Copy as a patch assembled by Inquest from the transcript"
            className="text-left"
          >
            Copy as a patch assembled by Inquest from the transcript (not a proposed fix)
          </CopyButton>
        )}
      </p>
      {shown.map((hunk, index) => (
        <div key={index} className="overflow-hidden rounded border border-line">
          <p className="border-b border-line bg-tint-none px-2 py-1 font-mono text-sm text-ink-2">
            @@ -{hunk.oldStart},{hunk.oldLines} +{hunk.newStart},{hunk.newLines} @@
          </p>
          <HunkSlice
            lines={drawHunk(hunk, 'unified', false).lines}
            status={change.fit === 'created' ? 'A' : 'M'}
            layout="unified"
            words
            masked={NOTHING}
            colours={undefined}
            below={none}
            isChosen={never}
            name={change.name}
          />
        </div>
      ))}
      {left > 0 && <Button onClick={() => setAll(true)}>Draw {plural(left, 'more line')}</Button>}
      {read !== null && read.rowsLeftOut > 0 && (
        <p className="text-warn">
          {plural(read.rowsLeftOut, 'line')} more not shown here. The copy includes them.
        </p>
      )}
    </div>
  )
}

function firstLines(hunks: readonly DiffHunk[], most: number): { shown: DiffHunk[]; left: number } {
  const shown: DiffHunk[] = []
  let [drawn, left] = [0, 0]
  for (const hunk of hunks) {
    const rows = hunk.rows.slice(0, Math.max(0, most - drawn))
    drawn += rows.length
    left += hunk.rows.length - rows.length
    if (rows.length > 0) shown.push({ ...hunk, rows })
  }
  return { shown, left }
}
