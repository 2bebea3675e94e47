import { Check, CircleHelp, X } from 'lucide-react'
import Link from 'next/link'
import { links } from '@/lib/links'
import type { ExpectedOutput, OutputChunk, OutputStream, RunOutput } from '@/lib/model/run-output'
import { OUTPUT_TEXT } from '@/lib/words/run-output'
import { CopyButton } from '../shared/copy-button'
import { cn } from '../shared/ui/cn'
import { VisibleText } from '../shared/visible-text'

/** The end of what the process wrote, its decisive line marked, beside what was expected of it. */
export function OutputBlock({ executionId, output }: { executionId: string; output: RunOutput }) {
  const { expected, streams } = output
  return (
    <section
      data-late
      aria-labelledby="output"
      className="overflow-hidden rounded border border-line bg-surface"
    >
      <header className="flex flex-wrap items-center gap-x-3 border-b border-line px-4 py-1.5 text-sm">
        <h2 id="output" className="font-medium text-ink-3">
          {OUTPUT_TEXT.title}
        </h2>
        <Link href={links.execution(executionId, 'raw')} prefetch={false} className="link ml-auto">
          {OUTPUT_TEXT.whole}
        </Link>
        {streams.length > 0 && <CopyButton text={() => textOf(streams)} label={OUTPUT_TEXT.copy} />}
      </header>
      {expected.length > 0 && (
        <ul className="space-y-1 border-b border-line px-4 py-2.5">
          {expected.map((one, index) => (
            <Expected key={index} expected={one} />
          ))}
        </ul>
      )}
      {streams.length === 0 && <p className="px-4 py-2.5 text-ink-2">{OUTPUT_TEXT.nothing}</p>}
      <div className={cn('grid', streams.length > 1 && 'lg:grid-cols-2 lg:divide-x lg:divide-line')}>
        {streams.map((stream) => (
          <Stream key={stream.name} stream={stream} />
        ))}
      </div>
    </section>
  )
}

const SIGNS = { found: Check, missing: X, invalid: X, differs: CircleHelp, unknown: CircleHelp } as const

function Expected({ expected: { what, text, state } }: { expected: ExpectedOutput }) {
  const Sign = SIGNS[state]
  return (
    <li className="flex flex-wrap items-baseline gap-x-2">
      <span className="text-sm text-ink-3">{OUTPUT_TEXT.expected[what]}</span>
      <code className="rounded-sm bg-sunken px-1 font-mono text-sm wrap-anywhere">
        <VisibleText text={text} />
      </code>
      <span className={cn('inline-flex items-center gap-1 text-sm', TINTS[state])}>
        <Sign size={13} aria-hidden className="shrink-0" />
        {OUTPUT_TEXT.states[state]}
      </span>
    </li>
  )
}

const TINTS = {
  found: 'text-good',
  missing: 'text-bad',
  invalid: 'text-bad',
  differs: 'text-ink-2',
  unknown: 'text-ink-2',
} as const

function Stream({ stream: { name, cut, chunks } }: { stream: OutputStream }) {
  return (
    <div className="min-w-0 max-lg:not-first:border-t max-lg:not-first:border-line">
      <h3 className="px-4 pt-2 text-sm text-ink-3">{OUTPUT_TEXT.streams[name]}</h3>
      <div role="group" aria-label={OUTPUT_TEXT.streams[name]} className="py-2.5 font-mono text-sm">
        {cut && <LeftOut>{OUTPUT_TEXT.cut}</LeftOut>}
        {chunks.map((chunk, index) => (
          <Chunk key={index} chunk={chunk} />
        ))}
      </div>
    </div>
  )
}

const LeftOut = ({ children }: { children: React.ReactNode }) => (
  <p className="px-4 font-sans text-ink-3">… {children}</p>
)

const Chunk = ({ chunk: { before, lines } }: { chunk: OutputChunk }) => (
  <>
    {before > 0 && <LeftOut>{OUTPUT_TEXT.linesLeftOut({ lines: before })}</LeftOut>}
    {lines.map(({ text, decisive }, index) => (
      <p
        key={index}
        className={cn(
          'min-h-lh pr-4 whitespace-pre-wrap wrap-anywhere',
          decisive ? 'border-l-2 border-bad bg-tint-bad pl-[calc(1rem-2px)] font-semibold' : 'pl-4',
        )}
      >
        {decisive && <span className="sr-only">{OUTPUT_TEXT.decisive}: </span>}
        {text}
      </p>
    ))}
  </>
)

/** As it is shown, without what is not. */
const textOf = (streams: readonly OutputStream[]): string =>
  streams
    .flatMap(({ chunks }) => chunks)
    .flatMap(({ lines }) => lines)
    .map(({ text }) => `${text}\n`)
    .join('')
