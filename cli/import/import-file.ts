import { dirname, sep } from 'node:path'
import { isInRunFolder } from '@/lib/formats/async-pipeline/layout'
import { isPrunedBySource } from '@/lib/formats/autoskillit/layout'
import { countOf } from '@/lib/text/amounts'
import { importText } from '@/lib/words/cli/import'
import { CliFailure } from '../exit-codes'
import { PartRefused } from './ingest-client'
import type { IngestClient } from './ingest-client'
import type { Recognise, Taken } from './recognise'
import { withoutParts } from '@/lib/formats/record/ci-step-line'
import { sendCiStep, type CiStep } from './send-ci-step'
import { DatabaseProblem } from '../receipts/database-problem'
import { sendDatabase, type DatabasePlace } from './send-database'
import { FileChanged, sendFile, sendTail } from './send-file'
import { sendRun } from './send-run'
import type { FileStanding } from './send-file'
import type { FileReport, Tally } from './tally'
import { fileTrouble } from './walk'
import type { FoundFile } from './walk'

export interface ImportContext {
  ingest: IngestClient
  recognise: Recognise
  source: string
  tally: Tally
  signal: AbortSignal
  wholeLinesOnly: boolean
  /** Says what would be sent, and sends nothing. */
  dryRun: boolean
  onBytes(bytes: number): void
  /** The CI run that the files are of. */
  ciStep?: CiStep
  /** Hears of each execution that is linked to it. */
  onLinked?: () => void
}

/** How far a followed file was sent. */
export interface TailFrom {
  taken: Taken
  offset: number
  database?: DatabasePlace
}

export interface Imported {
  report: FileReport
  /** Set when the file was sent or was there already. */
  standing: FileStanding | null
  taken: Taken | null
}

/** Of each file. */
const ODD_NAMED_MAX = 3

/** Errors that end the whole import, not only one file of it. */
export const endsImport = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted || error instanceof CliFailure

/**
 * Takes one file as far as it goes. Whatever is wrong with the file becomes its report; only trouble of the server or
 * an interruption is thrown. With `tailFrom` only what is behind that byte is sent.
 */
export async function importFile(
  file: FoundFile,
  buffer: Buffer,
  context: ImportContext,
  tailFrom?: TailFrom,
): Promise<Imported> {
  const keys = new Set<string>()
  const imported = await takeFile(file, buffer, context, keys, tailFrom)
  const { ciStep, ingest, tally } = context
  if (ciStep === undefined || imported.standing === null) return imported
  // Of a file that the server has already nothing was answered.
  if (keys.size === 0 && imported.taken?.sessionId) keys.add(imported.taken.sessionId)
  try {
    for (const key of withoutParts(keys)) {
      tally.addAnswer(await sendCiStep(ingest, key, ciStep))
      context.onLinked?.()
    }
    return imported
  } catch (error) {
    if (!(error instanceof PartRefused)) throw error
    const report: FileReport = {
      ...imported.report,
      status: 'not-taken',
      because: importText.ciRunRefused({ reason: error.message }),
    }
    return { ...imported, report }
  }
}

