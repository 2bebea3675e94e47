import { judgeStepEnd } from '@/lib/judge/outcomes/step-end-rules'
import type { IngestKind } from '@/lib/model/ingest-kinds'
import type { StepConclusion } from '@/lib/model/step-conclusion'
import {
  explainExecution,
  stepEndWords,
  type Explanation,
  type StepEnd,
} from '@/lib/views/executions/explanation'
import { explainText } from '@/lib/words/cli/explain'
import type { FileRead } from './read-file'

/** A file with what can be said of it. */
export interface ExplainedFile {
  /** As it was named. */
  file: string
  status: 'explained' | 'empty_list' | 'missing' | 'unreadable'
  kind: IngestKind | null
  /** Of a file that contains no run: what the end of its step says. */
  step: StepEnd | null
  /** Why it was not read. */
  because: string | null
  /** Those that need attention first, then in their order; what is part of another one in the file is behind it. */
  executions: Explanation[]
  records: number
  odd: { total: number; first: string | null }
  torn: boolean
  needsAttention: boolean
}

/** Says of a file what the screens would say of its executions. */
export function explainFile(file: string, read: FileRead, conclusion: StepConclusion | null): ExplainedFile {
  if (read.status !== 'read') {
    const step =
      read.status === 'unreadable'
        ? null
        : judgeStepEnd({ conclusion, file: read.status, kind: null, judged: null, result: null })
    return {
      ...nothingRead(file),
      status: read.status,
      step: step && stepEndWords(step),
      because: read.status === 'unreadable' ? read.because : null,
      needsAttention: step?.verdict ?? false,
    }
  }
  const { kind, isList, records, odd, torn } = read
  const keys = new Set(read.executions.map(({ key }) => key))
  const executions = read.executions.map((one) => {
    const { summary } = one
    const isPart = summary.parent !== null && keys.has(summary.parent.key)
    // The step is that of the whole run, whose end its result record tells.
    const step = isPart
      ? null
      : judgeStepEnd({
          conclusion,
          file: torn ? 'torn' : isList ? 'list' : 'other',
          kind,
          judged: { outcome: summary.outcome, rule: summary.outcomeRule },
          result: summary.evidence.result?.fact ?? null,
        })
    return {
      ...explainExecution(one, step, kind === 'receipts'),
      parent: isPart ? summary.parent!.key : null,
    }
  })
  return {
    ...nothingRead(file),
    status: 'explained',
    kind,
    because: executions.length === 0 ? explainText.nothingInFile : null,
    executions: inOrder(executions),
    records,
    odd: torn ? { total: odd.total - 1, first: odd.total > 1 ? odd.first : null } : odd,
    torn,
    needsAttention: executions.some(({ needsAttention }) => needsAttention),
  }
}

const nothingRead = (file: string): Omit<ExplainedFile, 'status' | 'needsAttention'> => ({
  file,
  kind: null,
  step: null,
  because: null,
  executions: [],
  records: 0,
  odd: { total: 0, first: null },
  torn: false,
})

const rank = ({ parent, needsAttention }: Explanation): number =>
  (parent === null ? 0 : 2) + (needsAttention ? 0 : 1)
const inOrder = (executions: Explanation[]): Explanation[] =>
  [...executions].sort((a, b) => rank(a) - rank(b))
