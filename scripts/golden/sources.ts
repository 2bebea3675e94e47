import { decisionSources } from './sources/conformance-decisions'
import { diagnosisSources } from './sources/conformance-diagnosis'
import { patchSources } from './sources/conformance-patches'
import { receiptSources } from './sources/conformance-receipts'
import { runSources } from './sources/conformance-runs'
import { ownSources } from './sources/own-seeds'
import { otherSampleSources, transcriptSources } from './sources/samples'
import type { Source } from './sources/source'

/** Everything that is recorded, in two halves of about the same work. */
export const SOURCES = {
  transcripts: transcriptSources,
  others: [
    ...ownSources,
    ...otherSampleSources,
    ...runSources,
    ...receiptSources,
    ...decisionSources,
    ...diagnosisSources,
    ...patchSources,
  ],
} as const satisfies Record<string, readonly Source[]>

export const allSources = (): Source[] => Object.values(SOURCES).flat()
