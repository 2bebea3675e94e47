import type { ExecutionItem, Facets } from '@/lib/api/schemas'
import { formatCursor, parseCursor } from '@/lib/views/executions/cursor'
import {
  FACETS,
  isMarked,
  type ExecutionFilter,
  type Facet,
  type MarkedFacet,
} from '@/lib/model/filter-types'
import { countValues } from '@/lib/analysis/marks'
import { limits } from '@/lib/limits'
import type { Db } from '../client'
import { mapAgentCauses } from './agent-runs'
import { BadCursorError, isInstant, isUuid } from './cursor'
import { ITEM_COLUMNS, toItem, type ItemRow } from './execution-rows'
import { readLargest, readSizes, type Sizes } from './execution-sizes'
import {
  drives,
  hitStatement,
  isFoundByMarks,
  matchStatement,
  readyFilter,
  walkStatement,
  type Position,
  type ReadyFilter,
} from './execution-walk'
import { ALL, type FacetCount } from './rollups'
import { runText } from '../statement-text'
import { mapSources } from './sources'
import type { RowOf } from '../schema/rows'
import type { Page } from '@/lib/model/page'
import { storeText } from '@/lib/words/server/store'

export interface ListOptions {
  projectIds: string[]
  filter: ExecutionFilter
  cursor?: string | null
  limit?: number
}

const clampLimit = (limit: number | undefined): number =>
  Math.min(Math.max(1, Math.trunc(limit ?? limits.pageRows) || limits.pageRows), limits.pageRowsMax)

/** Facets of the filter that hold values; more than one means that the rarest has to be found. */
const usedFacets = (filter: Pick<ExecutionFilter, 'facets'> | ReadyFilter): Facet[] =>
  FACETS.filter((facet) => (filter.facets[facet]?.length ?? 0) > 0)

/** Rows of a driver's index that are looked at before asking otherwise: a few first, which mostly suffice and are cheap whatever the plan. */
export const LOOK_ROWS = 2_000
export const WALK_ROWS = 20_000
/** Words are checked in the rows themselves; how many of the first rows hold them tells whether to go on so. */
const SAMPLE_ROWS = 1_000
/** Times a row read at random costs what one costs along a walk. */
const RANDOM_READ = 3
/** A row of a mark is found by key, one of another facet is in the index. */
const MARK_WEIGHT = 4

/** The facet whose values are rarest by the rollups: walking its index looks at the fewest rows. */
function chooseDriver(filter: ReadyFilter, sizes: Sizes | null): Facet | null {
  const used = usedFacets(filter)
  if (used.length <= 1 || sizes === null) return used[0] ?? null
  const cost = (facet: Facet) => sizes[facet] * (isMarked(facet) ? MARK_WEIGHT : 1)
  return used.reduce((best, facet) => (cost(facet) < cost(best) ? facet : best))
}

/** Where fewer than one execution in so many has the mark, finding them by it looks at less than reading along. */
const MARK_RARE = 30
const byMark = (driver: Facet | null, filter: ReadyFilter, sizes: Sizes): MarkedFacet | null =>
  driver !== null &&
  isMarked(driver) &&
  isFoundByMarks(driver, filter) &&
  sizes[driver] * MARK_RARE < sizes[ALL]
    ? driver
    : null

/** Sizes, unless a single index is walked: that of one value in one project, or the one of everything. */
async function sizesFor(db: Db, projectIds: string[], filter: ExecutionFilter): Promise<Sizes | null> {
  const values = FACETS.reduce((n, facet) => n + filter.facets[facet].length, 0)
  return filter.words.length > 0 || values * projectIds.length > 1 ? readSizes(db, projectIds, filter) : null
}

interface Walk {
  projectIds: string[]
  filter: ReadyFilter
  sizes: Sizes | null
  from: Position | null
  direction: 'older' | 'newer'
  limit: number
  columns: string
}

