import { isObject, member, memberAt, type ExactObject } from '../../text/exact-json'
import { integerDigits } from '../../text/exact-number'
import type { RecordContent } from '../claude/draft'
import { wholeSpan } from '../claude/span'
import { idText } from '../claude/text'
import { countOf } from './read-document'
import { textOf } from './read-row'
import type { LineInput } from '../../model/adapter'
import type { RunDocumentFact } from '../../model/workflow-facts'

/** Whether an object says how many rows of a run the log held at a moment, as a reader of the tables notes it. */
export const isLogMark = (value: ExactObject): boolean => isObject(member(value, 'event_log'))

/** How far the event log was read, with the engine's own row of the run where it has one: what a total of the API is to its pages. */
export function readLogMark(mark: ExactObject, line: LineInput): { content: RecordContent; type: string } {
  const idAt = (key: string): string | null => {
    const digits = integerDigits(memberAt(mark, 'event_log', key))
    return digits === null ? null : idText(digits)
  }
  const total = countOf(memberAt(mark, 'event_log', 'rows'))
  const status = textOf(memberAt(mark, 'execution', 'status'), 100)
  const fact: RunDocumentFact = {
    dialect: 'tables',
    form: 'log',
    status,
    path: null,
    rows: { count: total ?? 0, oldest: idAt('oldest'), newest: idAt('newest') },
    total,
    page: null,
    span: wholeSpan(line),
  }
  return {
    content: {
      kind: 'meta',
      summary: { id: 'event_log', params: { rows: total, status } },
      facts: { document: fact },
    },
    type: 'event_log',
  }
}
