import { explainText } from '@/lib/words/cli/explain'
import type { Explanation } from '@/lib/views/executions/explanation'
import { githubCommand, plainText } from '../ci-summary/escapes'
import type { ExplainedFile } from './explained'
import { inBuildkiteLog, type Annotations } from './inert'

/** GitHub shows ten of each step. */
const ANNOTATIONS_MAX = 10

/** What deserves a place outside of the log. */
interface Note {
  level: 'error' | 'warning'
  title: string
  lines: string[]
}

/**
 * The lines of the log: the text of each file, with what makes its CI system show it.
 *
 * @param texts of the files, in their order; empty where only the annotations are wanted
 * @param now for the sections of GitLab, which tell how long they took
 */
export function annotate(
  annotations: Annotations,
  files: readonly ExplainedFile[],
  texts: readonly string[][],
  now: () => number = Date.now,
): string[] {
  const first =
    annotations === 'github' ? files.flatMap(notesOf).slice(0, ANNOTATIONS_MAX).map(asCommand) : []
  return [
    ...first,
    ...files.flatMap((file, i) => [
      ...(i > 0 && texts[i]!.length > 0 ? [''] : []),
      ...grouped(annotations, file, texts[i]!, `inquest_explain_${i}`, now),
    ]),
  ]
}

const asCommand = ({ level, title, lines }: Note): string =>
  githubCommand(level, plainText(title, 120), lines.map((line) => plainText(line)).join('\n'))

/** A group of the log that is open where something needs attention. */
function grouped(
  annotations: Annotations,
  file: ExplainedFile,
  text: string[],
  name: string,
  now: () => number,
): string[] {
  const title = plainText(titleOf(file), 200)
  if (annotations === 'buildkite')
    return [`${file.needsAttention ? '+++' : '---'} ${inBuildkiteLog(title)}`, ...text]
  if (annotations !== 'gitlab') return text
  if (text.length === 0) return file.needsAttention ? [`\u001b[1;31m${title}\u001b[0m`] : []
  const seconds = (): number => Math.floor(now() / 1000)
  const state = file.needsAttention ? '' : '[collapsed=true]'
  return [
    `\u001b[0Ksection_start:${seconds()}:${name}${state}\r\u001b[0K\u001b[1m${title}\u001b[0m`,
    ...text,
    `\u001b[0Ksection_end:${seconds()}:${name}\r\u001b[0K`,
  ]
}

function titleOf(file: ExplainedFile): string {
  const [note] = notesOf(file)
  if (note) return explainText.groupTitle({ text: note.lines[0]! })
  const says =
    file.status === 'unreadable'
      ? explainText.unreadable({ file: file.file, because: file.because! })
      : (file.step?.text ?? file.executions[0]?.headline ?? file.because ?? '')
  return explainText.groupTitle({ text: says })
}

function notesOf({ file, step, executions, needsAttention }: ExplainedFile): Note[] {
  if (!needsAttention) return []
  if (step)
    return [
      {
        level: 'error',
        title: explainText.noRun({ file }),
        lines: [step.text, ...step.reasons, ...(step.next === null ? [] : [step.next])],
      },
    ]
  return executions.filter((one) => one.needsAttention && one.parent === null).map((one) => noteOf(one, file))
}

const noteOf = (one: Explanation, file: string): Note => ({
  // A run that ended well may hold something that somebody should know of.
  level: one.outcome === 'succeeded' && !one.step?.needed ? 'warning' : 'error',
  title: explainText.noteTitle({
    outcome: one.outcomeName,
    category: one.step?.needed ? null : (one.cause?.categoryName ?? null),
    file,
  }),
  lines: [
    one.headline,
    ...one.below,
    ...(one.step?.reasons ?? []),
    ...(one.retry ? [`${one.retry.verdict}.`] : []),
    ...(one.next === null ? [] : [one.next]),
  ],
})
