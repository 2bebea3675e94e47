import type { Cause } from '@/lib/model/execution'
import { storedCauseWords } from '@/lib/words/cause-headline'
import type { RowOf } from '../schema/rows'

/** Columns that the text of a cause is made from. */
export const CAUSE_TEXT_COLUMNS = ['cause_text', 'cause_rule', 'cause_params', 'cause_earlier'] as const
/** Columns of a whole cause. */
export const CAUSE_COLUMNS = [...CAUSE_TEXT_COLUMNS, 'cause_category', 'cause_pointer'] as const

export type CauseTextRow = RowOf<'executions', (typeof CAUSE_TEXT_COLUMNS)[number]>

const wordsOf = ({ cause_text, cause_rule, cause_params, cause_earlier }: CauseTextRow) =>
  cause_text === null
    ? null
    : storedCauseWords({
        rule: cause_rule,
        params: cause_params,
        earlier: cause_earlier,
        text: cause_text,
      })

/** The text of a row's cause in the words of today; null: it has none. */
export const causeTextOf = (row: CauseTextRow): string | null => wordsOf(row)?.text ?? null

/** The cause of a row; null: it has none. */
export function causeOf(row: RowOf<'executions', (typeof CAUSE_COLUMNS)[number]>): Cause | null {
  const words = wordsOf(row)
  return words === null
    ? null
    : {
        ...words,
        rule: row.cause_rule,
        category: row.cause_category ?? '',
        pointer: row.cause_pointer,
      }
}
