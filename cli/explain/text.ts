import type { ExplainedCall, Explanation } from '@/lib/views/executions/explanation'
import type { OutputLines } from '@/lib/views/executions/output-lines'
import type { OutputStream, OutputTailLine } from '@/lib/model/run-output'
import { OUTPUT_TEXT } from '@/lib/words/run-output'
import { explainText } from '@/lib/words/cli/explain'
import { FIRST_SCREEN, leftOutWords } from '@/lib/words/first-screen'
import type { ExplainedFile } from './explained'
import type { Line, Look } from './screen'

/** Executions of one file that are explained in full, and those that have a line. A summary of GitHub may have 1 MiB. */
const WHOLE_MAX = 5
export const LISTED_MAX = 20

const SIGNS: Record<string, string> = {
  succeeded: '✓',
  failed: '✗',
  retriable: '✗',
  interrupted: '■',
  cancelled: '■',
}

/** One file for people in a terminal or a log. */
export function fileLines(file: ExplainedFile): Line[] {
  const { executions, step, because } = file
  const name = file.file
  if (file.status === 'unreadable')
    return [{ text: explainText.unreadable({ file: name, because: because! }), look: 'bad', hang: 2 }]
  if (step !== null) return stepOnly(name, file)
  if (executions.length === 0) return [{ text: `${name}: ${because}` }, ...notes(file)]
  const { shown, rest } = shownOf(executions)
  return [
    ...shown.flatMap((one, i) => [...(i === 0 ? [] : [blank]), ...executionLines(one, name)]),
    ...(rest.length === 0 ? [] : [blank, { text: explainText.othersInFile({ executions: rest.length }) }]),
    ...rest.slice(0, LISTED_MAX).map(listed),
    ...(rest.length > LISTED_MAX
      ? [{ text: explainText.othersLeftOut({ executions: rest.length - LISTED_MAX }), indent: 2 }]
      : []),
    ...notes(file),
  ]
}

/** The executions of a file that are explained, and those that are listed by a line. */
export function shownOf(executions: readonly Explanation[]): { shown: Explanation[]; rest: Explanation[] } {
  const shown = executions
    .filter((one, i) => i === 0 || (one.needsAttention && one.parent === null))
    .slice(0, WHOLE_MAX)
  return { shown, rest: executions.filter((one) => !shown.includes(one)) }
}

const blank: Line = { text: '' }

/** A file without a run is one line of the log. */
function stepOnly(name: string, { step, needsAttention }: ExplainedFile): Line[] {
  const { text, reasons, next } = step!
  return [
    {
      text: `${name}: ${text}. ${[...reasons, ...(next === null ? [] : [next])].join(' ')}`,
      look: needsAttention ? 'bad' : 'plain',
      unbroken: true,
    },
  ]
}

const lookOf = ({ outcome, needsAttention }: Explanation): Look =>
  needsAttention ? 'bad' : outcome === 'succeeded' ? 'good' : 'plain'

const signOf = ({ outcome, step }: Explanation): string =>
  step?.needed ? SIGNS.failed! : (SIGNS[outcome] ?? '?')

function executionLines(one: Explanation, file: string): Line[] {
  return [
    { text: `${signOf(one)} ${one.headline}`, look: lookOf(one), hang: 2 },
    ...one.below.map((text) => ({ text, indent: 2 })),
    ...possible(one),
    ...(one.retry
      ? [
          blank,
          { text: `${FIRST_SCREEN.retry} ${one.retry.verdict}`, look: 'strong' as const, indent: 2 },
          { text: one.retry.because, indent: 2 },
        ]
      : []),
    ...(one.next === null
      ? []
      : [
          blank,
          { text: FIRST_SCREEN.next, look: 'strong' as const, indent: 2 },
          { text: one.next, indent: 2 },
        ]),
    ...(one.output?.streams ?? []).flatMap(streamLines),
    ...one.calls.flatMap(callLines),
    ...othersLines(one),
    blank,
    { text: factsOf(one, file), look: 'quiet', indent: 2 },
  ]
}

/** Reasons that a step may have: where there are several, that they are no more than possible. */
function possible({ step }: Explanation): Line[] {
  const lines = (step?.reasons ?? []).map((text): Line => ({ text: `- ${text}`, indent: 2, hang: 2 }))
  return lines.length > 1 ? [{ text: explainText.possibleReasons, indent: 2 }, ...lines] : lines
}

