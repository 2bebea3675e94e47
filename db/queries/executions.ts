import type { ExecutionItem, Facets, Page } from '@/lib/api/schemas'
import { formatCursor, parseCursor } from '@/lib/executions/cursor'
import { FACETS, type ExecutionFilter, type Facet } from '@/lib/executions/filter-types'
import { limits } from '@/lib/limits'
import type { Db } from '../client'
import { BadCursorError, isUuid } from './cursor'
import { ITEM_COLUMNS, toItem, type ItemRow } from './execution-rows'
import { matchStatement, readyFilter, textStatement, TEXT_WALK_ROWS, walkStatement, type Position, type ReadyFilter, type Statement } from './execution-walk'
import { ALL, readRollups, type FacetCount } from './rollups'
import { mapSources } from './sources'

export interface ListOptions {
  projectIds: string[]
  filter: ExecutionFilter
  cursor?: string | null
  limit?: number
}

const run = async <Row>(db: Db, { text, params }: Statement): Promise<Row[]> =>
  (await db.sql.unsafe(text, params as never[], { prepare: db.sql.options.prepare })) as unknown as Row[]

const clampLimit = (limit: number | undefined): number => Math.min(Math.max(1, Math.trunc(limit ?? limits.pageRows) || limits.pageRows), limits.pageRowsMax)

/** Facets of the filter that hold values; more than one means that the rarest has to be found. */
const usedFacets = (filter: ReadyFilter): Facet[] => FACETS.filter((facet) => filter.facets[facet] !== undefined)

/** The facet whose values are rarest by the rollups: walking its index looks at the fewest rows. */
async function chooseDriver(db: Db, projectIds: string[], filter: ReadyFilter): Promise<Facet | null> {
  const used = usedFacets(filter)
  if (used.length <= 1) return used[0] ?? null
  const counts = await readRollups(db, projectIds)
  const size = (facet: Facet) => counts.filter((c) => c.facet === facet && filter.facets[facet]!.includes(c.value)).reduce((sum, c) => sum + c.count, 0)
  return used.map((facet) => ({ facet, n: size(facet) })).sort((a, b) => a.n - b.n)[0]!.facet
}

/** One page of rows in the direction of the walk; a text filter looks along the list first and asks the text index when that was not enough. */
async function readWalk(
  db: Db,
  o: { projectIds: string[]; filter: ReadyFilter; from: Position | null; direction: 'older' | 'newer'; limit: number; columns: string },
): Promise<ItemRow[]> {
  const driver = await chooseDriver(db, o.projectIds, o.filter)
  if (o.filter.text === null) return run<ItemRow>(db, walkStatement({ ...o, driver }))
  const near = await run<ItemRow>(db, walkStatement({ ...o, driver, within: TEXT_WALK_ROWS }))
  return near.length >= o.limit ? near : run<ItemRow>(db, textStatement(o))
}

/**
 * One page of executions, newest first (`sort_at desc, id desc`).
 *
 * @throws BadCursorError for a cursor this list did not write
 */
export async function listExecutions(db: Db, { projectIds, filter, cursor, limit }: ListOptions): Promise<Page<ExecutionItem>> {
  const rows = clampLimit(limit)
  const from = readPosition(cursor)
  const sources = await mapSources(db, projectIds)
  const ready = readyFilter(filter, sources.values())
  if (projectIds.length === 0 || ready === null) return { items: [], nextCursor: null }
  // One row more answers "is there more?" without a count.
  const found = await readWalk(db, { projectIds, filter: ready, from, direction: 'older', limit: rows + 1, columns: ITEM_COLUMNS })
  const page = found.slice(0, rows)
  const last = page.at(-1)
  return {
    items: page.map((row) => toItem(row, sources)),
    nextCursor: found.length > rows && last ? formatCursor({ at: last.sort_at, id: last.id }) : null,
  }
}

function readPosition(cursor: string | null | undefined): Position | null {
  if (cursor == null || cursor === '') return null
  const read = parseCursor(cursor)
  if (!read || !isUuid(read.id) || !/^\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(read.at)) throw new BadCursorError('The cursor does not belong to the list of executions')
  return { sortAt: read.at, id: read.id }
}

/** The executions before and after this one in the filtered list, whether or not the filter matches it; null at the ends. */
export async function listNeighbours(
  db: Db,
  { projectIds, filter, id }: { projectIds: string[]; filter: ExecutionFilter; id: string },
): Promise<{ previous: string | null; next: string | null }> {
  const none = { previous: null, next: null }
  if (!isUuid(id) || projectIds.length === 0) return none
  const [place] = await db.sql<{ sort_at: string }[]>`select sort_at from executions where project_id = any (${projectIds}::uuid[]) and id = ${id}`
  const ready = readyFilter(filter, (await mapSources(db, projectIds)).values())
  if (!place || ready === null) return none
  const walk = { projectIds, filter: ready, from: { sortAt: place.sort_at, id }, limit: 1, columns: 'e.id, e.sort_at' }
  const [newer] = await readWalk(db, { ...walk, direction: 'newer' })
  const [older] = await readWalk(db, { ...walk, direction: 'older' })
  return { previous: newer?.id ?? null, next: older?.id ?? null }
}

