import type { EvidenceVerdict } from '@/lib/judge/fixes/evidence'
import type { FixReading } from '@/lib/judge/fixes/read-fix'
import { storedRun } from '@/lib/judge/fixes/secret-runs'
import { storableDeep } from '@/lib/formats/storable'
import { wordedFlag } from '@/lib/words/flags'
import { wordedReading } from '@/lib/words/patches'
import type { Tx } from '../client'

const text = (value: unknown): string => JSON.stringify(storableDeep(value))

/** What a queue is filtered by: the worst that the rules say of applying a patch. */
const safetyOf = ({ summary }: FixReading): 'blocked' | 'warned' | 'clear' =>
  !summary.safe ? 'blocked' : summary.warnings.length > 0 ? 'warned' : 'clear'

/** Columns of the standing that follow from the bytes and the rules. */
export const readingColumns = (reading: FixReading, evidence: EvidenceVerdict) => ({
  evidence,
  safety: safetyOf(reading),
  signals: reading.summary.signals.map(({ code }) => code),
  summary: text(wordedReading(reading.summary)),
  facts: text(reading.facts),
  rules: reading.summary.rules,
  secrets: reading.secrets === null ? null : text(reading.secrets.map(storedRun)),
})

/** Lays down files and flags of a fix in the place of those that an earlier version of the rules found. */
export async function writeFilesAndFlags(
  tx: Tx,
  projectId: string,
  fixId: string,
  { files, flags }: FixReading,
): Promise<void> {
  for (const [table, rows] of [
    ['fix_files', files],
    ['fix_flags', flags.map(wordedFlag)],
  ] as const) {
    await tx`delete from ${tx(table)} where project_id = ${projectId} and fix_id = ${fixId}`
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      await tx`
        insert into ${tx(table)} (project_id, fix_id, ordinal, document)
        select ${projectId}, ${fixId}, ${at} + place - 1, document from jsonb_array_elements(${text(rows.slice(at, at + ROWS_AT_ONCE))}::text::jsonb) with ordinality d(document, place)`
    }
  }
}

const ROWS_AT_ONCE = 1_000
