import type { ExplainedCall, Explanation } from '@/lib/views/executions/explanation'
import type { OutputStream } from '@/lib/model/run-output'
import { OUTPUT_TEXT } from '@/lib/words/run-output'
import { explainText } from '@/lib/words/cli/explain'
import { FIRST_SCREEN, leftOutWords } from '@/lib/words/first-screen'
import { codeBlock, codeSpan, proseSpan } from '../ci-summary/escapes'
import type { ExplainedFile } from './explained'
import { withoutEmoji, type Annotations } from './inert'
import { callTitle, LISTED_MAX, noteTexts, shownOf } from './text'

/**
 * The files as Markdown for the summary of a job. Whatever may come from data is in code, so that nothing in it is read as Markdown or HTML.
 */
export function explainMarkdown(files: readonly ExplainedFile[], annotations: Annotations): string {
  const text = files.flatMap(fileMarkdown).join('\n\n')
  return `${annotations === 'buildkite' ? withoutEmoji(text) : text}\n`
}

function fileMarkdown(file: ExplainedFile): string[] {
  const { executions, step, because } = file
  if (step)
    return [
      heading(file.needsAttention, step.text),
      `${codeSpan(file.file, 200)}`,
      ...reasons(step.reasons),
      ...(step.next === null ? [] : [`**${FIRST_SCREEN.next}**: ${step.next}`]),
    ]
  if (executions.length === 0)
    return [
      `## Inquest: ${explainText.nothingExplained}`,
      `${codeSpan(file.file, 200)}: ${codeSpan(because ?? '')}`,
      ...notes(file),
    ]
  const { shown, rest } = shownOf(executions)
  return [
    ...shown.flatMap((one) => executionMarkdown(one, file.file)),
    ...(rest.length === 0
      ? []
      : [
          explainText.othersInFile({ executions: rest.length }),
          rest
            .slice(0, LISTED_MAX)
            .map((one) => `- ${one.outcomeName}: ${codeSpan(one.headline)} (${codeSpan(one.key, 120)})`)
            .join('\n'),
        ]),
    ...(rest.length > LISTED_MAX
      ? [explainText.othersLeftOut({ executions: rest.length - LISTED_MAX })]
      : []),
    ...notes(file),
  ]
}

const heading = (needed: boolean, text: string): string => `## ${needed ? '❌ ' : ''}${text}`

function executionMarkdown(one: Explanation, file: string): string[] {
  const { step, cause } = one
  // Its own sentences hold no data, the others may quote it.
  const leads = step !== null && one.headline === step.text
  return [
    leads
      ? heading(one.needsAttention, step.text)
      : heading(
          one.needsAttention,
          cause?.categoryName ? `${one.outcomeName}: ${cause.categoryName}` : one.outcomeName,
        ),
    ...(leads ? [] : [codeBlock(one.headline)]),
    ...(one.below.length === 0 ? [] : [codeBlock(one.below.join('\n'))]),
    ...reasons(step?.reasons ?? []),
    ...(one.retry
      ? [`**${FIRST_SCREEN.retry}** ${proseSpan(one.retry.verdict)}. ${proseSpan(one.retry.because)}`]
      : []),
    ...(one.next === null ? [] : [`**${FIRST_SCREEN.next}**: ${proseSpan(one.next)}`]),
    ...(one.output?.streams ?? []).flatMap(streamMarkdown),
    ...one.calls.flatMap(callMarkdown),
    ...othersMarkdown(one),
    `${cause ? `${one.attention.label}: ${one.attention.text} ` : ''}${proseSpan(one.outcomeBecause)} ${codeSpan(one.key, 120)} in ${codeSpan(file, 200)}`,
  ]
}

const reasons = (all: readonly string[]): string[] =>
  all.length === 0
    ? []
    : [...(all.length > 1 ? [explainText.possibleReasons] : []), all.map((one) => `- ${one}`).join('\n')]

const streamMarkdown = ({ name, cut, chunks }: OutputStream): string[] => [
  `**${OUTPUT_TEXT.streams[name]}**`,
  codeBlock(
    [
      ...(cut ? [explainText.outputStartCut] : []),
      ...chunks.flatMap(({ before, lines }) => [
        ...(before > 0 ? [OUTPUT_TEXT.linesLeftOut({ lines: before })] : []),
        ...lines.map(({ text, decisive }) => `${decisive ? '> ' : '  '}${text}`),
      ]),
    ].join('\n'),
  ),
]

function callMarkdown(call: ExplainedCall): string[] {
  const { output, read, target, identicalRetry } = call
  return [
    `**${call.heading}**: ${codeSpan(callTitle(call), 200)}${target === null ? '' : ` ${codeSpan(target, 240)}`}`,
    output === null
      ? explainText.noOutput
      : codeBlock(
          [
            ...(output.before > 0 ? [explainText.linesBefore({ lines: output.before })] : []),
            ...output.lines.map(({ text, decisive }) => `${decisive ? '> ' : '  '}${text}`),
            ...(output.after > 0 ? [explainText.linesAfter({ lines: output.after })] : []),
          ].join('\n'),
        ),
    ...(read
      ? [
          `${FIRST_SCREEN.afterwards}: ${proseSpan(read.ended)}${read.verdict === null ? '' : `. ${proseSpan(read.verdict)}`}${read.next === null ? '' : `. ${FIRST_SCREEN.nextOfCall}: ${proseSpan(read.next)}`}`,
        ]
      : []),
    ...(identicalRetry ? [`${proseSpan(identicalRetry.verdict)}. ${proseSpan(identicalRetry.because)}`] : []),
  ]
}

function othersMarkdown({ others, othersLeftOut }: Explanation): string[] {
  if (others.length === 0 && othersLeftOut === 0) return []
  return [
    `**${FIRST_SCREEN.others}**`,
    [
      ...others.map(
        ({ what, ended, verdict, next }) =>
          `- ${proseSpan(what)} · ${proseSpan(ended)}. ${proseSpan(verdict)}. ${proseSpan(next)}`,
      ),
      ...(othersLeftOut > 0 ? [`- ${leftOutWords(othersLeftOut)}`] : []),
    ].join('\n'),
  ]
}

const notes = (file: ExplainedFile): string[] => noteTexts(file).map((text) => proseSpan(text))