/** One page of rows in the direction of the walk: along the driver's index as far as that is worth it, else by finding all matches. */
async function readWalk(db: Db, { sizes, ...o }: Walk): Promise<ItemRow[]> {
  const driver = drives(chooseDriver(o.filter, sizes), o.filter, o.projectIds)
  const walk = (within: number) => runText<ItemRow>(db, walkStatement({ ...o, driver, within }))
  const rest = o.filter.text !== null || usedFacets(o.filter).some((facet) => facet !== driver)
  if (!rest) return walk(LOOK_ROWS)
  const all = sizes === null ? Infinity : driver === null ? sizes[ALL] : sizes[driver]
  // For thousands of rows a little is no use: what is looked at first is all that is worth it.
  const looked = o.filter.text !== null ? SAMPLE_ROWS : o.limit > LOOK_ROWS ? WALK_ROWS : LOOK_ROWS
  const near = await walk(looked)
  // Counts may lag behind by a little: twice as far is surely to the end.
  if (near.length >= o.limit || all * 2 <= looked) return near
  if (
    looked < WALK_ROWS &&
    (o.filter.text === null
      ? all > WALK_ROWS
      : isWalkCheaper(near.length / looked, o.limit, sizes?.[ALL] ?? 0))
  ) {
    const far = await walk(WALK_ROWS)
    if (far.length >= o.limit || all * 2 <= WALK_ROWS) return far
  }
  // Not prepared: the plan must know the words and the values.
  return runText<ItemRow>(db, hitStatement(o, sizes && byMark(driver, o.filter, sizes)), false)
}

/** Whether walking to as many matches is likely to read less than fetching all matches there are. */
const isWalkCheaper = (share: number, limit: number, all: number): boolean =>
  share > 0 && limit / share <= WALK_ROWS && limit / share <= share * all * RANDOM_READ

/**
 * One page of executions, newest first (`sort_at desc, id desc`).
 *
 * @throws BadCursorError for a cursor this list did not write
 */
export async function listExecutions(
  db: Db,
  { projectIds, filter, cursor, limit }: ListOptions,
): Promise<Page<ExecutionItem>> {
  const rows = clampLimit(limit)
  const from = readPosition(cursor)
  if (projectIds.length === 0) return { items: [], nextCursor: null }
  const naming = mapSources(db, projectIds)
  const find = async (): Promise<ItemRow[]> => {
    // Names of sources are waited for only where the filter has some.
    const [known, sizes] = await Promise.all([
      filter.facets.source.length > 0 ? naming : null,
      sizesFor(db, projectIds, filter),
    ])
    const ready = readyFilter(filter, known?.values() ?? [])
    // One row more answers "is there more?" without a count.
    return ready === null
      ? []
      : readWalk(db, {
          projectIds,
          filter: ready,
          sizes,
          from,
          direction: 'older',
          limit: rows + 1,
          columns: ITEM_COLUMNS,
        })
  }
  const [sources, found] = await Promise.all([naming, find()])
  const page = found.slice(0, rows)
  const last = page.at(-1)
  const agentCauses = await mapAgentCauses(
    db,
    projectIds,
    page.filter((row) => row.cause_category === 'agent_failure').map(({ id }) => id),
  )
  return {
    items: page.map((row) => toItem(row, sources, agentCauses.get(row.id))),
    nextCursor: found.length > rows && last ? formatCursor({ at: last.sort_at, id: last.id }) : null,
  }
}

function readPosition(cursor: string | null | undefined): Position | null {
  if (cursor == null || cursor === '') return null
  const read = parseCursor(cursor)
  if (!read || !isUuid(read.id) || !isInstant(read.at))
    throw new BadCursorError(storeText.cursorOfOtherList({ list: null }))
  return { sortAt: read.at, id: read.id }
}

