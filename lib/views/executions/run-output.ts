import { patternReadings, readWhatIf } from '../../judge/decisions/kept'
import type { ExpectedOutput, OutputChunk, OutputStream, RunOutput } from '../../model/run-output'
import { RUN_TAIL_CHARS, type RunFact, type RunResultFact } from '../../model/run-facts'
import { decisiveLine, isErrorLike } from '../../text/decisive-line'
import { cutAtWord, visible, withoutAnsi } from '../../text/visible'

/** Lines of each stream, on a page. */
const LINES_MAX = 20
const LINE_CHARS_MAX = 300
/** Lines around a decisive line that stands before the end. */
const LINES_AROUND = 2

type Kept = Parameters<typeof patternReadings>[0] & { contentState: string; whatIf: unknown }

/**
 * The end of what a recorded process wrote, with the line that says why it failed, and what was expected of it.
 *
 * @param decision what was decided about it; null: nothing
 * @param result   its result record, whose text is the answer where standard output was sent as records
 * @returns null when there is nothing to show
 */
export function readRunOutput(
  run: RunFact,
  decision: Kept | null,
  result: Pick<RunResultFact, 'result'> | null,
  linesMax = LINES_MAX,
): RunOutput | null {
  const expected = decision === null ? [] : expectedOf(decision, run)
  const streams: [OutputStream['name'], string][] = [
    ['stdout', run.stdoutTail ?? ''],
    ['answer', expected.length > 0 ? (result?.result ?? '') : ''],
    ['stderr', run.stderrTail],
  ]
  const written = streams.filter(([, text]) => text.trim() !== '')
  if (written.length === 0 && expected.length === 0) return null
  const decisive = decisiveIn(written)
  return {
    expected,
    streams: written.map(([name, text]) => ({
      name,
      cut: isCut(name, text),
      chunks: chunksOf(linesOf(text), linesMax, decisive?.stream === name ? decisive.line : null),
    })),
  }
}

/** What was asked for and is not there; empty where all of it is, or nothing was asked for. */
function expectedOf(decision: Kept, { marker }: RunFact): ExpectedOutput[] {
  if (decision.contentState === 'absent')
    return marker === '' ? [] : [{ what: 'marker', text: marker, state: 'missing' }]
  if (decision.contentState !== 'contract_violation') return []
  return patternReadings(decision, readWhatIf(decision.whatIf)?.actual ?? null).map(({ pattern, state }) => ({
    what: 'pattern',
    text: pattern,
    state,
  }))
}

const isCut = (name: OutputStream['name'], text: string): boolean =>
  name !== 'answer' && text.length >= RUN_TAIL_CHARS[name] - 1

const linesOf = (text: string): string[] => text.replace(/^\n+|\s+$/g, '').split('\n')

/** The most error-like line of all, as the cause names it; else the last of standard error. */
function decisiveIn(
  written: readonly (readonly [OutputStream['name'], string])[],
): { stream: OutputStream['name']; line: number } | null {
  const all = written.flatMap(([stream, text]) => linesOf(text).map((line, at) => ({ stream, line, at })))
  const joined = all.map(({ line }) => line).join('\n')
  const found = decisiveLine(joined)
  if (found !== null && isErrorLike(found.text)) {
    const { stream, at } = all[joined.slice(0, found.start).split('\n').length - 1]!
    return { stream, line: at }
  }
  const last = all.at(-1)
  return last?.stream === 'stderr' ? { stream: 'stderr', line: last.at } : null
}

/** The last lines; where the decisive one stands before them, the lines around it first. */
function chunksOf(lines: readonly string[], max: number, decisive: number | null): OutputChunk[] {
  const shown = (from: number, to: number) =>
    lines.slice(from, to).map((line, i) => ({
      text: cutAtWord(visible(withoutAnsi(line)).trimEnd(), LINE_CHARS_MAX),
      decisive: from + i === decisive,
    }))
  const around = 2 * LINES_AROUND + 1
  const isEarlier = decisive !== null && decisive < lines.length - max
  const tail = Math.max(0, lines.length - (isEarlier ? Math.max(1, max - around) : max))
  if (!isEarlier) return [{ before: tail, lines: shown(tail, lines.length) }]
  const from = Math.max(0, decisive - LINES_AROUND)
  const to = Math.min(tail, decisive + LINES_AROUND + 1)
  return [
    { before: from, lines: shown(from, to) },
    { before: tail - to, lines: shown(tail, lines.length) },
  ]
}
