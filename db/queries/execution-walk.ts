import {
  FACETS,
  isMarked,
  type ExecutionFilter,
  type Facet,
  type MarkedFacet,
} from '@/lib/model/filter-types'
import { soughtMarks } from '@/lib/analysis/marks'
import { queryTokens } from '@/lib/analysis/search-text'
import type { SourceRow } from './sources'

/**
 * The text of the statements that walk a filtered list in the order of time. A walk follows one index that is already in that
 * order: the one of its *driver*, the facet whose values are rarest, with everything else checked on the way. Several values of
 * the driver (or several projects) are several walks, merged.
 *
 * The texts leave the planner one good way, whatever the values, the statistics and the number of rows:
 * - the driver is bounded by comparisons instead of an equality and leads the order, so that only its own index yields that order;
 * - its values are in scalar subqueries, so a plan cannot be made for one of them (a value that is the smallest of its column would
 *   be taken for one without rows, and all of its rows be sorted);
 * - limits are literals: a parameter would be taken for a tenth of the table;
 * - the other facets are checked outside of a limited subquery, on columns that the index of the driver includes, and whole rows are
 *   fetched by key for the rows of the page only.
 */

/** A filter whose source names have been looked up, ready for SQL. */
export interface ReadyFilter {
  facets: Partial<Record<Facet, string[]>>
  /** Text of a `tsquery`, or null. */
  text: string | null
}

export interface Statement {
  text: string
  params: unknown[]
}

export interface Position {
  sortAt: string
  id: string
}

/** More walks than this are not merged: one walk over everything checks all the filter instead. */
const WALKS_MAX = 24

