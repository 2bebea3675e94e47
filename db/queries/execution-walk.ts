import { FACETS, type ExecutionFilter, type Facet } from '@/lib/executions/filter-types'
import { queryTokens } from '@/lib/executions/search-text'
import type { SourceRow } from './sources'

/**
 * The text of the statements that walk a filtered list in the order of time. A walk follows one index that is already in that
 * order: the one of its *driver*, the facet whose values are rarest, with everything else checked on the way. Several values of
 * the driver (or several projects) are several walks, merged.
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

/** Rows of the newest end that a text filter looks through before it asks the text index. */
export const TEXT_WALK_ROWS = 20_000
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
}

const COLUMN: Record<Exclude<Facet, 'class'>, { name: string; type: string }> = {
  outcome: { name: 'outcome', type: 'text' },
  source: { name: 'source_id', type: 'uuid' },
  repository: { name: 'repository', type: 'text' },
  branch: { name: 'branch', type: 'text' },
}

/** The conditions on `executions e`, without the driver's. */
function conditions(filter: ReadyFilter, except: Facet | null, params: Params): string[] {
  const found: string[] = []
  for (const facet of FACETS) {
    const values = filter.facets[facet]
    if (!values || facet === except) continue
    if (facet === 'class') found.push(`e.failed_classes && ${params.add(values, 'text[]')}`)
    else found.push(`e.${COLUMN[facet].name} = any (${params.add(values, `${COLUMN[facet].type}[]`)})`)
  }
  if (filter.text !== null) found.push(`e.search @@ ${params.add(filter.text, 'tsquery')}`)
  return found
}

export interface WalkOptions {
  projectIds: string[]
  filter: ReadyFilter
  driver: Facet | null
  /** Rows strictly behind this place, in the direction of the walk; null: from the end. */
  from: Position | null
  direction?: 'older' | 'newer'
  limit: number
  columns: string
  /** Look at no more than this many rows of the driver's index. */
  within?: number
}

/** A page in the order of time, without a sort over more than the page. */
export function walkStatement(o: WalkOptions): Statement {
  const params = new Params()
  const values = o.driver === null ? [null] : o.filter.facets[o.driver]!
  const single = o.driver !== null && values.length * o.projectIds.length > WALKS_MAX ? { ...o, driver: null } : o
  const drivers = single.driver === null ? [null] : values
  const older = (o.direction ?? 'older') === 'older'
  const start = o.from ?? (older ? NEWEST : OLDEST)
  const at = params.add(start.sortAt, 'timestamptz')
  const id = params.add(start.id, 'uuid')
  const limit = params.add(o.limit, 'int')
  const within = o.within === undefined ? null : params.add(o.within, 'int')
  const rest = conditions(o.filter, single.driver, params)
  const order = (sortAt: string, key: string) => `order by ${sortAt} ${older ? 'desc' : 'asc'}, ${key} ${older ? 'desc' : 'asc'}`

  const walks = o.projectIds.flatMap((projectId) =>
    drivers.map((value) => {
      const project = params.add(projectId, 'uuid')
      const where = (...more: string[]) => `where ${more.join(' and ')}`
      if (single.driver === 'class') {
        const driven = `c.project_id = ${project} and c.class = ${params.add(value, 'text')} and (c.sort_at, c.execution_id) ${older ? '<' : '>'} (${at}, ${id})`
        const joined = `join executions e on e.project_id = c.project_id and e.id = c.execution_id`
        return within === null
          ? `select ${o.columns} from execution_classes c ${joined} ${where(driven, ...rest)} ${order('c.sort_at', 'c.execution_id')} limit ${limit}`
          : `select ${o.columns} from (select * from execution_classes c where ${driven} ${order('c.sort_at', 'c.execution_id')} limit ${within}) c
             ${joined} ${rest.length ? where(...rest) : ''} ${order('c.sort_at', 'c.execution_id')} limit ${limit}`
      }
      const column = single.driver === null ? null : COLUMN[single.driver]
      const equal = column === null ? null : params.add(value, column.type)
      const driven = [
        `e.project_id = ${project}`,
        // The driver stands in the comparison too: only its own index can begin there. With two values of a column, a general plan
        // takes either index for as good as the other, and one value may be rare.
        ...(column === null ? [`(e.sort_at, e.id) ${older ? '<' : '>'} (${at}, ${id})`] : [
          `e.${column.name} = ${equal}`, `(e.${column.name}, e.sort_at, e.id) ${older ? '<' : '>'} (${equal}, ${at}, ${id})`,
        ]),
      ]
      return within === null
        ? `select ${o.columns} from executions e ${where(...driven, ...rest)} ${order('e.sort_at', 'e.id')} limit ${limit}`
        : `select ${o.columns} from (select * from executions e ${where(...driven)} ${order('e.sort_at', 'e.id')} limit ${within}) e
           ${rest.length ? where(...rest) : ''} ${order('e.sort_at', 'e.id')} limit ${limit}`
    }),
  )
  const text =
    walks.length === 1
      ? walks[0]!
      : // A row can stand in several walks of the class facet; the merge shows it once.
        `select distinct on (sort_at, id) * from (${walks.map((walk) => `(${walk})`).join(' union all ')}) e ${order('e.sort_at', 'e.id')} limit ${limit}`
  return { text, params: params.list }
}

/** A page found through the text index, then put in order: for words that are rare. */
export function textStatement(o: Omit<WalkOptions, 'driver' | 'within'>): Statement {
  const params = new Params()
  const older = (o.direction ?? 'older') === 'older'
  const start = o.from ?? (older ? NEWEST : OLDEST)
  const position = `(${params.add(start.sortAt, 'timestamptz')}, ${params.add(start.id, 'uuid')})`
  const dir = older ? 'desc' : 'asc'
  const text = `with hit as materialized (
      select e.project_id, e.id, e.sort_at from executions e
      where e.project_id = any (${params.add(o.projectIds, 'uuid[]')}) and ${conditions(o.filter, null, params).join(' and ')}),
    page as materialized (
      select * from hit where (sort_at, id) ${older ? '<' : '>'} ${position} order by sort_at ${dir}, id ${dir} limit ${params.add(o.limit, 'int')})
    select ${o.columns} from page join executions e on e.project_id = page.project_id and e.id = page.id order by page.sort_at ${dir}, page.id ${dir}`
  return { text, params: params.list }
}

/** The first so many matches in no order: for counting up to a limit. */
export function matchStatement(projectIds: string[], filter: ReadyFilter, columns: string, limit: number): Statement {
  const params = new Params()
  const where = [`e.project_id = any (${params.add(projectIds, 'uuid[]')})`, ...conditions(filter, null, params)]
  return { text: `select ${columns} from executions e where ${where.join(' and ')} limit ${params.add(limit, 'int')}`, params: params.list }
}
