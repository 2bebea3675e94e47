import { createAnalysis } from '../../analysis/analyse'
import { asEvent } from '../../analysis/samples.support'
import type { ExecutionSummary } from '../../model/summary'
import type { NormalRecord } from '../../model/normal-form'
import { parsePart } from '../parse-part'
import { noetl } from './adapter'

/** The records of a body; for tests only. */
export async function recordsOf(text: string, redact = true): Promise<NormalRecord[]> {
  const part = {
    adapter: noetl,
    bytes: new TextEncoder().encode(text),
    offset: 0,
    context: noetl.start({}),
    redact,
    final: true,
  }
  return (await parsePart(part)).records
}

/** What is made of a run of which these bodies came, each a stream of its own. */
export async function summaryOf(run: string, ...bodies: string[]): Promise<ExecutionSummary> {
  const analysis = createAnalysis(run)
  for (const [i, text] of bodies.entries())
    for (const record of await recordsOf(text))
      if (record.executionKey === run && !record.homeless)
        analysis.add(asEvent(record, `stream-${i}`, 'rows'))
  return analysis.finish()
}