async function takeFile(
  file: FoundFile,
  buffer: Buffer,
  context: ImportContext,
  keys: Set<string>,
  tailFrom?: TailFrom,
): Promise<Imported> {
  const report: FileReport = {
    path: file.path,
    name: file.name,
    status: 'sent',
    bytes: 0,
    records: 0,
    odd: 0,
  }
  let counted = 0
  const finish = (status: FileReport['status'], because?: string): Imported => {
    report.status = status
    if (because !== undefined) report.because = because
    // What was not sent is done with too, or the bar would never fill.
    context.onBytes(Math.max(0, file.size - counted))
    return { report, standing: null, taken: null }
  }
  try {
    const recognition = tailFrom ?? (await context.recognise(file, context.source))
    if ('left' in recognition) {
      if (recognition.left.unsupported) report.unsupported = true
      if (recognition.left.along) report.along = true
      return finish(recognition.left.unfit ? 'not-taken' : 'left', recognition.left.because)
    }
    const { taken } = recognition
    report.kind = taken.kind
    if (context.dryRun) {
      report.bytes = file.size
      return finish('would-send')
    }
    const onAnswer = (answer: Parameters<Tally['addAnswer']>[0]): void => {
      report.records += answer.accepted
      report.odd += answer.oddTotal
      if (answer.odd.length > 0)
        report.oddFirst = [...(report.oddFirst ?? []), ...answer.odd].slice(0, ODD_NAMED_MAX)
      context.tally.addAnswer(answer)
      for (const { externalId } of answer.executions) keys.add(externalId)
    }
    if (taken.database) {
      const sent = await sendDatabase(
        { ingest: context.ingest, path: file.path, name: file.name, signal: context.signal, onAnswer },
        tailFrom?.database,
      )
      // What was known already was sent all the same: only the server tells.
      report.bytes = report.records > 0 || report.odd > 0 ? sent.sentBytes : 0
      report.odd += sent.emptyRows
      if (sent.disagreeing.total > 0) {
        report.disagreeingRows = sent.disagreeing
        context.tally.addDisagreeing(sent.disagreeing.total)
      }
      const standing: FileStanding = {
        streamId: null,
        offset: file.size,
        sentBytes: sent.sentBytes,
        rewritten: false,
        database: sent.place,
      }
      return { ...finish(report.bytes > 0 ? 'sent' : 'known'), standing, taken }
    }
    if (taken.run) {
      report.bytes = await sendRun({
        ingest: context.ingest,
        folder: dirname(file.path),
        name: file.name,
        signal: context.signal,
        onAnswer,
      })
      // A run that has gone on is another document: whether the server had that one only its answer tells.
      if (report.records === 0 && report.odd === 0) report.bytes = 0
      const standing: FileStanding = {
        streamId: null,
        offset: file.size,
        sentBytes: report.bytes,
        rewritten: false,
      }
      return { ...finish(report.bytes > 0 ? 'sent' : 'known'), standing, taken }
    }
    const sending = {
      ingest: context.ingest,
      path: file.path,
      name: taken.name ?? file.name,
      taken,
      wholeLinesOnly: context.wholeLinesOnly,
      buffer,
      signal: context.signal,
      onBytes: (bytes: number) => {
        counted += bytes
        context.onBytes(bytes)
      },
      onAnswer,
    }
    const standing = tailFrom
      ? await sendTail(sending, tailFrom.offset)
      : await twice(() => sendFile(sending))
    report.bytes = standing.sentBytes
    if (standing.sentBytes > 0 && standing.offset > standing.sentBytes) report.resumed = true
    if (standing.rewritten) report.rewritten = true
    // What has no place in a stream is sent again each time; the server knows it all the same.
    if (taken.streamId === null && report.records === 0 && report.odd === 0) report.bytes = 0
    return { ...finish(report.bytes > 0 ? 'sent' : 'known'), standing, taken }
  } catch (error) {
    if (endsImport(error, context.signal)) throw error
    if (isGone(error) && !file.named && isPruned(file.path)) return finish('left', prunedWords)
    if (error instanceof DatabaseProblem)
      return finish(
        'not-taken',
        `${error.words}${report.records > 0 ? `; ${countOf(report.records, 'receipt')} before that ${report.records === 1 ? 'was' : 'were'} taken` : ''}`,
      )
    if (error instanceof PartRefused || error instanceof FileChanged)
      return finish('not-taken', error.message)
    if ((error as NodeJS.ErrnoException).code !== undefined) return finish('not-taken', fileTrouble(error))
    throw error
  }
}

const isGone = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')

/** A source that keeps a fixed number of runs removes the oldest while it is read: that is its way, and nothing to fail for. */
export const isPruned = (path: string): boolean =>
  [isPrunedBySource, isInRunFolder].some((is) => is(path.split(sep).join('/')))
export const prunedWords = importText.removedMeanwhile

/** A file that changed under our hands is looked at once more before it is given up. */
async function twice<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof FileChanged)) throw error
    return action()
  }
}
