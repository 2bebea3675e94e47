import { oddWords } from '@/lib/words/odd-records'
import { countOf, formatBytes, formatCount } from '@/lib/text/amounts'
import { importText } from '@/lib/words/cli/import'
import type { DisagreeingRows } from './send-database'
import type { FileReport, Summary } from './tally'

const sameListedMax = 3

/** One line for each file, but one for all that are left out for the same reason where these are many. */
export function leftReasons(left: FileReport[]): { files: number; line: string }[] {
  const paths = new Map<string, string[]>()
  for (const { path, because = '' } of left) {
    const same = paths.get(because)
    if (same) same.push(path)
    else paths.set(because, [path])
  }
  return [...paths].flatMap(([because, all]) =>
    all.length > sameListedMax
      ? [{ files: all.length, line: `${formatCount(all.length)} files, from ${all[0]!} on: ${because}` }]
      : all.map((path) => ({ files: 1, line: `${path}: ${because}` })),
  )
}

/** What an import came to, with the address where it is seen. */
export function summaryLines(summary: Summary, dryRun: boolean): string[] {
  const { files } = summary
  if (files.sent + files.known + files.left + files.notTaken === 0) return [importText.noFiles]
  const counts = [
    `${countOf(files.sent, 'file')} ${dryRun ? 'would be sent' : 'sent'} (${formatBytes(summary.bytes)})`,
    files.known > 0 ? `${formatCount(files.known)} there already` : '',
    files.left > 0 ? `${formatCount(files.left)} left out` : '',
    files.notTaken > 0 ? `${formatCount(files.notTaken)} not taken` : '',
  ].filter((text) => text !== '')
  if (dryRun || files.sent + files.known === 0) return [`${counts.join(', ')}.`]
  const beside = receiptLines(summary)
  if (files.known > 0 && (files.sent === 0 || summary.executions === 0))
    return [`${counts.join(', ')}: nothing new.`, ...beside, summary.dashboard]
  const odd = summary.odd > 0 ? `, ${importText.keptNotUnderstood({ odd: summary.odd })}` : ''
  return [
    `${counts.join(', ')}: ${countOf(summary.records, 'new record')}${odd}.`,
    ...beside,
    ...(summary.calls === null ? [] : [importText.calls(summary.calls)]),
    `${countOf(summary.executions, 'execution')}, ${formatCount(summary.failures)} failed: ${summary.dashboard}`,
  ]
}

/** `kept, not understood: run.json: line 3: not JSON, and 4 more`. */
export function oddLine({ name, odd, oddFirst = [] }: FileReport): string {
  const said = oddFirst.map(
    ({ line, byteStart, reason }) =>
      `${line === null ? `byte ${formatCount(byteStart)}` : `line ${formatCount(line)}`}: ${oddWords(reason)}`,
  )
  const more = odd - said.length
  if (more > 0) said.push(countOf(more, said.length > 0 ? 'more record' : 'record'))
  return `kept, not understood: ${name}: ${said.join(', ')}`
}

const rowsListedMax = 3

/** `receipts.db: row 7 (status), row 9 (tool_name, status) and 4 more rows`: where columns and receipt disagree. */
export function disagreeingLine(name: string, { first, total }: DisagreeingRows): string {
  const rows = first.slice(0, rowsListedMax).map(({ row, columns }) => `row ${row} (${columns.join(', ')})`)
  const more = total - rows.length
  return `columns and JSON disagree: ${name}: ${rows.join(', ')}${more > 0 ? ` and ${countOf(more, 'more row')}` : ''}`
}

function receiptLines({ conflicts, disagreeingRows }: Summary): string[] {
  const rows = importText.columnsDisagree({ disagreeingRows })
  const rivals = importText.conflicts({ conflicts })
  return [...(disagreeingRows > 0 ? [rows] : []), ...(conflicts > 0 ? [rivals] : [])]
}

/** Why the exit status is not 0. */
export function whyPartly({ files: { notTaken, unsupported } }: Summary): string {
  const kinds = importText.unsupported({ unsupported })
  const what =
    unsupported === 0
      ? importText.notImported({ notTaken })
      : unsupported === notTaken
        ? importText.kindsNotImported({ kinds })
        : importText.notImportedIncluding({ notTaken, kinds })
  return importText.whyPartly({ what })
}