/** Name, outcome and why somebody should look; small print below the advice. */
const factsOf = (one: Explanation, file: string): string =>
  [
    one.outcomeName,
    one.outcomeBecause,
    ...(one.cause ? [`${one.attention.label}: ${one.attention.text}`, one.cause.categoryName] : []),
    `${one.key} in ${file}`,
  ].join(' · ')

export const callTitle = ({ tool, failure, exitCode, number }: ExplainedCall): string =>
  [
    tool,
    ...(failure === '' ? [] : [failure]),
    ...(exitCode === null ? [] : [explainText.exitCode({ code: exitCode })]),
    explainText.callNumber({ number }),
  ].join(' · ')

function callLines(call: ExplainedCall): Line[] {
  const { read, identicalRetry } = call
  return [
    blank,
    { text: `${call.heading}: ${callTitle(call)}`, look: 'strong', indent: 2, hang: 2 },
    ...(call.target === null ? [] : [{ text: call.target, look: 'quiet' as const, indent: 4, hang: 2 }]),
    ...outputOf(call),
    ...(read
      ? [
          {
            text: `${FIRST_SCREEN.afterwards}: ${read.ended}${read.verdict === null ? '' : `. ${read.verdict}`}`,
            indent: 2,
            hang: 2,
          },
        ]
      : []),
    ...(identicalRetry
      ? [{ text: `${identicalRetry.verdict}. ${identicalRetry.because}`, indent: 2, hang: 2 }]
      : []),
    ...(read?.next ? [{ text: `${FIRST_SCREEN.nextOfCall}: ${read.next}`, indent: 2, hang: 2 }] : []),
  ]
}

function streamLines({ name, cut, chunks }: OutputStream): Line[] {
  return [
    blank,
    { text: OUTPUT_TEXT.streams[name], look: 'strong', indent: 2 },
    ...(cut ? [quiet(explainText.outputStartCut)] : []),
    ...chunks.flatMap(({ before, lines }) => [
      ...(before > 0 ? [quiet(OUTPUT_TEXT.linesLeftOut({ lines: before }))] : []),
      ...lines.map(outputLine),
    ]),
  ]
}

const outputLine = ({ text, decisive }: OutputTailLine): Line => ({
  text: `${decisive ? '>' : '|'} ${text}`,
  look: decisive ? 'bad' : 'plain',
  indent: 4,
  hang: 4,
})

function outputOf({ output, outputCut }: ExplainedCall): Line[] {
  if (output === null) return [{ text: explainText.noOutput, look: 'quiet', indent: 4 }]
  const { lines, before, after }: OutputLines = output
  return [
    ...(before > 0 ? [quiet(explainText.linesBefore({ lines: before }))] : []),
    ...lines.map(outputLine),
    ...(after > 0 ? [quiet(explainText.linesAfter({ lines: after }))] : []),
    ...(outputCut ? [quiet(explainText.outputCut)] : []),
  ]
}

const quiet = (text: string): Line => ({ text, look: 'quiet', indent: 4 })

function othersLines({ others, othersLeftOut }: Explanation): Line[] {
  if (others.length === 0 && othersLeftOut === 0) return []
  return [
    blank,
    { text: FIRST_SCREEN.others, look: 'strong', indent: 2 },
    ...others.flatMap(({ what, ended, verdict, next }) => [
      { text: `- ${what} · ${ended}`, indent: 2, hang: 2 },
      { text: `${verdict}. ${next}`, look: 'quiet' as const, indent: 4 },
    ]),
    ...(othersLeftOut > 0 ? [{ text: `${leftOutWords(othersLeftOut)}.`, indent: 2 }] : []),
  ]
}

const listed = (one: Explanation): Line => ({
  text: `${signOf(one)} ${one.key}: ${one.headline}`,
  look: one.needsAttention ? 'bad' : 'plain',
  indent: 2,
  hang: 2,
})

/** What could not be read of a file. */
export function noteTexts({ torn, odd, records }: ExplainedFile): string[] {
  return [
    ...(torn ? [explainText.torn] : []),
    ...(odd.total > 0 ? [explainText.odd({ odd: odd.total, records, first: odd.first ?? '' })] : []),
  ]
}

const notes = (file: ExplainedFile): Line[] =>
  noteTexts(file).map((text) => ({ text, look: 'quiet', indent: 2, hang: 2 }))
