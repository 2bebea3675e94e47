import type { Call } from '@/lib/model/summary'
import { storable } from '@/lib/formats/storable'
import { storedResolution } from '@/lib/words/resolution'
import { storedCallRetry } from '@/lib/words/call-retry'
import type { Tx } from '../../client'
import { copyRows } from '../../copy-binary'
import { jsonText } from '../../json-text'

type Column = {
  name: string
  type: 'int4' | 'text' | 'bool' | 'timestamptz' | 'float8' | 'jsonb'
  value: (a: Call) => unknown
}

const text = (value: string | null | undefined) => (value == null ? null : storable(value))
const json = (value: unknown) => (value == null ? null : jsonText(value))

const COLUMNS: Column[] = [
  { name: 'ordinal', type: 'int4', value: (a) => a.ordinal },
  { name: 'call_id', type: 'text', value: (a) => text(a.callId) },
  { name: 'tool', type: 'text', value: (a) => text(a.tool) },
  { name: 'target', type: 'text', value: (a) => text(a.target) },
  { name: 'loose_target', type: 'text', value: (a) => text(a.looseTarget) },
  { name: 'input_digest', type: 'text', value: (a) => a.inputDigest },
  { name: 'state', type: 'text', value: (a) => a.state },
  { name: 'failure_class', type: 'text', value: (a) => text(a.failureClass) },
  { name: 'error_text', type: 'text', value: (a) => text(a.errorText) },
  { name: 'error_text_cut', type: 'bool', value: (a) => a.errorTextCut },
  {
    name: 'exit_code',
    type: 'int4',
    value: (a) => (a.exitCode !== null && Math.abs(a.exitCode) < 2 ** 31 ? Math.trunc(a.exitCode) : null),
  },
  { name: 'started_at', type: 'timestamptz', value: (a) => a.startedAt },
  { name: 'ended_at', type: 'timestamptz', value: (a) => a.endedAt },
  { name: 'duration_ms', type: 'float8', value: (a) => a.durationMs },
  { name: 'call_pointer', type: 'jsonb', value: (a) => json(a.callPointer) },
  { name: 'result_pointer', type: 'jsonb', value: (a) => json(a.resultPointer) },
  { name: 'chain', type: 'int4', value: (a) => a.chain },
  { name: 'number_in_chain', type: 'int4', value: (a) => a.numberInChain },
  { name: 'link_rule', type: 'text', value: (a) => a.linkRule },
  { name: 'link_params', type: 'jsonb', value: (a) => json(a.linkParams) },
  { name: 'link_basis', type: 'text', value: (a) => a.linkBasis },
  { name: 'input_changed', type: 'bool', value: (a) => a.inputChanged },
  { name: 'linked_to', type: 'text', value: (a) => text(a.linkedTo) },
  { name: 'attached_to', type: 'jsonb', value: (a) => json(a.attachedTo) },
  { name: 'resolution', type: 'jsonb', value: (a) => json(a.resolution && storedResolution(a.resolution)) },
  { name: 'retry', type: 'jsonb', value: (a) => json(a.retry && storedCallRetry(a.retry)) },
  { name: 'child_key', type: 'text', value: (a) => text(a.childKey) },
  { name: 'disagreements', type: 'jsonb', value: (a) => json(a.disagreements) },
]

const ROWS_AT_ONCE = 1000

const names = COLUMNS.map((c) => c.name)
const arrays = COLUMNS.map((_, i) => `$${i + 3}::text[]`)
const selected = COLUMNS.map((c) => `${c.name}::${c.type}`)
const changing = names.filter((name) => name !== 'ordinal')

// Rows that stay as they are are not written again: a session that grows by one call changes one row.
const UPSERT = `insert into calls as t (project_id, execution_id, ${names.join(', ')})
  select $1::uuid, $2::uuid, ${selected.join(', ')} from unnest(${arrays.join(', ')}) as r(${names.join(', ')})
  on conflict (project_id, execution_id, ordinal) do update set ${changing.map((name) => `${name} = excluded.${name}`).join(', ')}
  where (${changing.map((name) => `t.${name}`).join(', ')}) is distinct from (${changing.map((name) => `excluded.${name}`).join(', ')})`

export interface NewCalls {
  executionId: string
  calls: readonly Call[]
}

/** Writes the calls of executions that have none yet. */
export async function copyCalls(tx: Tx, projectId: string, all: readonly NewCalls[]): Promise<void> {
  const rows = all.flatMap(({ executionId, calls }) => calls.map((call) => ({ executionId, call })))
  if (rows.length === 0) return
  await copyRows(
    tx,
    'calls',
    [
      { name: 'project_id', type: 'uuid', value: () => projectId },
      { name: 'execution_id', type: 'uuid', value: (row: (typeof rows)[number]) => row.executionId },
      ...COLUMNS.map(({ name, type, value }) => ({
        name,
        type,
        value: (row: (typeof rows)[number]) => value(row.call),
      })),
    ],
    rows,
  )
}

/** Makes the calls of an execution exactly these. */
export async function writeCalls(
  tx: Tx,
  projectId: string,
  executionId: string,
  calls: readonly Call[],
): Promise<void> {
  await tx`delete from calls where project_id = ${projectId} and execution_id = ${executionId} and ordinal >= ${calls.length}`
  for (let from = 0; from < calls.length; from += ROWS_AT_ONCE) {
    const rows = calls.slice(from, from + ROWS_AT_ONCE)
    // Columns travel as arrays of text and are cast on the server: one statement for any number of rows.
    const columns = COLUMNS.map((c) => rows.map((a) => asText(c.value(a))))
    await tx.unsafe(UPSERT, [projectId, executionId, ...columns] as never[], { prepare: true })
  }
}

const asText = (value: unknown): string | null =>
  value === null || value === undefined ? null : String(value)
