import type { IngestAnswer } from '@/lib/api/ingest-schemas'
import type { Outcome } from '@/lib/model/execution'
import type { DisagreeingRows } from './send-database'

export interface FileReport {
  path: string
  name: string
  status: 'sent' | 'known' | 'would-send' | 'left' | 'not-taken'
  /** Why it was left or not taken. */
  because?: string
  /** Not taken because its format, which was recognised, is not supported yet. */
  unsupported?: true
  /** It was sent with another file, which is counted. */
  along?: true
  kind?: string
  bytes: number
  records: number
  odd: number
  /** The first of them. */
  oddFirst?: IngestAnswer['odd']
  /** Only the grown end was sent. */
  resumed?: boolean
  rewritten?: boolean
  /** Of a database of receipts: what its columns say is not what its receipts say. */
  disagreeingRows?: DisagreeingRows
}

export interface Summary {
  /** `unsupported` are among those that were not taken. */
  files: { sent: number; known: number; left: number; notTaken: number; unsupported: number }
  bytes: number
  records: number
  duplicates: number
  odd: number
  /** Receipts with the id of another one, or for a place of a chain that another one has. Answers list at most 100 each. */
  conflicts: number
  disagreeingRows: number
  executions: number
  failures: number
  /** Of these executions; null: the server is of a version that does not say. */
  calls: { all: number; failed: number } | null
  dashboard: string
}

/** What the summary counts as failed, and its link lists. */
export const failedOutcomes = ['failed', 'retriable'] as const satisfies readonly Outcome[]

/** Adds up what a run did. Of an execution only its last known outcome counts, however many answers name it. */
export class Tally {
  private readonly outcomes = new Map<
    string,
    { failed: boolean; url: string; calls: number | undefined; failedCalls: number | undefined }
  >()
  private readonly files = { known: 0, left: 0, notTaken: 0, unsupported: 0 }
  /** By path: a followed file is sent many times and is still one file. */
  private readonly sent = new Set<string>()
  private bytes = 0
  private records = 0
  private duplicates = 0
  private odd = 0
  private conflicts = 0
  private disagreeingRows = 0

  addAnswer(answer: IngestAnswer): void {
    this.records += answer.accepted
    this.duplicates += answer.duplicates
    this.odd += answer.oddTotal
    this.conflicts += answer.conflicts?.length ?? 0
    for (const { id, outcome, url, calls, failedCalls } of answer.executions)
      this.outcomes.set(id, {
        failed: (failedOutcomes as readonly string[]).includes(outcome),
        url,
        calls,
        failedCalls,
      })
  }

  addDisagreeing(rows: number): void {
    this.disagreeingRows += rows
  }

  addFile(report: FileReport): void {
    if (report.along) return
    this.bytes += report.bytes
    if (report.status === 'known') this.files.known += 1
    else if (report.status === 'left') this.files.left += 1
    else if (report.status === 'not-taken') this.files.notTaken += 1
    else this.sent.add(report.path)
    if (report.unsupported) this.files.unsupported += 1
  }

  get anyNotTaken(): boolean {
    return this.files.notTaken > 0
  }

  /**
   * Addresses of lists: `failedList` that of the executions of this import that failed, shown when there are several; `wholeList` of all; `oddList` that of what
   * was kept and belongs to no execution.
   */
  summary(failedList: string, wholeList: string, oddList: string): Summary {
    const all = [...this.outcomes.values()]
    const failed = all.filter((one) => one.failed)
    const sum = (of: (one: (typeof all)[number]) => number | undefined): number =>
      all.reduce((total, one) => total + (of(one) ?? 0), 0)
    return {
      files: { sent: this.sent.size, ...this.files },
      bytes: this.bytes,
      records: this.records,
      duplicates: this.duplicates,
      odd: this.odd,
      conflicts: this.conflicts,
      disagreeingRows: this.disagreeingRows,
      executions: this.outcomes.size,
      failures: failed.length,
      calls: all.some(({ calls }) => calls !== undefined)
        ? { all: sum(({ calls }) => calls), failed: sum(({ failedCalls }) => failedCalls) }
        : null,
      dashboard:
        failed.length === 1
          ? failed[0]!.url
          : failed.length > 1
            ? failedList
            : this.outcomes.size === 0 && this.odd > 0
              ? oddList
              : wholeList,
    }
  }
}