/** The newest matches of a filter, in the order of the list: as many as are asked for, in one read. `columns` are those of `executions e`. */
export async function readNewest<Row>(
  db: Db,
  {
    projectIds,
    filter,
    limit,
    columns,
  }: { projectIds: string[]; filter: ExecutionFilter; limit: number; columns: string },
): Promise<Row[]> {
  if (projectIds.length === 0) return []
  const [sources, sizes] = await Promise.all([mapSources(db, projectIds), sizesFor(db, projectIds, filter)])
  const ready = readyFilter(filter, sources.values())
  if (ready === null) return []
  return (await readWalk(db, {
    projectIds,
    filter: ready,
    sizes,
    from: null,
    direction: 'older',
    limit,
    columns,
  })) as unknown as Row[]
}

/** The executions before and after this one in the filtered list, whether or not the filter matches it; null at the ends. */
export async function listNeighbours(
  db: Db,
  { projectIds, filter, id }: { projectIds: string[]; filter: ExecutionFilter; id: string },
): Promise<{ previous: string | null; next: string | null }> {
  const none = { previous: null, next: null }
  if (!isUuid(id) || projectIds.length === 0) return none
  const [[place], sources, sizes] = await Promise.all([
    db.sql<
      RowOf<'executions', 'sort_at'>[]
    >`select sort_at from executions where project_id = any (${projectIds}::uuid[]) and id = ${id}`,
    mapSources(db, projectIds),
    sizesFor(db, projectIds, filter),
  ])
  const ready = readyFilter(filter, sources.values())
  if (!place || ready === null) return none
  const walk = {
    projectIds,
    filter: ready,
    sizes,
    from: { sortAt: place.sort_at, id },
    limit: 1,
    columns: 'e.id, e.sort_at',
  }
  const [newer, older] = await Promise.all([
    readWalk(db, { ...walk, direction: 'newer' }),
    readWalk(db, { ...walk, direction: 'older' }),
  ])
  return { previous: newer[0]?.id ?? null, next: older[0]?.id ?? null }
}

/** How many executions match: exact without a filter and for a single facet, else counted up to `limits.countMax`. */
export async function countExecutions(
  db: Db,
  { projectIds, filter }: { projectIds: string[]; filter: ExecutionFilter },
): Promise<Count> {
  if (projectIds.length === 0) return { count: 0, capped: false }
  const [sources, sizes] = await Promise.all([mapSources(db, projectIds), readSizes(db, projectIds, filter)])
  const ready = readyFilter(filter, sources.values())
  if (ready === null) return { count: 0, capped: false }
  return countBySize(ready, sizes) ?? (await countMatches(db, projectIds, ready, sizes, [])).total
}

interface Count {
  count: number
  capped: boolean
}

/** The number of matches, if the rollups have it. */
function countBySize(filter: ReadyFilter, sizes: Sizes): Count | null {
  const used = usedFacets(filter)
  if (filter.text !== null || used.length > 1) return null
  if (used.length === 0) return { count: sizes[ALL], capped: false }
  // An execution has one value of any other facet, but may have several failure classes: those do not add up.
  return used[0] !== 'class' || filter.facets.class!.length === 1
    ? { count: sizes[used[0]!], capped: false }
    : null
}

/** Values of one facet that are named in the list of facets; the rest can still be typed. */
const FACET_VALUES_MAX = 100

/**
 * Facet values with their counts, largest first. Each facet is counted with its own values left out of the filter, so that
 * alternatives keep their numbers. Under a filter the counts are of the first `limits.countMax` matches.
 */
