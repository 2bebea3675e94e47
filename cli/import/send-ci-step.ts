import { Readable } from 'node:stream'
import { ciStepLine } from '@/lib/formats/record/ci-step-line'
import type { IngestAnswer } from '@/lib/api/ingest-schemas'
import type { CiRun } from '@/lib/model/ci-run'
import type { IngestClient } from './ingest-client'

/** The CI job that sends its files. */
export interface CiStep {
  ci: CiRun
  /** How the step ended that ran the agent; null: not reported. */
  conclusion: string | null
  /** What the provider calls the step that sends, where it names steps: two steps of a job are two executions. */
  step: string | null
}

/** Ends of a step that are worth a page although it left no records. */
export const endsBadly = ({ conclusion }: CiStep): boolean =>
  conclusion === 'failure' || conclusion === 'cancelled'

/** The execution of a step that left no records: the same for each attempt to send it. */
export const keyOfStep = ({ ci, step }: CiStep): string =>
  ['ci', ci.provider, ci.path, ci.run, ci.attempt, ci.job, ...(step === null ? [] : [step])]
    .map((part) => encodeURIComponent(part ?? ''))
    .join(':')

/** Says which CI run an execution was part of, so that the page of the run lists it. Sent again it adds nothing. */
export async function sendCiStep(
  ingest: IngestClient,
  executionKey: string,
  { ci, conclusion }: CiStep,
): Promise<IngestAnswer> {
  const body = Buffer.from(ciStepLine(executionKey, { ci, conclusion }))
  return ingest.sendPart({
    kind: 'record',
    name: 'ci-step.jsonl',
    streamId: null,
    start: 0,
    length: body.length,
    more: false,
    body: () => Readable.from([body]),
  })
}
