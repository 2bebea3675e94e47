import { adapterOf } from '../formats/adapters'
import { parseFile } from '../formats/parse-file'
import { parsePart } from '../formats/parse-part'
import { ciStepLine, withoutParts, type CiStep } from '../formats/record/ci-step-line'
import { recordDocument } from '../formats/record/adapter'
import { decideExecution } from '../judge/decisions/decide-execution'
import type { IngestKind } from '../model/ingest-kinds'
import type { OddDetail } from '../model/messages/odd-details'
import type { ExecutionSummary } from '../model/summary'
import { oddDetailText } from '../words/odd-details'
import { analysedEvent } from './analysed-event'
import { createAnalysis, type Analysis } from './analyse'
import { applyDecision } from './apply-decision'

export interface FileBytes {
  kind: IngestKind
  bytes: Uint8Array
  fileName: string | null
  /** Tag by which failure signals are looked for; unset: the default one. */
  failureTag?: string
  /** The CI step that ran the agent, which counts for what is no part of another execution. */
  ciStep?: CiStep
  /** Hears the bytes that are kept of each part, by the name that pointers into them have. */
  onPart?: (received: string, kept: Uint8Array) => void
}

export interface ReadExecutions {
  /** In the order of their first records. */
  executions: { key: string; summary: ExecutionSummary }[]
  records: number
  /** Records that could not be understood, and the first of them in words. */
  odd: { total: number; first: string | null }
  /** The bytes end inside of a record. */
  torn: boolean
}

/**
 * Reads a whole file as a server does, from the received bytes to the summaries that are stored: redaction, records, analysis, decision. The
 * database is left out, which only keeps what this yields; what other files say of the same executions is not known here.
 */
export async function readExecutions(file: FileBytes): Promise<ReadExecutions> {
  const { kind, bytes, fileName, failureTag, onPart } = file
  const adapter = adapterOf(kind)
  const analyses = new Map<string, Analysis>()
  const read: ReadExecutions = { executions: [], records: 0, odd: { total: 0, first: null }, torn: false }
  let number = 0
  for await (const part of parseFile(kind, bytes, fileName, failureTag)) {
    const received = String(number++)
    onPart?.(received, part.kept)
    for (const record of part.records) {
      read.records += record.within ? 0 : 1
      if (record.oddReason !== undefined) noteOdd(read, record.oddReason, record.oddDetail)
      if (record.homeless) continue
      const analysis = analyses.get(record.executionKey) ?? createAnalysis(record.executionKey)
      analyses.set(record.executionKey, analysis)
      analysis.add(analysedEvent(record, { streamId: fileName ?? '', channel: adapter.channel, received }))
    }
  }
  if (file.ciStep) await addStep(analyses, file.ciStep)
  for (const [key, analysis] of analyses) read.executions.push({ key, summary: concluded(analysis) })
  return read
}

/** Tells the end of a step as the document does that an import sends beside the file. */
async function addStep(analyses: ReadonlyMap<string, Analysis>, step: CiStep): Promise<void> {
  for (const key of withoutParts(analyses.keys())) {
    const bytes = new TextEncoder().encode(ciStepLine(key, step))
    const context = recordDocument.start({ sessionId: key })
    const part = await parsePart({
      adapter: recordDocument,
      bytes,
      offset: 0,
      context,
      redact: true,
      final: true,
    })
    for (const record of part.records)
      analyses.get(key)!.add(
        analysedEvent(record, {
          streamId: 'ci-step',
          channel: recordDocument.channel,
          received: 'ci-step',
        }),
      )
  }
}

function concluded(analysis: Analysis): ExecutionSummary {
  const inferred = analysis.finish()
  return applyDecision(inferred, decideExecution(inferred, null))
}

function noteOdd(read: ReadExecutions, reason: string, detail: OddDetail | undefined): void {
  read.odd.total += 1
  read.odd.first ??= detail ? oddDetailText(detail) : reason
  if (reason === 'torn_line') read.torn = true
}