/** How many executions match: exact without a filter and for a single facet, else counted up to `limits.countMax`. */
export async function countExecutions(db: Db, { projectIds, filter }: { projectIds: string[]; filter: ExecutionFilter }): Promise<{ count: number; capped: boolean }> {
  const sources = await mapSources(db, projectIds)
  const ready = readyFilter(filter, sources.values())
  if (ready === null || projectIds.length === 0) return { count: 0, capped: false }
  return countReady(db, projectIds, ready, await readRollups(db, projectIds))
}

async function countReady(db: Db, projectIds: string[], filter: ReadyFilter, rollups: FacetCount[]): Promise<{ count: number; capped: boolean }> {
  const used = usedFacets(filter)
  const sum = (facet: string, values: string[]) => rollups.filter((c) => c.facet === facet && values.includes(c.value)).reduce((n, c) => n + c.count, 0)
  if (filter.text === null && used.length === 0) return { count: sum(ALL, ['']), capped: false }
  if (filter.text === null && used.length === 1) {
    const values = filter.facets[used[0]!]!
    // An execution has one outcome, but may have several failure classes: those do not add up.
    if (used[0] !== 'class' || values.length === 1) return { count: sum(used[0]!, values), capped: false }
  }
  const inner = matchStatement(projectIds, filter, '1', limits.countMax + 1)
  // Not prepared: the plan must know the words.
  const [row] = await db.sql.unsafe(`select count(*)::int as n from (${inner.text}) matched`, inner.params as never[])
  return { count: Math.min(row!.n, limits.countMax), capped: row!.n > limits.countMax }
}

/** Values of one facet that are named in the list of facets; the rest can still be typed. */
const FACET_VALUES_MAX = 100

/**
 * Facet values with their counts, largest first. Each facet is counted with its own values left out of the filter, so that
 * alternatives keep their numbers. Under a filter the counts are of the first `limits.countMax` matches.
 */
export async function listFacets(db: Db, { projectIds, filter }: { projectIds: string[]; filter: ExecutionFilter }): Promise<Facets> {
  const empty = Object.fromEntries(FACETS.map((facet) => [facet, []])) as unknown as Facets['facets']
  const sources = await mapSources(db, projectIds)
  const ready = readyFilter(filter, sources.values())
  if (projectIds.length === 0) return { total: 0, totalCapped: false, facets: empty }
  const rollups = await readRollups(db, projectIds)
  const nameOf = (facet: Facet, value: string) => (facet === 'source' ? (sources.get(value)?.name ?? value) : value)
  const total = ready === null ? { count: 0, capped: false } : await countReady(db, projectIds, ready, rollups)

  const used = FACETS.filter((facet) => filter.facets[facet]?.length > 0)
  const unfiltered = rollups.filter((c) => c.facet !== ALL)
  const whole = used.length === 0 && ready?.text == null ? unfiltered : ready === null ? [] : await countMatches(db, projectIds, ready)
  const facets = { ...empty }
  for (const facet of FACETS) {
    let counts = whole
    if (used.includes(facet)) {
      const rest = readyFilter({ ...filter, facets: { ...filter.facets, [facet]: [] } }, sources.values())
      counts = rest === null ? [] : used.length === 1 && rest.text === null ? unfiltered : await countMatches(db, projectIds, rest)
    }
    facets[facet] = sumByName(counts.filter((c) => c.facet === facet).map((c) => ({ value: nameOf(facet, c.value), count: c.count })))
  }
  return { total: total.count, totalCapped: total.capped, facets }
}

function sumByName(counts: { value: string; count: number }[]): { value: string; count: number }[] {
  const sums = new Map<string, number>()
  for (const { value, count } of counts) sums.set(value, (sums.get(value) ?? 0) + count)
  return [...sums]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, FACET_VALUES_MAX)
}

async function countMatches(db: Db, projectIds: string[], filter: ReadyFilter): Promise<FacetCount[]> {
  const inner = matchStatement(projectIds, filter, 'e.outcome, e.source_id, e.repository, e.branch, e.failed_classes', limits.countMax)
  const text = `with m as materialized (${inner.text})
    select 'outcome' as facet, outcome as value, count(*)::int as count from m group by 2
    union all select 'source', source_id::text, count(*)::int from m group by 2
    union all select 'repository', repository, count(*)::int from m where repository is not null group by 2
    union all select 'branch', branch, count(*)::int from m where branch is not null group by 2
    union all select 'class', c, count(*)::int from m, unnest(failed_classes) c group by 2`
  return (await db.sql.unsafe(text, inner.params as never[])) as unknown as FacetCount[]
}
