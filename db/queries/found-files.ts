import { createHash } from 'node:crypto'
import type { Place } from '@/lib/judge/calls/merge-streams'
import type { FoundInRun } from '@/lib/judge/fixes/found-in-run'
import { bytesMarked, RUN_SECRET_IN_PATCH } from '@/lib/formats/async-pipeline/hide'
import { fileBytes, transcriptBytes } from '@/lib/formats/async-pipeline/kept-file'
import { readElement } from '@/lib/formats/async-pipeline/read-element'
import { taskFileName } from '@/lib/formats/async-pipeline/layout'
import type { RedactionMark } from '@/lib/text/redaction/finding'
import type { Db } from '../client'
import type { RowOf } from '../schema/rows'
import { storeText } from '@/lib/words/server/store'

/** The bytes that belong to a proposal, as they are kept. */
export interface FoundFiles {
  patch: Uint8Array
  /** Ranges of the patch that hold what its run shows to be secret. */
  secrets: { start: number; end: number }[]
  transcript: Uint8Array | null
  /** Null where there is no such file, or something was taken out of it: its digest would be that of other bytes. */
  promptSha256: string | null
  contextPackSha256: string | null
}

interface KeptRecord {
  text: string
  /** Places of the record in which something was hidden or marked, from its first byte. */
  marks: RedactionMark[]
}

type Range = Pick<Place, 'received' | 'keptStart' | 'keptEnd'>

export async function readFoundFiles(
  db: Pick<Db, 'sql'>,
  projectId: string,
  executionId: string,
  { patch, task, exchange, proposal }: FoundInRun,
): Promise<FoundFiles> {
  const record = await readRecord(db, projectId, patch.place)
  const valueStart = patch.fact.span.start + 1
  const secrets = record.marks
    .filter(({ rule }) => rule === RUN_SECRET_IN_PATCH)
    .map(({ byteStart, byteEnd }) => bytesMarked(byteStart - valueStart, byteEnd - valueStart))
  const base64 = readElement(JSON.parse(record.text))?.base64 ?? ''
  const said = exchange === null ? null : await readRecord(db, projectId, exchange.place)
  const prompt =
    exchange === null || task === null
      ? null
      : await readPrompt(db, projectId, executionId, taskFileName(task.fact.id))
  // The pack of a task that failed is about the failure that a hook answers; an artifact is of a task that passed.
  const pack =
    proposal.origin === 'fixes-dir' && task?.pack ? await readRecord(db, projectId, task.pack.place) : null
  return {
    patch: Buffer.from(base64, 'base64'),
    secrets,
    transcript: said && transcriptBytes(said.text),
    promptSha256: digestOf(prompt),
    contextPackSha256: digestOf(pack),
  }
}

function digestOf(record: KeptRecord | null): string | null {
  const bytes = record === null || record.marks.length > 0 ? null : fileBytes(record.text)
  return bytes === null ? null : createHash('sha256').update(bytes).digest('hex')
}

async function readRecord(
  db: Pick<Db, 'sql'>,
  projectId: string,
  { received, keptStart, keptEnd }: Range,
): Promise<KeptRecord> {
  const [row] = await db.sql<{ bytes: Uint8Array; marks: RedactionMark[][] }[]>`
    select substring(r.bytes from ${keptStart + 1}::int for ${keptEnd - keptStart}::int) as bytes,
      (select coalesce(jsonb_agg(p.marks), '[]') from stream_parts p where p.project_id = r.project_id and p.received_id = r.id) as marks
    from received_keys k join received r on r.project_id = k.project_id and r.id = k.received_id where k.project_id = ${projectId} and k.sha256 = ${received}`
  if (!row) throw new Error(storeText.bytesNotStored({ sha256: received }))
  const within = row.marks.flat().filter(({ byteStart }) => byteStart >= keptStart && byteStart < keptEnd)
  return {
    text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(row.bytes),
    marks: within.map(({ rule, byteStart, byteEnd }) => ({
      rule,
      byteStart: byteStart - keptStart,
      byteEnd: byteEnd - keptStart,
    })),
  }
}

/** The prompt that is beside a task's exchange; of a run that came several times the last one. */
async function readPrompt(
  db: Pick<Db, 'sql'>,
  projectId: string,
  executionId: string,
  stem: string,
): Promise<KeptRecord | null> {
  const rows = await db.sql<
    (RowOf<'events', 'keptStart' | 'keptEnd'> & {
      received: RowOf<'received', 'sha256'>['sha256']
    })[]
  >`
    select r.sha256 as received, v.kept_start as "keptStart", v.kept_end as "keptEnd" from events v join received r on r.project_id = v.project_id and r.id = v.received_id
    where v.project_id = ${projectId} and v.execution_id = ${executionId} and v.channel = 'pipeline' and v.type = 'prompt' order by r.received_at desc, r.sha256, v.byte_offset limit ${PROMPTS_READ_MAX}`
  for (const row of rows) {
    const record = await readRecord(db, projectId, row)
    if (readElement(JSON.parse(record.text))?.stem === stem) return record
  }
  return null
}

const PROMPTS_READ_MAX = 500
