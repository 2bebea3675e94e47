'use client'

import { useQueries, type UseQueryOptions } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { FileRows } from '@/lib/views/fixes/diff-rows'
import type { ColourRange } from '@/lib/views/fixes/line-pieces'
import { grammarOf } from '@/lib/views/fixes/syntax'
import { hasRows } from './diff-blocks'
import { fixQueries } from './queries'
import type { FixFile } from '@/lib/model/fix'

/** Larger files stay plain. */
const COLOURED_LINES_MAX = 20_000

const mapOf = <Value>(
  found: readonly { data?: Value }[],
  files: readonly FixFile[],
): ReadonlyMap<number, Value> =>
  new Map(
    files.flatMap((file, index) =>
      found[index]?.data === undefined ? [] : [[file.ordinal, found[index].data] as const],
    ),
  )

/**
 * Rows of the files that are open, each read when it is opened, and their colours once they have come.
 *
 * @param query reads the rows of a file
 */
export function useFileRows<Rows extends FileRows, Key extends readonly unknown[]>(
  query: (file: FixFile) => UseQueryOptions<Rows, Error, Rows, Key>,
  files: readonly FixFile[],
  open: ReadonlySet<number>,
) {
  const wanted = useMemo(() => files.filter((file) => open.has(file.ordinal) && hasRows(file)), [files, open])
  const read = useQueries({ queries: wanted.map(query) })
  const rowsKey = read.map((one) => one.dataUpdatedAt).join()
  const rows = useMemo<ReadonlyMap<number, Rows>>(() => mapOf(read, wanted), [rowsKey, wanted]) // the results are new objects on each render
  const coloured = useMemo(
    () =>
      wanted.flatMap((file) => {
        const grammar = grammarOf(file.name)
        const found = rows.get(file.ordinal)
        return grammar === null ||
          found === undefined ||
          (file.additions ?? 0) + (file.deletions ?? 0) > COLOURED_LINES_MAX
          ? []
          : [{ file, grammar, rows: found }]
      }),
    [wanted, rows],
  )
  const colourings = useQueries({
    queries: coloured.map((one) => fixQueries.colours(query(one.file).queryKey, one.grammar, one.rows)),
  })
  const colours: ReadonlyMap<number, ReadonlyMap<number, ColourRange[]>> = mapOf(
    colourings,
    coloured.map((one) => one.file),
  )
  const problems = new Map(
    wanted.flatMap((file, index) => (read[index]?.isError ? [[file.ordinal, read[index]] as const] : [])),
  )
  const plain = new Set(
    coloured.filter((_, index) => colourings[index]?.isError).map((one) => one.file.ordinal),
  )
  return { rows, colours, problems, plain }
}
