import { countOf } from '../../text/amounts'
import { oneLine } from '../../text/visible'
import { failedControlWords, rowIssueWords } from '../parity'

/** What `inquest parity` prints. */
export const parityText = {
  notStored: 'The comparison was not stored, because this key has only the scope read.',
  unknown: 'unknown: not every layer could be compared',
  unreliable: ({ failedControls }: { failedControls: readonly string[] }) =>
    `unreliable: the comparison failed its self-test (${failedControlWords(failedControls)})`,
  rawRecordChanged: ({ digest }: { digest: string }) => `  raw record ${digest}: bytes changed after import`,
  rowDiffers: ({
    i,
    eventId,
    received,
    byteStart,
    byteEnd,
  }: {
    i: number
    eventId: string
    received: string
    byteStart: number
    byteEnd: number
  }) =>
    `  /events/${i}: row ${oneLine(eventId)} differs in raw record ${received}, bytes ${byteStart} to ${byteEnd}`,
  rowsLostData: '  NoETL’s own check fails: a later row of a step lost data of the first one',
  rowIssue: (issue: Parameters<typeof rowIssueWords>[0]) => `  ${rowIssueWords(issue)}`,
  moreRowIssues: ({ more }: { more: number }) =>
    `  … and ${countOf(more, 'more finding')} of NoETL’s own check; use --json to list all`,
  diagnosisNeverSaved: '  a diagnosis was produced but never saved: never attached, or lost in transit',
  more: ({ more }: { more: number }) => `  … and ${countOf(more, 'more difference')}; use --json to list all`,
}
