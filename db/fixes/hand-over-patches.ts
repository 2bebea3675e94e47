import { holdRecord, type HeldStream } from '@/lib/judge/calls/merge-streams'
import { collectPipeline, type PipelineRun } from '@/lib/judge/outcomes/pipeline-run'
import { foundInRun, type FoundInRun } from '@/lib/judge/fixes/found-in-run'
import { fixProposal } from '@/lib/api/fix-schemas'
import type { FixProposal } from '@/lib/model/fix'
import type { Db } from '../client'
import { readFoundFiles } from '../queries/found-files'
import type { FixStore } from './patch-reader'
import { proposeFix } from './propose-fix'
import { sha256 } from '../sha256'
import type { RowOf } from '../schema/rows'
import { storeText } from '@/lib/words/server/store'

/** As whom patches that lie with a run are proposed. */
const PROPOSER = { actor: 'system', actorName: storeText.importOfRun }
const AT_ONCE = 100

export interface HandedOver {
  /** Runs that were looked at. */
  runs: number
  /** Fixes that are new. */
  proposed: number
  /** Runs whose patches could not be handed over; they stay noted. */
  failed: { executionId: string; error: unknown }[]
}

/**
 * Proposes the patches that lie with runs as fixes: of these executions, or of all that are noted. Every way in leads here once its transaction is
 * committed, and a background job comes by for what was cut short. The same patch again is the same fix.
 *
 * @see docs/fixes.md#patches-of-a-run
 */
export async function handOverPatches(
  db: FixStore,
  { executionIds }: { executionIds?: readonly string[] } = {},
): Promise<HandedOver> {
  const { sql } = db
  const done: HandedOver = { runs: 0, proposed: 0, failed: [] }
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const due = await sql<RowOf<'patch_handovers', 'projectId' | 'executionId' | 'changes'>[]>`
      select project_id as "projectId", execution_id as "executionId", changes from patch_handovers
      where execution_id > ${after} ${executionIds === undefined ? sql`` : sql`and execution_id = any (${[...executionIds]}::uuid[])`} order by execution_id limit ${AT_ONCE}`
    for (const { projectId, executionId, changes } of due) {
      done.runs++
      try {
        done.proposed += await handOverRun(db, projectId, executionId)
        await sql`delete from patch_handovers where project_id = ${projectId} and execution_id = ${executionId} and changes = ${changes}`
      } catch (error) {
        // One run that cannot be read keeps no other out.
        done.failed.push({ executionId, error })
      }
    }
    if (due.length < AT_ONCE) return done
    after = due.at(-1)!.executionId
  }
}

async function handOverRun(db: FixStore, projectId: string, executionId: string): Promise<number> {
  const run = await readRun(db, projectId, executionId)
  let proposed = 0
  // One after the other: each is held in memory while it is read.
  for (const found of run === null ? [] : foundInRun(run).map(completeProposal))
    if (await handOver(db, projectId, executionId, found)) proposed++
  return proposed
}

/** @throws ZodError for a text of the run that is longer than a proposal may have it */
const completeProposal = (found: FoundInRun): FoundInRun<FixProposal> => ({
  ...found,
  proposal: fixProposal.parse(found.proposal),
})

async function handOver(
  db: FixStore,
  projectId: string,
  executionId: string,
  found: FoundInRun<FixProposal>,
): Promise<boolean> {
  const { patch, secrets, transcript, promptSha256, contextPackSha256 } = await readFoundFiles(
    db,
    projectId,
    executionId,
    found,
  )
  if (sha256(patch) !== found.patch.fact.sha256)
    throw new Error(storeText.bytesDiffer({ fileName: found.patch.fact.fileName }))
  const { proposal } = found
  const done = await proposeFix(db, {
    projectId,
    executionId,
    bytes: patch,
    secrets,
    transcript,
    ...PROPOSER,
    proposal: { ...proposal, contextPackSha256, agent: { ...proposal.agent, promptSha256 } },
  })
  return 'fixId' in done && done.isNew
}

/** The files of a run by its records; null when it is none. */
async function readRun(
  db: Pick<Db, 'sql'>,
  projectId: string,
  executionId: string,
): Promise<PipelineRun | null> {
  const rows = await db.sql<
    (RowOf<'streams', 'streamId'> &
      RowOf<'events', 'channel' | 'identity' | 'kind' | 'at' | 'keptStart' | 'keptEnd' | 'facts'> & {
        offset: RowOf<'events', 'byte_offset'>['byte_offset']
        received: RowOf<'received', 'sha256'>['sha256']
      })[]
  >`
    select s.stream_id as "streamId", v.channel, v.byte_offset as offset, v.identity, v.kind, v.at, r.sha256 as received, v.kept_start as "keptStart", v.kept_end as "keptEnd", v.facts
    from events v join streams s on s.project_id = v.project_id and s.id = v.stream_id join received r on r.project_id = v.project_id and r.id = v.received_id
    where v.project_id = ${projectId} and v.execution_id = ${executionId} and v.channel = 'pipeline' order by s.stream_id, v.byte_offset`
  const streams = new Map<string, HeldStream>()
  const files = collectPipeline()
  for (const event of rows) {
    const place = holdRecord(streams, event, true)
    if (place !== null) files.add(place, event.facts)
  }
  return files.read()
}
