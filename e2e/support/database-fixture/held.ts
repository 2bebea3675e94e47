import { CHECK_VERDICTS, DIFFERENCE_KINDS, SEVERITIES } from '@/lib/model/parity'
import type { Sql } from '@/db/client'
import { CONTENT_STATES, RETRY_REASONS } from '@/lib/judge/decisions/vocabulary'
import { CAUSE_CATEGORIES } from '@/lib/model/cause-categories'
import { BASES, CHAIN_RULES, FAILURE_CLASSES, OUTCOMES, RETRY_ANSWERS } from '@/lib/model/execution'
import { EVIDENCE_VERDICTS } from '@/lib/judge/fixes/evidence'
import { FIT_OUTCOMES } from '@/lib/judge/fixes/fit'
import { SAFETY_VALUES } from '@/lib/model/fix-question'
import { FIX_ORIGINS, FIX_STATES } from '@/lib/model/fix-states'
import { INPUT_CHANNELS, EVENT_KINDS, ODD_REASONS } from '@/lib/model/normal-form'
import { CHECK_TRIGGERS } from '@/lib/judge/parity/stored-check'
import { INGEST_KINDS } from '@/lib/model/ingest-kinds'

/** Closed lists, and the query for the values of each that are stored. */
const LISTS: Record<string, [values: readonly string[], query: string]> = {
  'kinds of input': [INGEST_KINDS, 'select kind from streams'],
  'ways in': [INPUT_CHANNELS, 'select channel from events'],
  'kinds of record': [EVENT_KINDS, 'select kind from events'],
  'odd input': [ODD_REASONS, 'select reason from odd_input'],
  outcomes: [OUTCOMES, 'select outcome from executions'],
  bases: [BASES, 'select outcome_basis from executions'],
  'cause categories': [CAUSE_CATEGORIES, 'select cause_category from executions'],
  'retry verdicts': [RETRY_ANSWERS, `select advice ->> 'retry' from executions`],
  'failure classes': [FAILURE_CLASSES, 'select failure_class from calls'],
  'content states': [CONTENT_STATES, 'select content_state from decisions'],
  'retry reasons': [RETRY_REASONS, 'select retry_reason from decisions'],
  'chain rules': [CHAIN_RULES, 'select rule from execution_chains'],
  'check verdicts': [CHECK_VERDICTS, 'select verdict from parity_checks'],
  'check triggers': [CHECK_TRIGGERS, 'select trigger from parity_checks'],
  'difference kinds': [
    DIFFERENCE_KINDS,
    `select d ->> 'kind' from parity_checks, jsonb_array_elements(differences) d`,
  ],
  severities: [SEVERITIES, `select d ->> 'severity' from parity_checks, jsonb_array_elements(differences) d`],
  'fix states': [FIX_STATES, 'select state from fix_standing'],
  'fix origins': [FIX_ORIGINS, 'select origin from fix_standing'],
  'fix safety': [SAFETY_VALUES, 'select safety from fix_standing'],
  'fix evidence': [EVIDENCE_VERDICTS, 'select evidence from fix_standing'],
  'fit outcomes': [
    FIT_OUTCOMES,
    `select outcome from fix_fits union select reading -> 'base' ->> 'outcome' from fix_fits`,
  ],
}

/** Values of closed lists that no row holds, by the name of their list. */
export async function listNotHeld(sql: Sql): Promise<Record<string, string[]>> {
  const missing: Record<string, string[]> = {}
  for (const [name, [values, query]] of Object.entries(LISTS)) {
    const rows = await sql.unsafe<{ value: string | null }[]>(
      `select distinct v.value from (${query}) v (value)`,
    )
    const held = new Set(rows.map(({ value }) => value))
    const left = values.filter((value) => !held.has(value))
    if (left.length > 0) missing[name] = left
  }
  return missing
}
