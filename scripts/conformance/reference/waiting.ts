import { isObject, member, type ExactJson, type ExactObject } from '@/lib/text/exact-json'
import { doubleOf, isNumber } from '@/lib/text/exact-number'
import { readStatusDocument } from './status-document'

/** Sums of tenths are kept free of what binary64 adds to them. */
const tidy = (seconds: number): number => Math.round(seconds * 1e9) / 1e9

/** No sleep is shorter. */
const SLEEP_SECONDS_MIN = 0.1
/** A wait that would ask more often is not played through. */
const POLLS_MAX = 100_000

/**
 * How the source waits for a run: it asks at once, then after each interval, until the run has ended or the deadline is over. Replies
 * that are no objects are skipped. No time passes.
 *
 * @param replyTo what the n-th request is answered with, from 0
 */
export function pollUntilTerminal(
  replyTo: (n: number) => ExactJson | undefined,
  timeoutSeconds: number,
  intervalSeconds: number,
): { document: ExactObject; polls: number; waitedSeconds: number } {
  const deadline = Math.max(timeoutSeconds, 1)
  const interval = Math.max(intervalSeconds, SLEEP_SECONDS_MIN)
  let last: ExactObject = {}
  let polls = 0
  let waited = 0
  while (waited < deadline && polls < POLLS_MAX) {
    const reply = replyTo(polls++)
    if (isObject(reply)) {
      if (readStatusDocument(reply).terminal) return { document: reply, polls, waitedSeconds: waited }
      last = reply
    }
    waited = tidy(waited + interval)
  }
  return { document: { ...last, timeout: true, failed: true }, polls, waitedSeconds: waited }
}

export interface FetchSettings {
  deadlineSeconds: number
  initialSleepSeconds: number
  multiplier: number
  maxSleepSeconds: number
}

/** The settings of a step. @param onFailure what it says about failures */
export function fetchSettings(onFailure: unknown): FetchSettings {
  const says = (other: number, ...names: string[]): number => {
    const value = names
      .map((name) => member(onFailure, `diagnosis_fetch_${name}`))
      .find((one) => one !== undefined)
    return isNumber(value) ? doubleOf(value) : other
  }
  return {
    deadlineSeconds: says(60, 'deadline_seconds', 'timeout_seconds'),
    initialSleepSeconds: says(0.5, 'initial_sleep_seconds', 'interval_seconds'),
    multiplier: says(1.5, 'backoff_multiplier'),
    maxSleepSeconds: says(4, 'max_sleep_seconds'),
  }
}

export interface DiagnosisFetch {
  found: boolean
  pollTimes: number[]
  pollCount: number
  /** Rounded to milliseconds, as all times here. */
  elapsedSeconds: number
  deadlineSeconds: number
  hitDeadline: boolean
}

/**
 * When the source asks for a diagnosis that is on its way: at once, then after growing sleeps; the last one ends at the deadline, with
 * one more try.
 *
 * @param availableAfter seconds after which the diagnosis is there, null for never
 */
export function fetchDiagnosis(availableAfter: number | null, settings: FetchSettings): DiagnosisFetch {
  const deadline = Math.max(settings.deadlineSeconds, 0)
  const multiplier = Math.max(settings.multiplier, 1)
  let sleep = Math.max(settings.initialSleepSeconds, SLEEP_SECONDS_MIN)
  const longest = Math.max(settings.maxSleepSeconds, sleep)
  const pollTimes: number[] = []
  for (
    let at = 0;
    ;
    at = tidy(at + Math.min(sleep, deadline - at)), sleep = Math.min(sleep * multiplier, longest)
  ) {
    pollTimes.push(milliseconds(at))
    const found = availableAfter !== null && at >= availableAfter
    if (found || at >= deadline || pollTimes.length === POLLS_MAX) {
      const elapsedSeconds = milliseconds(at)
      return {
        found,
        pollTimes,
        pollCount: pollTimes.length,
        elapsedSeconds,
        deadlineSeconds: deadline,
        hitDeadline: !found,
      }
    }
  }
}

/** Halves go to the even neighbour, as the source rounds. */
function milliseconds(seconds: number): number {
  const scaled = seconds * 1000
  const floor = Math.floor(scaled)
  if (scaled - floor === 0.5) return (floor % 2 === 0 ? floor : floor + 1) / 1000
  return Math.round(scaled) / 1000
}
