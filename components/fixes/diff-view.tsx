'use client'

import './diff.css'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { DiffRow } from '@/lib/views/fixes/diff-rows'
import { formatPosition, type PatchPosition } from '@/lib/model/patch-position'
import { NOT_EDITABLE_WORDS } from '@/lib/words/selected-lines'
import { linesToChange } from '@/lib/views/fixes/lines-to-change'
import { reasonsOf, strayReasons } from '@/lib/views/fixes/reasons'
import type { Thread } from '@/lib/views/fixes/threads'
import { cn } from '../shared/ui/cn'
import { formatCount } from '../shared/format'
import { asProblem } from '../shared/get-json'
import { useKeys } from '../shared/keys'
import { ProblemNotice } from '../shared/problem-notice'
import { VisibleText } from '../shared/visible-text'
import { say } from '../shell/announcer'
import { BlockList, type BlockListHandle } from './block-list'
import { CommentForm } from './comment-form'
import { blockOf, type DiffBlock, diffBlocks, hasRows, openAtFirst } from './diff-blocks'
import { DiffOptions, useDiffOptions } from './diff-options'
import { firstChange, placeOfPatchLine } from './diff-place'
import { FileBlock } from './file-block'
import { FlagNote } from './flag-note'
import { HunkHead, Reasons } from './hunk-head'
import { type ChooseLine, HunkSlice, type LinePlace } from './hunk-slice'
import { LineActions } from './line-actions'
import { fixQueries } from './queries'
import { sinceWords } from './since-words'
import { SuggestForm } from './suggest-form'
import { ThreadView } from './thread-view'
import type { SendComment } from './use-comments'
import { useFileRows } from './use-file-rows'
import type { PositionState } from './use-position'
import type { Since } from './use-since-version'
import { useSuggestion, whyNoSuggestion } from './use-suggestion'
import { secretLines } from './words'
import type { FixDetail, FixFile, FixFlag } from '@/lib/model/fix'

interface Props {
  fix: FixDetail
  files: readonly FixFile[]
  flags: readonly FixFlag[]
  threads: readonly Thread[]
  since: Since | null
  /** Reads further files; null when all are here. */
  onMore: (() => void) | null
  place: PositionState
  viewed: ReadonlySet<string>
  onViewed: (file: FixFile, viewed: boolean) => void
  mayComment: boolean
  maySuggest: boolean
  sending: boolean
  onSend: SendComment
  /** The switch to the changes since a version. */
  children: React.ReactNode
}

/** What is being written, and where. */
interface Composing {
  what: 'comment' | 'suggestion'
  at: PatchPosition
}