export async function listFacets(
  db: Db,
  { projectIds, filter }: { projectIds: string[]; filter: ExecutionFilter },
): Promise<Facets> {
  const facets = Object.fromEntries(FACETS.map((facet) => [facet, []])) as unknown as Facets['facets']
  if (projectIds.length === 0) return { total: 0, totalCapped: false, facets }
  const [sources, sizes] = await Promise.all([mapSources(db, projectIds), readSizes(db, projectIds, filter)])
  const ready = readyFilter(filter, sources.values())
  const used = usedFacets(filter)
  const others = FACETS.filter((facet) => !used.includes(facet))
  const count = async (matching: ReadyFilter | null, wanted: readonly Facet[]): Promise<Counted> => {
    if (matching === null) return { total: { count: 0, capped: false }, counts: [] }
    const known = countBySize(matching, sizes)
    if (known && usedFacets(matching).length === 0)
      return { total: known, counts: await readLargest(db, projectIds, wanted, FACET_VALUES_MAX) }
    if (known && wanted.length === 0) return { total: known, counts: [] }
    const counted = await countMatches(db, projectIds, matching, sizes, wanted)
    return { ...counted, total: known ?? counted.total }
  }
  const [whole, ...own] = await Promise.all([
    count(ready, others),
    ...used.map((facet) =>
      count(readyFilter({ ...filter, facets: { ...filter.facets, [facet]: [] } }, sources.values()), [facet]),
    ),
  ])
  const counts = [whole!, ...own].flatMap((counted) => counted.counts)
  const nameOf = (facet: Facet, value: string) =>
    facet === 'source' ? (sources.get(value)?.name ?? value) : value
  for (const facet of FACETS)
    facets[facet] = sumByName(
      counts.filter((c) => c.facet === facet).map((c) => ({ value: nameOf(facet, c.value), count: c.count })),
    )
  return { total: whole!.total.count, totalCapped: whole!.total.capped, facets }
}

function sumByName(counts: { value: string; count: number }[]): { value: string; count: number }[] {
  const sums = new Map<string, number>()
  for (const { value, count } of counts) sums.set(value, (sums.get(value) ?? 0) + count)
  return [...sums]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, FACET_VALUES_MAX)
}

interface Counted {
  total: Count
  counts: FacetCount[]
}

const countColumn = (facet: Facet, column: string) => ({
  column: `e.${column}`,
  select: `(select '${facet}' as facet, ${column}::text as value, count(*)::int as count from f where ${column} is not null group by ${column})`,
})
const COUNTED: Record<Exclude<Facet, MarkedFacet>, { column: string; select: string }> = {
  outcome: countColumn('outcome', 'outcome'),
  source: countColumn('source', 'source_id'),
  repository: countColumn('repository', 'repository'),
  branch: countColumn('branch', 'branch'),
}
/** All marked facets at once. Equal lists together first: there are few different ones. */
const COUNTED_MARKS = {
  column: 'e.marks',
  select: `(select 'mark' as facet, m as value, sum(n)::int as count
    from (select marks, count(*) as n from f group by marks) lists, unnest(marks) m group by m)`,
}

/** Counts matches, and the wanted facets of the first of them, in one statement; the indexes of the facets hold all that it reads. */
async function countMatches(
  db: Db,
  projectIds: string[],
  filter: ReadyFilter,
  sizes: Sizes,
  wanted: readonly Facet[],
): Promise<Counted> {
  const counting = [...new Set(wanted.map((facet) => (isMarked(facet) ? COUNTED_MARKS : COUNTED[facet])))]
  const columns = counting.length === 0 ? '1' : counting.map(({ column }) => column).join(', ')
  const inner = matchStatement(
    projectIds,
    filter,
    columns,
    limits.countMax + 1,
    byMark(chooseDriver(filter, sizes), filter, sizes),
  )
  const text = `with m as materialized (${inner.text}), f as not materialized (select * from m limit ${limits.countMax})
    ${[`(select '' as facet, '' as value, count(*)::int as count from m)`, ...counting.map(({ select }) => select)].join(' union all ')}`
  // Not prepared: the plan must know the words and the values.
  const rows = await runText<{ facet: FacetCount['facet'] | 'mark' } & Pick<FacetCount, 'value' | 'count'>>(
    db,
    { text, params: inner.params },
    false,
  )
  const n = rows.find((row) => row.facet === ALL)!.count
  const total = { count: Math.min(n, limits.countMax), capped: n > limits.countMax }
  const marks = rows
    .filter((row) => row.facet === 'mark')
    .map((row) => ({ mark: row.value, count: row.count }))
  const counts = [
    ...rows.filter((row): row is FacetCount => row.facet !== 'mark'),
    ...countValues(marks, total.count),
  ]
  return { total, counts: counts.filter(({ facet }) => facet !== ALL && wanted.includes(facet)) }
}
