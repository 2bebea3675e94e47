import { createAnalysis, type Analysis } from '@/lib/analysis/analyse'
import type { AnalysedEvent } from '@/lib/model/summary'
import type { ExecutionRef } from '../append/execution-ids'
import type { FreshEvent, FreshEvents } from '../append/fresh-events'

/** The analysis of one execution while its events come in, with what is counted beside it. */
export class EventReading {
  records = 0
  odd = 0
  redactions = 0
  readonly analysis: Analysis

  constructor(executionKey: string, mayRepeat: boolean) {
    this.analysis = createAnalysis(executionKey, mayRepeat)
  }

  add(event: AnalysedEvent): void {
    this.records++
    if (event.oddReason !== undefined) this.odd++
    this.analysis.add(event)
  }
}

/** Of several executions no more events than this are taken in at once; they are read back instead, one execution after the other. */
const EVENTS_MAX = 10_000

/** Hands the events of executions that are new to their analyses as they are written, so that no event is held for it. */
export class FreshAnalyses implements FreshEvents {
  private readonly made = new Map<string, string>()
  private readonly readings = new Map<string, EventReading | { failure: unknown }>()
  private events = 0
  private gaveUp = false

  make({ id, externalId }: Pick<ExecutionRef, 'id' | 'externalId'>): void {
    this.made.set(id, externalId)
  }

  isNew(executionId: string): boolean {
    return this.made.has(executionId)
  }

  add(executionId: string, { event, redactions }: FreshEvent): void {
    const key = this.made.get(executionId)
    if (key === undefined || this.gaveUp) return
    let reading = this.readings.get(executionId)
    if (reading === undefined) {
      // Streams of one execution may repeat each other's records.
      reading = new EventReading(key, true)
      this.readings.set(executionId, reading)
    }
    if (++this.events > EVENTS_MAX && this.readings.size > 1) {
      this.gaveUp = true
      this.readings.clear()
      return
    }
    if ('failure' in reading) return
    try {
      reading.add(event)
      reading.redactions += redactions
    } catch (failure) {
      // It breaks where the execution is analysed, and keeps nothing from being stored.
      this.readings.set(executionId, { failure })
    }
  }

  forget(executionId: string): void {
    this.made.delete(executionId)
    this.readings.delete(executionId)
  }

  /**
   * All that came of an execution, to be finished once; null when not all of it is here.
   *
   * @throws what an event of it broke with
   */
  take(executionId: string): EventReading | null {
    const reading = this.readings.get(executionId) ?? null
    this.readings.delete(executionId)
    if (reading !== null && 'failure' in reading) throw reading.failure
    return reading
  }
}