/** The files of a patch below each other; only what is in sight is drawn, and a file is read when it is opened. */
export function DiffView({
  fix,
  files,
  flags,
  threads,
  since,
  onMore,
  place,
  viewed,
  onViewed,
  mayComment,
  maySuggest,
  sending,
  onSend,
  children,
}: Props) {
  const options = useDiffOptions()
  const [toggled, setToggled] = useState<ReadonlyMap<number, boolean>>(new Map())
  const first = useMemo(() => openAtFirst(files, flags), [files, flags])
  const open = useMemo(() => {
    const all = new Set(first)
    for (const [ordinal, isOpen] of toggled)
      if (isOpen) all.add(ordinal)
      else all.delete(ordinal)
    return all
  }, [first, toggled])
  const setOpen = (ordinal: number, isOpen: boolean): void =>
    setToggled((before) => new Map(before).set(ordinal, isOpen))
  const { rows, colours, problems, plain } = useFileRows((file) => fixQueries.rows(fix.id, file), files, open)
  const { layout, ignoreSpace, words } = options
  const blocks = useMemo(
    () => diffBlocks(files, open, rows, { layout, ignoreSpace }),
    [files, open, rows, layout, ignoreSpace],
  )

  const masked = useMemo(() => secretLines(fix), [fix.secretLines, fix.secretsHidden])
  const flagsByPlace = useMemo(() => {
    const found = new Map<string, FixFlag[]>()
    for (const flag of flags) {
      const at = `${flag.file} ${flag.lines?.end}`
      found.set(at, [...(found.get(at) ?? []), flag])
    }
    return found
  }, [flags])

  const list = useRef<BlockListHandle>(null)
  const [isMeasured, setMeasured] = useState(false)
  const measured = useCallback(() => setMeasured(true), [])

  const [hunk, setHunk] = useState<{ file: number; index: number } | null>(null)
  const [composing, setComposing] = useState<Composing | null>(null)
  const suggestion = useSuggestion(fix)
  const whyNot = whyNoSuggestion(fix, maySuggest)
  const position = place.position

  // A place may be in a file that is not open or not read yet: it is gone to when its lines have come.
  const [pending, setPending] = useState<PatchPosition | null>(null)
  const { heading } = place
  useEffect(() => {
    if (heading === null) return
    setPending(heading.position)
    if (heading.position.lines !== null)
      setToggled((before) => new Map(before).set(heading.position.file, true))
  }, [heading])
  useEffect(() => {
    if (pending === null || blocks.length === 0 || !isMeasured) return
    const file = files.find((one) => one.ordinal === pending.file)
    if (!file) return
    const ready =
      pending.lines === null || !hasRows(file) || rows.has(file.ordinal) || problems.has(file.ordinal)
    const index = blockOf(blocks, pending)
    if (index === -1 || !ready) return
    setPending(null)
    list.current?.scrollTo(index)
    // A comment that is being written keeps the focus.
    requestAnimationFrame(
      () =>
        document.activeElement?.closest('form') ||
        document.getElementById(`file-${pending.file + 1}`)?.focus({ preventScroll: true }),
    )
  }, [pending, blocks, files, rows, problems, isMeasured])

  const current = position?.file ?? files[0]?.ordinal ?? 0
  const stepFile = (by: number): void => {
    const at = files.findIndex((file) => file.ordinal === current)
    const next = files[position === null && by > 0 ? 0 : at + by]
    if (!next && by > 0 && onMore !== null) {
      onMore()
      return say('More files are loading')
    }
    if (!next) return say(by > 0 ? 'This is the last file' : 'This is the first file')
    setHunk(null)
    place.goTo({ file: next.ordinal, lines: null })
  }
  const stepHunk = (by: number): void => {
    const hunks = blocks.flatMap((block, index) => (block.type === 'hunk' ? [{ block, index }] : []))
    const at =
      hunk === null
        ? -1
        : hunks.findIndex(({ block }) => block.file.ordinal === hunk.file && block.index === hunk.index)
    const from =
      at >= 0
        ? at + by
        : by > 0
          ? hunks.findIndex(({ block }) => block.file.ordinal >= (position?.file ?? 0))
          : hunks.findLastIndex(({ block }) => block.file.ordinal <= (position?.file ?? 0))
    const next = hunks[from]
    if (!next)
      return say(
        hunks.length === 0
          ? 'No hunk is expanded'
          : by > 0
            ? 'This is the last expanded hunk'
            : 'This is the first expanded hunk',
      )
    const { file, index } = next.block
    setHunk({ file: file.ordinal, index })
    place.set({ file: file.ordinal, lines: firstChange(next.block.hunk) })
    list.current?.scrollTo(next.index)
    requestAnimationFrame(() =>
      document.getElementById(`hunk-${file.ordinal}-${index}`)?.focus({ preventScroll: true }),
    )
  }
  const comment = (): void => {
    if (!mayComment) return say('Your role can’t comment')
    setComposing({ what: 'comment', at: position ?? { file: current, lines: null } })
    if (position?.lines) place.goTo(position)
  }
  const suggest = (): void => {
    const read = rows.get(current)
    if (whyNot !== null) return say(whyNot)
    if (read === undefined) return say('The file is collapsed or has no lines')
    const found = linesToChange(read, position?.lines ?? null, masked)
    if ('why' in found) return say(NOT_EDITABLE_WORDS[found.why])
    const at: PatchPosition = { file: current, lines: { side: 'new', start: found.start, end: found.end } }
    suggestion.reset()
    setComposing({ what: 'suggestion', at })
    place.goTo(at)
  }
  const toggleViewed = (): void => {
    const file = files.find((one) => one.ordinal === current)
    if (!file) return
    const isViewed = !viewed.has(file.sha256)
    onViewed(file, isViewed)
    setOpen(file.ordinal, !isViewed)
    say(`${file.name}: ${isViewed ? 'viewed' : 'not viewed'}`)
  }
  const pointing = flags.filter((flag) => flag.file !== null)
  const [flagAt, setFlagAt] = useState(-1)
  const stepFlag = (by: number): void => {
    const next = flagAt + by
    const flag = pointing[next < 0 && flagAt < 0 ? pointing.length - 1 : next]
    if (!flag || flag.file === null)
      return say(
        pointing.length === 0
          ? 'No flag refers to a file'
          : by > 0
            ? 'This is the last flag'
            : 'This is the first flag',
      )
    setFlagAt(pointing.indexOf(flag))
    place.goTo({
      file: flag.file,
      lines: flag.lines ? placeOfPatchLine(rows.get(flag.file), flag.lines.start) : null,
    })
    say(flag.sentence)
  }
  useKeys({
    J: () => stepFile(1),
    K: () => stepFile(-1),
    j: () => stepHunk(1),
    k: () => stepHunk(-1),
    n: () => stepFlag(1),
    N: () => stepFlag(-1),
    c: comment,
    e: suggest,
    V: toggleViewed,
    s: options.toggleLayout,
    w: options.toggleSpace,
    Escape: () => setComposing((before) => (before?.what === 'suggestion' ? before : null)),
  })

  const anchor = useRef<{ file: number } & LinePlace>(null)
  const choose = (file: FixFile, { side, line }: LinePlace, how: ChooseLine): void => {
    const chosen = position?.lines
      ? { file: position.file, side: position.lines.side, line: position.lines.start }
      : null
    if (how === 'one') anchor.current = { file: file.ordinal, side, line }
    const from = anchor.current ?? chosen
    const start = how !== 'one' && from?.file === file.ordinal && from.side === side ? from.line : line
    place.set({
      file: file.ordinal,
      lines: { side, start: Math.min(start, line), end: Math.max(start, line) },
    })
  }
  const isAt = (row: DiffRow, side: string | null, line: number | null): boolean =>
    line !== null && (side === 'old' ? row.oldLine : row.newLine) === line
  const send =
    (at: PatchPosition): ((text: string, lines: PatchPosition['lines']) => void) =>
    (text, lines) => {
      onSend({
        text,
        file: at.file,
        side: lines?.side ?? null,
        lineStart: lines?.start ?? null,
        lineEnd: lines?.end ?? null,
      })
      setComposing(null)
    }
  const form = (at: PatchPosition) => (
    <CommentForm
      key={formatPosition(at)}
      label={at.lines === null ? 'Comment on the file' : 'Comment on lines'}
      lines={at.lines}
      busy={sending}
      onSend={send(at)}
      onLeave={() => setComposing(null)}
    />
  )
  const suggestForm = (file: FixFile, at: PatchPosition): React.ReactNode => {
    const read = rows.get(file.ordinal)
    const chosen = read && linesToChange(read, at.lines, masked)
    return (
      read &&
      chosen &&
      !('why' in chosen) && (
        <SuggestForm
          key={formatPosition(at)}
          file={file.ordinal}
          name={file.name}
          rows={read}
          chosen={chosen}
          masked={masked}
          sending={suggestion}
          onLeave={() => setComposing(null)}
        />
      )
    )
  }
  const thread = (one: Thread) => (
    <ThreadView
      key={`${one.id} ${one.isResolved}`}
      thread={one}
      busy={sending}
      mayComment={mayComment}
      onSend={onSend}
    />
  )
  const below =
    (file: FixFile) =>
    (row: DiffRow): React.ReactNode => {
      const found = threads.filter(
        (one) => one.file === file.ordinal && isAt(row, one.side, one.lineEnd ?? one.lineStart),
      )
      const flagged = flagsByPlace.get(`${file.ordinal} ${row.line}`) ?? []
      const stands = (at: PatchPosition | null | undefined): boolean =>
        at?.file === file.ordinal && at.lines !== null && isAt(row, at.lines.side, at.lines.end)
      const here = composing !== null && stands(composing.at) ? composing : null
      const isChosen = composing === null && (mayComment || whyNot === null) && stands(position)
      if (found.length === 0 && flagged.length === 0 && here === null && !isChosen) return null
      return (
        <>
          {flagged.map((flag, index) => (
            <FlagNote key={index} flag={flag} />
          ))}
          {found.map(thread)}
          {isChosen && (
            <LineActions
              onComment={mayComment ? comment : null}
              onSuggest={whyNot === null ? suggest : null}
            />
          )}
          {here?.what === 'comment' && form(here.at)}
          {here?.what === 'suggestion' && suggestForm(file, here.at)}
        </>
      )
    }
  /** Flags and threads whose line is not drawn are at the head of the file. */
  const atHead = (file: FixFile): { flags: FixFlag[]; threads: Thread[] } => {
    const read = open.has(file.ordinal) ? rows.get(file.ordinal) : undefined
    const drawn = new Set(read?.hunks.flatMap((one) => one.rows.map((row) => row.line)))
    const isDrawn = (one: Thread): boolean =>
      read !== undefined &&
      one.lineStart !== null &&
      read.hunks.some((part) => part.rows.some((row) => isAt(row, one.side, one.lineEnd ?? one.lineStart)))
    return {
      flags: flags.filter(
        (flag) => flag.file === file.ordinal && (flag.lines === null || !drawn.has(flag.lines.end)),
      ),
      threads: threads.filter((one) => one.file === file.ordinal && !isDrawn(one)),
    }
  }
  const drawBlock = (block: DiffBlock): React.ReactNode => {
    const { file } = block
    if (block.type === 'file') {
      const head = atHead(file)
      const isWhole =
        composing?.what === 'comment' &&
        composing.at.file === file.ordinal &&
        (composing.at.lines === null || !rows.has(file.ordinal) || !open.has(file.ordinal))
      const why = reasonsOf(file, fix.reasons, rows.get(file.ordinal)?.hunks)
      return (
        <FileBlock
          file={file}
          isOpen={open.has(file.ordinal)}
          isCurrent={position?.file === file.ordinal}
          isViewed={viewed.has(file.sha256)}
          isPlain={plain.has(file.ordinal)}
          since={sinceWords(since, file.ordinal)}
          flags={head.flags}
          why={why.isSilent ? null : why.whole}
          onToggle={() => setOpen(file.ordinal, !open.has(file.ordinal))}
          onViewed={(isViewed) => onViewed(file, isViewed)}
        >
          {head.threads.map(thread)}
          {isWhole && form(composing.at)}
        </FileBlock>
      )
    }
    if (block.type === 'state') {
      const problem = problems.get(file.ordinal)
      return problem ? (
        <ProblemNotice compact problem={asProblem(problem.error)} onRetry={() => void problem.refetch()} />
      ) : (
        <div role="group" aria-busy="true" aria-label={`Reading ${file.name}`} className="skeleton h-10" />
      )
    }
    if (block.type === 'hunk') {
      const isCurrent = hunk?.file === file.ordinal && hunk.index === block.index
      const why = reasonsOf(file, fix.reasons, rows.get(file.ordinal)?.hunks)
      return (
        <HunkHead
          id={`hunk-${file.ordinal}-${block.index}`}
          hunk={block.hunk}
          isCurrent={isCurrent}
          isMasked={masked.has(block.hunk.line)}
          pairsHidden={block.pairsHidden}
          reasons={why.hunks.get(block.index) ?? []}
          isSilent={why.hunks.size > 0 && why.whole.length === 0 && !why.hunks.has(block.index)}
        />
      )
    }
    if (block.type === 'end')
      return (
        <p className="border border-line bg-tint-warn px-3 py-1.5 text-warn">
          {block.rowsLeftOut > 0
            ? `${formatCount(block.rowsLeftOut)} more lines of this file are not shown. Download the patch to see them.`
            : 'This file could only be read up to here. git would stop here, too.'}
        </p>
      )
    return (
      <div className={cn('border-x border-line bg-surface', block.isLast && 'rounded-b border-b')}>
        <HunkSlice
          lines={block.lines}
          status={file.status}
          layout={layout}
          words={words}
          masked={masked}
          colours={colours.get(file.ordinal)}
          name={`file ${file.name}`}
          below={below(file)}
          isChosen={({ side, line }) =>
            position?.file === file.ordinal &&
            position.lines?.side === side &&
            line >= position.lines.start &&
            line <= position.lines.end
          }
          onChoose={(at, how) => choose(file, at, how)}
        />
      </div>
    )
  }
  // Which file a reason names is known once all files are here.
  const stray = onMore === null ? strayReasons(files, fix.reasons) : []
  return (
    <section aria-label="Changes" className="min-w-0">
      <DiffOptions
        options={options}
        at={files.findIndex((file) => file.ordinal === current)}
        files={files}
        total={fix.reading.files}
        onFile={stepFile}
      >
        {children}
      </DiffOptions>
      {stray.length > 0 && (
        <div className="border-b border-line">
          {stray.map((reason, index) => (
            <div key={index} className="pt-1">
              <code className="px-3 font-mono text-sm wrap-anywhere">
                <VisibleText text={reason.file} />
              </code>
              <Reasons reasons={[reason]} />
            </div>
          ))}
        </div>
      )}
      <BlockList
        ref={list}
        blocks={blocks}
        draw={drawBlock}
        onMeasured={measured}
        keep={composing === null ? -1 : blockOf(blocks, endOf(composing.at))}
      />
    </section>
  )
}

/** The place at which a form about lines stands. */
const endOf = ({ file, lines }: PatchPosition): PatchPosition => ({
  file,
  lines: lines && { ...lines, start: lines.end },
})
