import type { Cause } from '@/lib/model/execution'
import { headlineOf, storedCauseText } from '@/lib/words/cause'
import type { RowOf } from '../schema/rows'

/** Columns that the text of a cause is made from. */
export const CAUSE_TEXT_COLUMNS = ['cause_text', 'cause_rule', 'cause_params', 'cause_earlier'] as const
/** Columns of a whole cause. */
export const CAUSE_COLUMNS = [...CAUSE_TEXT_COLUMNS, 'cause_category', 'cause_pointer'] as const

export type CauseTextRow = RowOf<'executions', (typeof CAUSE_TEXT_COLUMNS)[number]>

/** The text of a row's cause in the words of today; null: it has none. */
export const causeTextOf = ({
  cause_text,
  cause_rule,
  cause_params,
  cause_earlier,
}: CauseTextRow): string | null =>
  cause_text === null
    ? null
    : storedCauseText({
        rule: cause_rule,
        params: cause_params,
        earlier: cause_earlier,
        text: cause_text,
      })

/** The cause of a row; null: it has none. */
export function causeOf(row: RowOf<'executions', (typeof CAUSE_COLUMNS)[number]>): Cause | null {
  const text = causeTextOf(row)
  return text === null
    ? null
    : {
        headline: headlineOf(text),
        text,
        rule: row.cause_rule,
        category: row.cause_category ?? '',
        pointer: row.cause_pointer,
      }
}
