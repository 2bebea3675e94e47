import { CliFailure } from '../exit-codes'
import { PartRefused } from './door'
import type { Door } from './door'
import type { Recognise, Taken } from './recognise'
import { FileChanged, sendFile, sendTail } from './send-file'
import type { FileStanding } from './send-file'
import type { FileReport, Tally } from './tally'
import { fileTrouble } from './walk'
import type { FoundFile } from './walk'

export interface ImportContext {
  door: Door
  recognise: Recognise
  source: string
  tally: Tally
  signal: AbortSignal
  wholeLinesOnly: boolean
  /** Says what would be sent, and sends nothing. */
  dryRun: boolean
  onBytes(bytes: number): void
}

export interface Imported {
  report: FileReport
  /** Set when the file was sent or was there already. */
  standing: FileStanding | null
  taken: Taken | null
}

/** Errors that end the whole import, not only one file of it. */
export const endsImport = (error: unknown, signal: AbortSignal): boolean => signal.aborted || error instanceof CliFailure

/**
 * Takes one file as far as it goes. Whatever is wrong with the file becomes its report; only trouble of the server or
 * an interruption is thrown. With `tailFrom` only what stands behind that byte is sent.
 */
export async function importFile(
  file: FoundFile,
  buffer: Buffer,
  context: ImportContext,
  tailFrom?: { taken: Taken; offset: number },
): Promise<Imported> {
  const report: FileReport = { path: file.path, name: file.name, status: 'sent', bytes: 0, records: 0, odd: 0 }
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
      return finish(recognition.left.unfit ? 'not-taken' : 'left', recognition.left.because)
    }
    const { taken } = recognition
    report.kind = taken.kind
    if (context.dryRun) {
      report.bytes = file.size
      return finish('would-send')
    }
    const sending = {
      door: context.door,
      path: file.path,
      name: file.name,
      taken,
      wholeLinesOnly: context.wholeLinesOnly,
      buffer,
      signal: context.signal,
      onBytes: (bytes: number) => {
        counted += bytes
        context.onBytes(bytes)
      },
      onAnswer: (answer: Parameters<Tally['addAnswer']>[0]) => {
        report.records += answer.accepted
        report.odd += answer.oddTotal
        context.tally.addAnswer(answer)
      },
    }
    const standing = tailFrom ? await sendTail(sending, tailFrom.offset) : await twice(() => sendFile(sending))
    report.bytes = standing.sentBytes
    if (standing.sentBytes > 0 && standing.offset > standing.sentBytes) report.resumed = true
    if (standing.rewritten) report.rewritten = true
    return { ...finish(standing.sentBytes > 0 ? 'sent' : 'known'), standing, taken }
  } catch (error) {
    if (endsImport(error, context.signal)) throw error
    if (error instanceof PartRefused || error instanceof FileChanged) return finish('not-taken', error.message)
    if ((error as NodeJS.ErrnoException).code !== undefined) return finish('not-taken', fileTrouble(error))
    throw error
  }
}

/** A file that changed under our hands is looked at once more before it is given up. */
async function twice<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof FileChanged)) throw error
    return action()
  }
}
