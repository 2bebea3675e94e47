'use client'

import './diff.css'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { DiffRow } from '@/lib/views/fixes/diff-rows'
import type { PatchPosition } from '@/lib/model/patch-position'
import type { Thread } from '@/lib/views/fixes/threads'
import { plural } from '../shared/format'
import { asProblem } from '../shared/get-json'
import { useKeys } from '../shared/keys'
import { ProblemNotice } from '../shared/problem-notice'
import { say } from '../shell/announcer'
import { BlockList, type BlockListHandle } from './block-list'
import { blockOf, type DiffBlock, diffBlocks, hasRows, openAtFirst } from './diff-blocks'
import { DiffOptions, useDiffOptions } from './diff-options'
import { HunkSlice } from './hunk-slice'
import { InterdiffHead } from './interdiff-head'
import { fixQueries } from './queries'
import { baseWords, cutWords, secretRows } from './since-words'
import type { MaskedLines } from './words'
import { ThreadView } from './thread-view'
import type { SendComment } from './use-comments'
import { useFileRows } from './use-file-rows'
import type { PositionState } from './use-position'
import { type Since, useSinceVersion } from './use-since-version'
import type { FixDetail, FixFile } from '@/lib/model/fix'

const NOTHING: MaskedLines = { has: () => false, hidden: false }

interface Props {
  fix: FixDetail
  /** The version that it is compared with. */
  earlier: string
  /** Of this version and of those before it. */
  threads: readonly Thread[]
  place: PositionState
  mayComment: boolean
  sending: boolean
  onSend: SendComment
  /** Shows a place among all changes. */
  onShow: (place: PatchPosition) => void
  /** The switch between all changes and these. */
  children: React.ReactNode
}

/** What a version of a fix makes otherwise than an earlier one, file by file. */
export function InterdiffView(props: Props) {
  const { since, failed } = useSinceVersion(props.fix, props.earlier)
  if (since) return <Compared {...props} since={since} />
  return (
    <section aria-label="Changes since a version" className="min-w-0">
      {props.children}
      {failed ? (
        <ProblemNotice compact problem={asProblem(failed.error)} onRetry={failed.retry} />
      ) : (
        <div role="group" aria-busy="true" aria-label="Loading both versions" className="skeleton h-96" />
      )}
    </section>
  )
}

/** A file of the list below: that of the later version where it has it, counted through. */
const listed = ({ now, before }: Since['pairs'][number], index: number): FixFile => {
  const sum = (of: 'additions' | 'deletions' | 'hunks'): number => (now?.[of] ?? 0) + (before?.[of] ?? 0)
  return {
    ...(now ?? before)!,
    ordinal: index,
    binary: now?.binary === true || before?.binary === true,
    additions: sum('additions'),
    deletions: sum('deletions'),
    hunks: sum('hunks'),
  }
}