const NEWEST: Position = { sortAt: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }
const OLDEST: Position = { sortAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' }

/** Looks up the sources by name and turns the words into a text query. Null: nothing can match. */
export function readyFilter(filter: ExecutionFilter, sources: Iterable<SourceRow>): ReadyFilter | null {
  const facets: ReadyFilter['facets'] = {}
  for (const facet of FACETS) {
    const values = filter.facets[facet]
    if (values && values.length > 0) facets[facet] = [...new Set(values)]
  }
  if (facets.source) {
    const names = new Set(facets.source)
    facets.source = [...sources].filter((source) => names.has(source.name)).map((source) => source.id)
    if (facets.source.length === 0) return null
  }
  return { facets, text: tsQuery(filter.words) }
}

/** Every token must begin a word of the execution; tokens are letters and digits, so quoting them is enough. */
function tsQuery(words: readonly string[]): string | null {
  const tokens = queryTokens(words)
  return tokens.length === 0 ? null : tokens.map((token) => `'${token}':*`).join(' & ')
}

class Params {
  readonly list: unknown[] = []
  add(value: unknown, type: string): string {
    this.list.push(value)
    return `$${this.list.length}::${type}`
  }

  /** A value that the planner does not see. */
  hide(value: unknown, type: string): string {
    return `(select ${this.add(value, type)})`
  }
}

const COLUMN: Record<Exclude<Facet, MarkedFacet>, { name: string; type: string }> = {
  outcome: { name: 'outcome', type: 'text' },
  source: { name: 'source_id', type: 'uuid' },
  repository: { name: 'repository', type: 'text' },
  branch: { name: 'branch', type: 'text' },
}

/** The condition on marks that none of these is held: in the words of the index `executions_inferred_recent`, or it could not serve. */
const withoutMarks = (marks: readonly string[], t = 'e'): string =>
  `not (${t}.marks && '{${marks.join(',')}}'::text[])`

/** The conditions on the alias `t`, without the driver's. */
function conditions(filter: ReadyFilter, except: Facet | null, params: Params, t = 'e'): string[] {
  const found: string[] = []
  for (const facet of FACETS) {
    const values = filter.facets[facet]
    if (!values || facet === except) continue
    if (isMarked(facet)) {
      const { has, marks } = soughtMarks(facet, values)
      found.push(has ? `${t}.marks && ${params.add(marks, 'text[]')}` : withoutMarks(marks, t))
    } else found.push(`${t}.${COLUMN[facet].name} = any (${params.add(values, `${COLUMN[facet].type}[]`)})`)
  }
  if (filter.text !== null) found.push(`${t}.search @@ ${params.add(filter.text, 'tsquery')}`)
  return found
}

/** The columns that those conditions look at. */
const conditionColumns = (filter: ReadyFilter, except: Facet | null): string[] => [
  ...new Set(
    FACETS.filter((facet) => filter.facets[facet] && facet !== except).map((facet) =>
      isMarked(facet) ? 'marks' : COLUMN[facet].name,
    ),
  ),
  ...(filter.text === null ? [] : ['search']),
]

export interface WalkOptions {
  projectIds: string[]
  filter: ReadyFilter
  driver: Facet | null
  /** Rows strictly behind this place, in the direction of the walk; null: from the end. */
  from: Position | null
  direction?: 'older' | 'newer'
  limit: number
  columns: string
  /** Look at no more than this many rows of the driver's index, where anything else is checked. */
  within: number
}

/** The driver that a walk really has: too many values are not walked apart. */
export const drives = (
  driver: Facet | null,
  filter: ReadyFilter,
  projectIds: readonly string[],
): Facet | null =>
  driver !== null && filter.facets[driver]!.length * projectIds.length <= WALKS_MAX ? driver : null

/** What a walk follows: its index leads with `lead`, whose value is given; `byKey`: it contains nothing of what the rest is checked by. */
interface Walked {
  name: 'executions' | 'execution_marks'
  lead: string[]
  value: string | null
  id: string
  type: string
  where?: string
  byKey?: true
}

function tableOf(driver: Facet | null, value: string | null): Walked {
  const all: Walked = { name: 'executions', lead: [], value: null, id: 'id', type: '' }
  if (driver === null || value === null) return all
  if (!isMarked(driver)) return { ...all, lead: [COLUMN[driver].name], value, type: COLUMN[driver].type }
  const { has, marks } = soughtMarks(driver, [value])
  return has
    ? {
        name: 'execution_marks',
        lead: ['mark'],
        value: marks[0]!,
        id: 'execution_id',
        type: 'text',
        byKey: true,
      }
    : { ...all, where: withoutMarks(marks), byKey: true }
}

/** A page in the order of time, without a sort over more than the page. */
export function walkStatement(o: WalkOptions): Statement {
  const params = new Params()
  const driver = drives(o.driver, o.filter, o.projectIds)
  const older = (o.direction ?? 'older') === 'older'
  const [beyond, end, dir] = older ? ['<', '>=', 'desc'] : ['>', '<=', 'asc']
  const start = o.from ?? (older ? NEWEST : OLDEST)
  const at = params.hide(start.sortAt, 'timestamptz')
  const id = params.hide(start.id, 'uuid')
  const [limit, within] = [Math.trunc(o.limit), Math.trunc(o.within)]
  const order = (...columns: string[]) => `order by ${columns.map((column) => `${column} ${dir}`).join(', ')}`
  // By key, for each row of a page in turn: a join would be free to read the whole table instead.
  const rowOf = (key: string, ...where: string[]) =>
    `cross join lateral (select ${o.columns} from executions e where ${[`e.project_id = ${key}.project_id`, `e.id = ${key}.id`, ...where].join(' and ')} offset 0) r`

  const walk = (projectId: string, value: string | null): string => {
    const table = tableOf(driver, value)
    const project = params.hide(projectId, 'uuid')
    const values = table.value === null ? [] : [params.hide(table.value, table.type)]
    const place = [...table.lead, 'sort_at', table.id].map((column) => `e.${column}`)
    const placed = (t: string) => order(...[...table.lead, 'sort_at', 'id'].map((column) => `${t}.${column}`))
    const along = (columns: string, rows: number) => `select ${columns} from ${table.name} e
      where e.project_id = ${project} and (${place.join(', ')}) ${beyond} (${[...values, at, id].join(', ')})
        ${values.map((hidden) => `and e.${table.lead[0]} ${end} ${hidden}`).join('')} ${table.where === undefined ? '' : `and ${table.where}`}
      ${order(...place)} limit ${rows}`
    const keys = ['project_id', table.id === 'id' ? 'id' : `${table.id} as id`, ...table.lead, 'sort_at']
    const rest = conditionColumns(o.filter, driver)
    if (table.byKey)
      return `select r.* from (${along(keys.map((column) => `e.${column}`).join(', '), rest.length === 0 ? limit : within)}) p
        ${rowOf('p', ...conditions(o.filter, driver, params))} ${placed('p')} limit ${limit}`
    if (rest.length === 0) return along(o.columns, limit)
    const looked = along([...keys, ...rest].map((column) => `e.${column}`).join(', '), within)
    return `select r.* from (select w.* from (${looked}) w where ${conditions(o.filter, driver, params, 'w').join(' and ')} ${placed('w')} limit ${limit}) p
      ${rowOf('p')} ${placed('p')}`
  }
  const walks = o.projectIds.flatMap((projectId) =>
    (driver === null ? [null] : o.filter.facets[driver]!).map((value) => walk(projectId, value)),
  )
  const text =
    walks.length === 1
      ? walks[0]!
      : // A row can be in several walks of failure classes; the merge shows it once.
        `select distinct on (sort_at, id) * from (${walks.map((one) => `(${one})`).join(' union all ')}) e ${order('e.sort_at', 'e.id')} limit ${limit}`
  return { text, params: params.list }
}

/** Whether an index leads to just the executions with one of the facet's values: that of marks, or that of what has none. */
export function isFoundByMarks(facet: MarkedFacet, filter: ReadyFilter): boolean {
  const values = filter.facets[facet]!
  return soughtMarks(facet, values).has || values.length === 1
}

/** All matches; found by the marks of the facet `by` where there is one, see `isFoundByMarks`. */
function matches(
  projectIds: string[],
  filter: ReadyFilter,
  columns: string,
  by: MarkedFacet | null,
  params: Params,
): string {
  const projects = params.add(projectIds, 'uuid[]')
  if (by === null)
    return `select ${columns} from executions e where ${[`e.project_id = any (${projects})`, ...conditions(filter, null, params)].join(' and ')}`
  const where = [`e.project_id = m.project_id`, `e.id = m.execution_id`, ...conditions(filter, by, params)]
  const { has, marks } = soughtMarks(by, filter.facets[by]!)
  const found = has
    ? `select distinct project_id, execution_id from execution_marks where project_id = any (${projects}) and mark = any (${params.add(marks, 'text[]')})`
    : `select e.project_id, e.id as execution_id from executions e where e.project_id = any (${projects}) and ${withoutMarks(marks)} offset 0`
  return `select r.* from (${found}) m
    cross join lateral (select ${columns} from executions e where ${where.join(' and ')} offset 0) r`
}

/** A page of matches that are all found first and then put in order: for what is too rare to be met on a walk. To be planned with its values. */
export function hitStatement(
  o: Omit<WalkOptions, 'driver' | 'within'>,
  by: MarkedFacet | null = null,
): Statement {
  const params = new Params()
  const older = (o.direction ?? 'older') === 'older'
  const start = o.from ?? (older ? NEWEST : OLDEST)
  const position = `(${params.add(start.sortAt, 'timestamptz')}, ${params.add(start.id, 'uuid')})`
  const dir = older ? 'desc' : 'asc'
  const text = `with hit as materialized (${matches(o.projectIds, o.filter, 'e.project_id, e.id, e.sort_at', by, params)}),
    page as materialized (
      select * from hit where (sort_at, id) ${older ? '<' : '>'} ${position} order by sort_at ${dir}, id ${dir} limit ${Math.trunc(o.limit)})
    select r.* from page cross join lateral (
      select ${o.columns} from executions e where e.project_id = page.project_id and e.id = page.id offset 0) r
    order by page.sort_at ${dir}, page.id ${dir}`
  return { text, params: params.list }
}

/** The first so many matches in no order: for counting up to a limit. To be planned with its values. */
export function matchStatement(
  projectIds: string[],
  filter: ReadyFilter,
  columns: string,
  limit: number,
  by: MarkedFacet | null = null,
): Statement {
  const params = new Params()
  return {
    text: `${matches(projectIds, filter, columns, by, params)} limit ${Math.trunc(limit)}`,
    params: params.list,
  }
}
