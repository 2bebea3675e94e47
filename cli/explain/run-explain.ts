import { settingText } from '@/lib/words/settings'
import { readFailureTag } from '@/lib/formats/claude/failure-tag'
import { readCiRun } from '@/lib/formats/ci/ci-run'
import type { StepConclusion } from '@/lib/model/step-conclusion'
import { explainText } from '@/lib/words/cli/explain'
import { CliFailure } from '../exit-codes'
import type { Output } from '../output'
import type { Environment } from '../settings'
import { annotate } from './annotations'
import { explainDocument } from './document'
import { explainFile, type ExplainedFile } from './explained'
import { annotationsOf, INERT, type Annotations } from './inert'
import { explainMarkdown } from './markdown'
import { conclusionIn } from './conclusion-in'
import { readNamedFile } from './read-file'
import { draw, readScreen } from './screen'
import { fileLines } from './text'

export interface ExplainFlags {
  markdown?: boolean
  annotations?: Annotations
  exitCode?: boolean
  conclusion?: StepConclusion | null
}

interface ExplainIo {
  env: Environment
  out: NodeJS.WritableStream
  err: NodeJS.WritableStream
  stdin: AsyncIterable<Uint8Array>
  signal: AbortSignal
}

/** Statuses of `inquest explain`. */
const STATUS = { fine: 0, needsAttention: 1, unreadable: 2 } as const

/**
 * Explains files of agents without a server and without a network, in the words of the screens. What an agent did is no failure of this
 * command: its status says so only where it is asked to.
 */
export async function runExplain(
  names: readonly string[],
  flags: ExplainFlags,
  io: ExplainIo,
  output: Output,
): Promise<number> {
  const { env } = io
  const tag = readFailureTag(env)
  if ('trouble' in tag) throw new CliFailure('usage', settingText.failureTag(tag.trouble))
  const conclusion = flags.conclusion === undefined ? conclusionIn(env) : flags.conclusion || null
  const here = readCiRun(env)
  const ciStep = { ci: here, conclusion }
  const annotations = annotationsOf(flags.annotations, here)
  const inert = INERT[annotationsOf(annotations === 'none' ? undefined : annotations, here)]
  const files: ExplainedFile[] = []
  for (const name of names) {
    io.signal.throwIfAborted()
    const read = await readNamedFile({ path: name, stdin: io.stdin, failureTag: tag.tag, ciStep })
    files.push(explainFile(shownName(name), read, conclusion))
  }
  const isDocument = output.json || flags.markdown === true
  const status = statusOf(files, flags.exitCode === true)
  // Beside a document the log is standard error, where annotations count as well; nobody gets them unasked.
  if (!isDocument || flags.annotations !== undefined) {
    const log = isDocument ? io.err : io.out
    const screen = readScreen(log, env, inert)
    const texts = files.map((file) => fileLines(file).flatMap((line) => draw(line, screen)))
    for (const line of annotate(annotations, files, isDocument ? files.map(() => []) : texts))
      log.write(`${line}\n`)
  }
  if (output.json) output.record(explainDocument(files, { conclusion, status }))
  else if (flags.markdown)
    for (const line of explainMarkdown(files, annotations).split('\n')) io.out.write(`${inert(line)}\n`)
  return status
}

const shownName = (name: string): string =>
  name === '' ? explainText.noFileNamed : name === '-' ? explainText.stdin : name

function statusOf(files: readonly ExplainedFile[], exitCode: boolean): number {
  if (files.some(({ status }) => status === 'unreadable' || (exitCode && status === 'missing')))
    return STATUS.unreadable
  return exitCode && files.some(({ needsAttention }) => needsAttention) ? STATUS.needsAttention : STATUS.fine
}