function Compared({
  fix,
  since,
  threads,
  place,
  mayComment,
  sending,
  onSend,
  onShow,
  children,
}: Props & { since: Since }) {
  const options = useDiffOptions()
  const { layout, ignoreSpace, words } = options
  const before = since.before.fix
  const numbers = { now: fix.ordinal, before: before.ordinal }
  const pairs = useMemo(() => since.pairs.filter(({ what }) => what !== 'same'), [since])
  const files = useMemo(() => pairs.map(listed), [pairs])
  const [toggled, setToggled] = useState<ReadonlyMap<number, boolean>>(new Map())
  const open = useMemo(() => {
    const all = openAtFirst(files, [])
    for (const [index, isOpen] of toggled)
      if (isOpen) all.add(index)
      else all.delete(index)
    return all
  }, [files, toggled])
  const { rows, colours, problems } = useFileRows(
    (file) =>
      fixQueries.interdiff(
        { id: before.id, file: pairs[file.ordinal]!.before },
        { id: fix.id, file: pairs[file.ordinal]!.now },
      ),
    files,
    open,
  )
  const blocks = useMemo(
    () => diffBlocks(files, open, rows, { layout, ignoreSpace }),
    [files, open, rows, layout, ignoreSpace],
  )
  const masked = useMemo(
    () => new Map([...rows].map(([index, read]) => [index, secretRows(read, before, fix)])),
    [before, fix, rows],
  )

  const list = useRef<BlockListHandle>(null)
  const [isMeasured, setMeasured] = useState(false)
  const measured = useCallback(() => setMeasured(true), [])
  const [current, setCurrent] = useState(-1)
  const [hunk, setHunk] = useState<string | null>(null)
  const [pending, setPending] = useState<PatchPosition | null>(null)
  const { heading } = place
  // Each heading once: what is read anew, after a comment for example, must not take the reader back.
  const headed = useRef<typeof heading>(null)
  useEffect(() => {
    if (heading === null || heading === headed.current) return
    headed.current = heading
    const index = pairs.findIndex(({ now }) => now?.ordinal === heading.position.file)
    if (index === -1) return say(`Unchanged since version ${before.ordinal}`)
    setCurrent(index)
    setPending({ file: index, lines: heading.position.lines })
    if (heading.position.lines !== null) setToggled((old) => new Map(old).set(index, true))
  }, [heading, pairs, before.ordinal])
  useEffect(() => {
    if (pending === null || !isMeasured) return
    const file = files[pending.file]
    const isReady =
      pending.lines === null ||
      !file ||
      !hasRows(file) ||
      rows.has(pending.file) ||
      problems.has(pending.file)
    if (!isReady) return
    setPending(null)
    list.current?.scrollTo(blockOf(blocks, pending))
    requestAnimationFrame(() =>
      document.getElementById(`since-file-${pending.file + 1}`)?.focus({ preventScroll: true }),
    )
  }, [pending, isMeasured, blocks, files, rows, problems])

  const stepFile = (by: number): void => {
    const next = current + by
    if (!pairs[next]) return say(by > 0 ? 'This is the last file' : 'This is the first file')
    const { now } = pairs[next]
    setHunk(null)
    setCurrent(next)
    setPending({ file: next, lines: null })
    if (now) place.set({ file: now.ordinal, lines: null })
  }
  const stepHunk = (by: number): void => {
    const hunks = blocks.flatMap((block, index) => (block.type === 'hunk' ? [{ block, index }] : []))
    const at = hunks.findIndex(({ block }) => block.key === hunk)
    const from =
      at >= 0
        ? at + by
        : by > 0
          ? hunks.findIndex(({ block }) => block.file.ordinal >= current)
          : hunks.findLastIndex(({ block }) => block.file.ordinal <= current)
    const next = hunks[from]
    if (!next)
      return say(
        hunks.length === 0
          ? 'No hunk is expanded'
          : by > 0
            ? 'This is the last expanded hunk'
            : 'This is the first expanded hunk',
      )
    setHunk(next.block.key)
    setCurrent(next.block.file.ordinal)
    list.current?.scrollTo(next.index)
    requestAnimationFrame(() =>
      document.getElementById(`since-${next.block.key}`)?.focus({ preventScroll: true }),
    )
  }
  useKeys({
    J: () => stepFile(1),
    K: () => stepFile(-1),
    j: () => stepHunk(1),
    k: () => stepHunk(-1),
    s: options.toggleLayout,
    w: options.toggleSpace,
    c: () => say('To comment, switch to All changes (=)'),
  })

  const thread = (one: Thread) => (
    <ThreadView
      key={`${one.id} ${one.isResolved}`}
      thread={one}
      busy={sending}
      mayComment={mayComment}
      onSend={onSend}
      beside=", next to the changes"
    />
  )
  /** What was said of a line: on this version or kept there, and on the earlier one where the line is another now. */
  const below =
    ({ now, before: old }: Since['pairs'][number]) =>
    (row: DiffRow): React.ReactNode => {
      const found = threads.filter((one) => {
        const at = one.earlier?.standing === 'outdated' ? one.earlier.at : null
        if (at)
          return (
            one.fix === before.id &&
            at.file === old?.ordinal &&
            at.lines?.side === 'new' &&
            at.lines.end === row.oldLine
          )
        return (
          row.newLine !== null &&
          one.file !== null &&
          one.file === now?.ordinal &&
          one.side === 'new' &&
          (one.lineEnd ?? one.lineStart) === row.newLine
        )
      })
      return found.length === 0 ? null : <>{found.map(thread)}</>
    }
  const drawBlock = (block: DiffBlock): React.ReactNode => {
    const { file } = block
    const index = file.ordinal
    const pair = pairs[index]!
    const { now } = pair
    if (block.type === 'file')
      return (
        <InterdiffHead
          index={index}
          pair={pair}
          numbers={numbers}
          read={rows.get(index)}
          isOpen={open.has(index)}
          isCurrent={index === current}
          onToggle={() => setToggled((old) => new Map(old).set(index, !open.has(index)))}
          onShow={now && (() => onShow({ file: now.ordinal, lines: null }))}
        />
      )
    if (block.type === 'state') {
      const problem = problems.get(index)
      return problem ? (
        <ProblemNotice compact problem={asProblem(problem.error)} onRetry={() => void problem.refetch()} />
      ) : (
        <div role="group" aria-busy="true" aria-label={`Comparing ${file.name}`} className="skeleton h-10" />
      )
    }
    if (block.type === 'hunk')
      return (
        <p
          id={`since-${block.key}`}
          tabIndex={-1}
          aria-current={hunk === block.key || undefined}
          className="border border-line bg-tint-none px-2 py-1 font-mono text-sm text-ink-2 aria-[current]:border-l-2 aria-[current]:border-l-accent"
        >
          −{block.hunk.oldStart},{block.hunk.oldLines} after version {before.ordinal}, +{block.hunk.newStart},
          {block.hunk.newLines} after version {fix.ordinal}
          {block.pairsHidden > 0 && (
            <span className="font-sans text-warn">
              {' '}
              {plural(block.pairsHidden, 'line')} {block.pairsHidden === 1 ? 'differs' : 'differ'} in
              whitespace only
            </span>
          )}
        </p>
      )
    if (block.type === 'end')
      return (
        <p className="border border-line bg-tint-warn px-3 py-1.5 text-warn">
          {plural(block.rowsLeftOut, 'more line')} of this file {block.rowsLeftOut === 1 ? 'is' : 'are'} not
          shown.
        </p>
      )
    return (
      <div className="border-x border-line bg-surface">
        <HunkSlice
          lines={block.lines}
          status="M"
          layout={layout}
          words={words}
          masked={masked.get(index) ?? NOTHING}
          colours={colours.get(index)}
          name={`file ${file.name}`}
          below={below(pair)}
          isChosen={() => false}
        />
      </div>
    )
  }
  const notes = [baseWords(since), cutWords(since)].filter((note) => note !== null)
  return (
    <section aria-label={`Changes since version ${before.ordinal}`} className="min-w-0">
      <DiffOptions
        options={options}
        at={files.length === 0 ? -1 : Math.max(current, 0)}
        files={files}
        total={files.length}
        onFile={stepFile}
      >
        {children}
      </DiffOptions>
      <div className="space-y-1 py-2">
        <p>
          {pairs.length === 0 ? (
            `Both versions produce the same files.`
          ) : (
            <>
              − is the file after version {before.ordinal}, + the file after version {fix.ordinal}.
            </>
          )}
          {pairs.length > 0 && since.pairs.length > pairs.length && (
            <span className="text-ink-2">
              {' '}
              {plural(since.pairs.length - pairs.length, 'file')}{' '}
              {since.pairs.length - pairs.length === 1 ? 'is' : 'are'} the same in both.
            </span>
          )}
        </p>
        {before.reading.verdict === 'error' && (
          <p className="text-warn">git can’t read version {before.ordinal}: it changes nothing.</p>
        )}
        {notes.map((note) => (
          <p key={note} className="text-warn">
            {note}
          </p>
        ))}
      </div>
      <BlockList ref={list} blocks={blocks} draw={drawBlock} onMeasured={measured} keep={-1} />
    </section>
  )
}
