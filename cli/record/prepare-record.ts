import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StdoutFacts } from './read-stdout'
import { recordFiles } from './record-folder'
import type { RecordHead } from './record-folder'
import { writeDocument } from './write-document'
import type { RecordEnd } from './write-document'

/** How a record is sent: what is left to know of it once its document was written. */
export interface SendPlan {
  executionKey: string
  /** The output goes through its own endpoint, and is not in the document. */
  sendsStdout: boolean
  source: string
  project: string | null
}

/** Puts the document together and writes down how it is sent. Without an end its recorder was killed. */
export async function prepareRecord(
  folder: string,
  head: RecordHead,
  stdout: Pick<StdoutFacts, 'kind' | 'sessionId'>,
  end: RecordEnd | null,
): Promise<SendPlan> {
  const sendsStdout = stdout.kind !== null
  const plan: SendPlan = {
    executionKey: stdout.sessionId ?? `record-${head.start.recordId}`,
    sendsStdout,
    source: head.source,
    project: head.project,
  }
  const path = join(folder, recordFiles.plan)
  writeFileSync(`${path}.draft`, JSON.stringify(plan), { mode: 0o600 })
  renameSync(`${path}.draft`, path)
  await writeDocument(folder, {
    start: head.start,
    executionKey: plan.executionKey,
    channels: sendsStdout ? ['stderr'] : ['stdout', 'stderr'],
    end,
  })
  return plan
}
