import type { RunDiagnosisDocument } from '@/lib/api/diagnosis-schemas'
import { rowResult } from '@/lib/formats/noetl/event-row'
import { betterSlot, readDiagnosis, runDiagnosisState } from '@/lib/judge/diagnosis/run-diagnosis'
import {
  exactJsonText,
  isObject,
  member,
  memberAt,
  parseExactJson,
  type ExactJson,
} from '@/lib/text/exact-json'
import type { Db } from '../client'
import { readAgentRun } from './agent-run'
import { isUuid } from './cursor'
import { failuresOf, listFailing, placeOf, pointerTo, slotOf, type StoredRow } from './failing-rows'
import { readKeptDiagnosis } from './kept-diagnosis'
import { readReceivedRange } from './received'
import type { RowOf } from '../schema/rows'

type One = RunDiagnosisDocument['diagnoses'][number]

/**
 * What is known of the diagnoses of the agents that failed in a run: read from the kept bytes of its rows, with every digit. Of the run of an agent,
 * what the rows of its parent hold of it. Null when the projects hold no such execution.
 */
export async function readRunDiagnosis(
  db: Pick<Db, 'sql'>,
  projectIds: string[],
  id: string,
): Promise<RunDiagnosisDocument | null> {
  if (!isUuid(id) || projectIds.length === 0) return null
  const [target] = await db.sql<
    (RowOf<'executions', 'externalId' | 'parentId'> & {
      project: RowOf<'executions', 'project_id'>['project_id']
    })[]
  >`
    select project_id as project, external_id as "externalId", parent_id as "parentId" from executions where project_id = any (${projectIds}::uuid[]) and id = ${id}`
  if (!target) return null
  const { project, externalId, parentId } = target
  const own = await listFailing(db, project, id)
  const ofAgents = agentsOf(own)
  const fromParent =
    ofAgents.length > 0 || parentId === null
      ? []
      : agentsOf(await listFailing(db, project, parentId)).filter(
          ([version]) => version!.fact.agent!.executionId === externalId,
        )
  const agentFailures = ofAgents.length > 0 ? ofAgents : fromParent
  const holderId = agentFailures.length === 0 ? null : ofAgents.length > 0 ? id : parentId
  const attempts =
    holderId === null
      ? []
      : await listAttemptsAt(
          db,
          project,
          holderId,
          agentFailures.flatMap(([version]) => version!.fact.agent!.executionId ?? []),
        )
  const diagnoses: One[] = []
  for (const versions of agentFailures)
    diagnoses.push(await readOne(db, project, { holder: holderId!, page: id }, versions, attempts))
  return {
    executionId: id,
    holderId,
    toldBy: holderId,
    state: diagnoses[0]?.state ?? 'none_requested',
    diagnoses,
    unclaimed: holderId === null ? await readUnclaimedDiagnosis(db, project, id) : null,
    ...failuresOf(own),
  }
}

/** Other versions of the row with a different value at the place of the diagnosis. */
async function listOtherVersions(
  db: Pick<Db, 'sql'>,
  project: string,
  id: string,
  best: StoredRow,
): Promise<One['versions']> {
  if (best.fact.eventId === null) return []
  const rows = await db.sql<
    (RowOf<'events', 'at'> &
      RowOf<'received', 'sha256'> & {
        start: RowOf<'events', 'kept_start'>['kept_start']
        end: RowOf<'events', 'kept_end'>['kept_end']
      } & Pick<StoredRow, 'fact'>)[]
  >`
    select v.facts->'row' as fact, v.at, r.sha256, v.kept_start as start, v.kept_end as end from events v
    join received r on r.project_id = v.project_id and r.id = v.received_id
    where v.project_id = ${project} and v.execution_id = ${id} and v.channel = 'rows' and v.facts->'row'->>'eventId' = ${best.fact.eventId}
    order by r.sha256, v.kept_start`
  return rows
    .filter((row) => slotOf(row) !== slotOf(best))
    .map((row) => ({
      state: slotOf(row),
      pointer: { received: row.sha256, byteStart: row.start, byteEnd: row.end },
    }))
}

/** The rows of each agent that failed: those that name the same child run, else the same step. */
export function agentsOf(rows: readonly StoredRow[]): StoredRow[][] {
  const agents = new Map<string, StoredRow[]>()
  for (const row of rows) {
    const { agent, node } = row.fact
    if (agent?.outcome !== 'error') continue
    const key = agent.executionId === null ? `step ${node ?? ''}` : `run ${agent.executionId}`
    agents.set(key, [...(agents.get(key) ?? []), row])
  }
  return [...agents.values()]
}

