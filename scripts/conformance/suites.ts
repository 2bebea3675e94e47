import type { Suite } from './suite'
import { contentStateEndToEnd, contentStateOutcome, contentStateParse } from './suites/content-state'
import { diagnosisSuites } from './suites/diagnosis'
import { failureSignal } from './suites/failure-signal'
import { hookFrames } from './suites/hook-frames'
import { patches } from './suites/patches'
import { receiptChains } from './suites/receipt-chains'
import { didKeys, receiptExamples, rotationEvent } from './suites/receipt-examples'
import { canonicalVectors, malformedVectors, sdkVectors, versionVectors } from './suites/receipt-vectors'

export const suites: readonly Suite[] = [
  contentStateParse,
  contentStateOutcome,
  contentStateEndToEnd,
  failureSignal,
  hookFrames,
  receiptChains,
  canonicalVectors,
  sdkVectors,
  versionVectors,
  malformedVectors,
  didKeys,
  rotationEvent,
  receiptExamples,
  ...diagnosisSuites,
  patches,
]
