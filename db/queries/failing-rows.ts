import type { RunDiagnosisDocument } from '@/lib/api/diagnosis-schemas'
import { betterSlot } from '@/lib/judge/diagnosis/run-diagnosis'
import type { Db } from '../client'
import type { RowOf } from '../schema/rows'
import type { DiagnosisState, RowFact } from '@/lib/model/workflow-facts'

type Place = RunDiagnosisDocument['diagnoses'][number]['row']
type Row = NonNullable<RunDiagnosisDocument['firstFailure']>

/** A failing row, and where its kept bytes are. */
export type StoredRow = RowOf<'events', 'at'> &
  RowOf<'received', 'sha256'> & {
    start: RowOf<'events', 'kept_start'>['kept_start']
    end: RowOf<'events', 'kept_end'>['kept_end']
    fact: RowFact
  }

const idOf = (eventId: string | null): bigint | null =>
  eventId !== null && /^-?\d+$/.test(eventId) ? BigInt(eventId) : null

/** Failing rows of a run, each once, in the order of their ids. */
export async function listFailing(db: Pick<Db, 'sql'>, project: string, id: string): Promise<StoredRow[]> {
  const rows = await db.sql<StoredRow[]>`
    select v.facts->'row' as fact, v.at, r.sha256, v.kept_start as start, v.kept_end as end from events v
    join received r on r.project_id = v.project_id and r.id = v.received_id
    where v.project_id = ${project} and v.execution_id = ${id} and v.channel = 'rows'
      and (v.facts->'row'->>'label' in ('tool_error', 'agent_failure') or v.facts->'row'->'agent'->>'outcome' = 'error')
    order by r.sha256, v.kept_start`
  const byId = new Map<string, StoredRow>()
  for (const row of rows) {
    const key = row.fact.eventId ?? `${row.sha256} ${row.start}`
    const known = byId.get(key)
    if (known === undefined || holdsMore(row, known)) byId.set(key, row)
  }
  return [...byId.values()].sort((a, b) => {
    const [left, right] = [idOf(a.fact.eventId), idOf(b.fact.eventId)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return left < right ? -1 : left > right ? 1 : 0
  })
}

/** Of two versions of a row the one with the better diagnosis is read, else the longer one. The others are listed beside it. */
function holdsMore(a: StoredRow, b: StoredRow): boolean {
  const [left, right] = [slotOf(a), slotOf(b)]
  return left === right ? a.end - a.start > b.end - b.start : betterSlot(left, right)
}

/** The value at the place of a diagnosis. */
export const slotOf = ({ fact }: Pick<StoredRow, 'fact'>): DiagnosisState => fact.diagnosis?.state ?? 'absent'

/** The first and the last failing row; both null if there is none. */
export function failuresOf(rows: readonly StoredRow[]): {
  firstFailure: Row | null
  lastFailure: Row | null
} {
  const failing = rows.filter(({ fact }) => fact.label === 'tool_error' || fact.label === 'agent_failure')
  const [first, last] = [failing[0], failing.at(-1)]
  return { firstFailure: first ? rowOf(first) : null, lastFailure: last ? rowOf(last) : null }
}

export const placeOf = ({ fact, at, sha256, start, end }: StoredRow): Place => ({
  eventId: fact.eventId,
  type: fact.type,
  at,
  pointer: { received: sha256, byteStart: start, byteEnd: end },
})

export const pointerTo = (
  { sha256, start }: StoredRow,
  span: { start: number; end: number; jsonPointer?: string },
): Row['pointer'] => ({
  received: sha256,
  byteStart: start + span.start,
  byteEnd: start + span.end,
  ...(span.jsonPointer === undefined ? {} : { jsonPointer: span.jsonPointer }),
})

function rowOf(version: StoredRow): Row {
  const { fact, at, start, end } = version
  const isAgent = fact.agent?.outcome === 'error'
  const span = (isAgent ? fact.agent?.span : fact.error?.span) ?? { start: 0, end: end - start }
  return {
    eventId: fact.eventId,
    type: fact.type,
    step: fact.node,
    at,
    what: isAgent ? 'agent_failure' : 'tool_error',
    text: (isAgent ? fact.agent?.message : null) ?? fact.error?.text ?? null,
    pointer: pointerTo(version, span),
    whole: placeOf(version).pointer,
  }
}