type AttemptRow = RowOf<'executions', 'id' | 'externalId' | 'outcome'> & {
  path: RowOf<'executions', 'title'>['title']
  about: string | null
}

/**
 * The diagnosis that a child of this run made of another one and kept, where no row of this run says how its agent ended: a context that was dropped whole took
 * envelope and diagnosis with it. Null where a row does, or nobody made one.
 */
export async function readUnclaimedDiagnosis(
  db: Pick<Db, 'sql'>,
  project: string,
  id: string,
): Promise<Awaited<ReturnType<typeof readKeptDiagnosis>>> {
  const [errorRow] =
    await db.sql`select 1 from events v where v.project_id = ${project} and v.execution_id = ${id} and v.channel = 'rows' and v.facts->'row'->'agent'->>'outcome' = 'error' limit 1`
  if (errorRow) return null
  return readKeptDiagnosis(
    db,
    project,
    (await listAttemptsAt(db, project, id, [])).filter(({ about }) => about !== null),
  )
}

/** Children of a run that were started to diagnose one of its agents: their input names it, or their path is that of the troubleshooter. */
export async function listAttemptsAt(
  db: Pick<Db, 'sql'>,
  project: string,
  id: string,
  childIds: string[],
): Promise<AttemptRow[]> {
  return [
    ...(await db.sql<AttemptRow[]>`
    select e.id, e.external_id as "externalId", e.title as path, e.outcome, a.about from executions e
    left join lateral (
      select coalesce(v.facts->'row'->>'about', v.facts->'document'->>'about') as about from events v
      where v.project_id = e.project_id and v.execution_id = e.id and v.channel = 'rows' and coalesce(v.facts->'row'->>'about', v.facts->'document'->>'about') is not null
      order by v.stream_id, v.byte_offset limit 1) a on true
    where e.project_id = ${project} and e.parent_id = ${id} and not e.external_id = any (${childIds}::text[])
      and (a.about = any (${childIds}::text[]) or e.title ~* '(^|/)troubleshoot(er)?(/|$)')
    order by e.started_at nulls last, e.id`),
  ]
}

async function readOne(
  db: Pick<Db, 'sql'>,
  project: string,
  { holder, page }: { holder: string; page: string },
  versions: readonly StoredRow[],
  all: readonly AttemptRow[],
): Promise<One> {
  const childId = versions[0]!.fact.agent!.executionId
  const attempts = all.filter(({ about }) => about === null || about === childId)
  let best = versions[0]!
  for (const one of versions) if (betterSlot(slotOf(one), slotOf(best))) best = one
  const slot = best.fact.diagnosis
  const others = await listOtherVersions(db, project, holder, best)
  const range = await readReceivedRange(db, [project], best.sha256, best.start, best.end)
  const row = range === null ? null : parseExactJson(new TextDecoder().decode(range.bytes))
  const error = row?.ok ? memberAt(rowResult(row.value), 'context', 'error') : undefined
  const value = slot ? member(error, 'diagnosis') : undefined
  return {
    state: runDiagnosisState(
      slot?.state ?? 'absent',
      attempts.map(({ outcome }) => ({ isRunning: outcome === 'running' })),
    ),
    step: best.fact.node,
    error: error === undefined ? null : errorOf(error),
    row: placeOf(best),
    childId,
    eventId: slot ? best.fact.eventId : null,
    pointer: slot ? pointerTo(best, slot.span) : null,
    value: value === undefined ? null : readDiagnosis(value),
    versions: others,
    retold: others,
    agentRun: childId === null ? null : await readAgentRun(db, project, page, childId),
    attempts: attempts.map(({ about: _about, ...attempt }) => attempt),
    elsewhere: slot?.state === 'complete' ? null : await readKeptDiagnosis(db, project, attempts),
  }
}

/** The error as its agent wrote it; one that is no object is its message. */
function errorOf(error: ExactJson): NonNullable<One['error']> {
  const textOf = (key: string): string | null => {
    const value = member(error, key)
    return value === undefined ? null : exactJsonText(value)
  }
  return {
    kind: textOf('kind'),
    code: textOf('code'),
    message: isObject(error) ? textOf('message') : exactJsonText(error),
    retryable: textOf('retryable'),
  }
}
