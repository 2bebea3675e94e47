import type { Sql, Tx } from './client'
import type { ColumnName, RowOf, TableName } from './schema/rows'

/** Columns as a statement selects them, and the row that they make. */
export interface SelectList<Row> {
  readonly text: string
  /** Never there: it contains the type. */
  readonly row?: Row
}

export type Selected<List> = List extends SelectList<infer Row> ? Row : never

/** Columns of one table: `columnsOf('executions e', ['id', 'title'])` is `e.id, e.title`. */
export const columnsOf = <Name extends TableName, const Column extends ColumnName<Name>>(
  tableAndAlias: `${Name} ${string}`,
  names: readonly Column[],
): SelectList<RowOf<Name, Column>> => {
  const alias = tableAndAlias.split(' ')[1]!
  return { text: names.map((name) => `${alias}.${String(name)}`).join(', ') }
}

/** Expressions, with their aliases; their types cannot be inferred. */
export const computed = <Row>(text: string): SelectList<Row> => ({ text })

export const joinLists = <A, B, C = unknown, D = unknown>(
  ...lists: [SelectList<A>, SelectList<B>, SelectList<C>?, SelectList<D>?]
): SelectList<A & B & C & D> => ({
  text: lists.flatMap((list) => list?.text ?? []).join(', '),
})

export interface StatementText {
  text: string
  params: readonly unknown[]
}

/**
 * Runs a statement that is put together from constant parts, with places `$1` for its parameters. `Row` is what its list makes: `Selected<typeof LIST>`.
 *
 * @param prepare false where the plan has to know the parameters
 */
export const runText = <Row>(
  { sql }: { sql: Sql | Tx },
  { text, params }: StatementText,
  prepare = true,
): Promise<Row[]> =>
  // The tag takes no text: what varies in it is made of constants alone.
  sql.unsafe(text, params as never[], { prepare: prepare && mayPrepare(sql) }) as unknown as Promise<Row[]>

/** The client of a transaction does not know whether statements are prepared. */
const mayPrepare = (sql: Sql | Tx): boolean => 'options' in sql && sql.options.prepare
