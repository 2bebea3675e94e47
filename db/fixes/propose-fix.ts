import { v7 } from 'uuid'
import { evidenceVerdict } from '@/lib/judge/fixes/evidence'
import { storedProposal, type StoredProposal } from '@/lib/judge/fixes/proposal'
import { type FixOrigin, isFixState, mayBecome } from '@/lib/model/fix-states'
import { unread } from '@/lib/judge/fixes/unread'
import { redactLine } from '@/lib/text/redaction/redact'
import { storable, storableDeep } from '@/lib/formats/storable'
import type { Db, Tx } from '../client'
import { readPatch, type FixStore } from './patch-reader'
import { recordAudit } from '../audit'
import { copyRows, type CopyColumn } from '../copy-binary'
import { keepTranscript } from './keep-transcript'
import { notifyChanged } from '../notify'
import { sha256 } from '../sha256'
import { readingColumns, writeFilesAndFlags } from './write-fix-reading'
import type { RowOf } from '../schema/rows'
import type { FixProposal } from '@/lib/model/fix'
import { storeText } from '@/lib/words/server/store'

export interface ProposeFix {
  projectId: string
  executionId: string
  /** The patch, exactly as it came. */
  bytes: Uint8Array
  proposal: Omit<FixProposal, 'origin'> & { origin: FixOrigin }
  /** Version of the superseded fix that the proposer has seen; unset: any. */
  supersededVersion?: number
  transcript?: Uint8Array | null
  /** Ranges of the patch that are known to be secret from elsewhere. */
  secrets?: readonly { start: number; end: number }[]
  /** `person:<id>`, `key:<id>` or `system`. */
  actor: string
  actorName: string
}

/** What became of a proposal; `stale`: the fix that it takes the place of leads nowhere any more. */
export type Proposed =
  | { fixId: string; isNew: boolean }
  | { refused: 'no-execution' | 'no-such-fix' }
  | { refused: 'stale'; state: string }

/**
 * Stores a proposed fix, and then reads it: what the rules make of it may take long, and what came is not lost by that. The same bytes for the same
 * task are the same fix, whoever sends them again. A fix that names the one it takes the place of supersedes it; without that both are beside each
 * other.
 */
export function proposeFix(db: FixStore, given: ProposeFix): Promise<Proposed> {
  const { projectId } = given
  // What is given is let go before the patch is read: its bytes are many.
  return keepFix(db, given).then(async (done) => {
    if ('fixId' in done) await readPatch(db, { projectId, fixId: done.fixId })
    return done
  })
}

function keepFix(db: Pick<Db, 'sql'>, given: ProposeFix): Promise<Proposed> {
  const { projectId, executionId, bytes, proposal } = given
  const task = storable(proposal.task)
  return db.sql.begin(async (tx): Promise<Proposed> => {
    // One proposal for an execution at a time: numbers are given in turn, and of two that supersede one fix the second gets an error.
    await tx`select pg_advisory_xact_lock(hashtextextended(${`fixes ${projectId} ${executionId}`}, 0))`
    const [execution] = await tx<
      (RowOf<'sources', 'redact'> & {
        run_id: RowOf<'executions', 'external_id'>['external_id']
        run_source: string
      })[]
    >`
      select s.redact, coalesce(e.pipeline ->> 'pipeline', s.name) as run_source, e.external_id as run_id from executions e join sources s on s.project_id = e.project_id and s.id = e.source_id where e.project_id = ${projectId} and e.id = ${executionId}`
    if (!execution) return { refused: 'no-execution' }
    const digest = sha256(bytes)
    const [known] = await tx<RowOf<'fixes', 'id'>[]>`
      select id from fixes where project_id = ${projectId} and execution_id = ${executionId} and task = ${task} and patch_sha256 = ${digest}`
    if (known) return { fixId: known.id, isNew: false }
    const before =
      proposal.supersedes === null
        ? null
        : await supersededFix(tx, {
            projectId,
            executionId,
            task,
            id: proposal.supersedes,
            seen: given.supersededVersion,
          })
    if (before !== null && 'refused' in before) return before

    await keepPatch(tx, projectId, digest, bytes)
    const transcript = given.transcript
      ? await keepTranscript(tx, projectId, given.transcript, execution.redact)
      : null
    const stored = storableDeep(
      execution.redact ? await redacted(storedProposal(proposal)) : storedProposal(proposal),
    )
    const id = v7()
    const [row] = await tx<RowOf<'fixes', 'received_at' | 'ordinal'>[]>`
      insert into fixes (project_id, id, execution_id, task, ordinal, origin, patch_sha256, proposed_by, proposed_by_name, proposal, transcript_sha256, supersedes_id, run_source, run_id)
      select ${projectId}, ${id}, ${executionId}, ${task}, coalesce(max(ordinal), 0) + 1, ${proposal.origin}, ${digest}, ${given.actor}, ${storable(given.actorName)},
        ${JSON.stringify(stored)}::text::jsonb, ${transcript}, ${proposal.supersedes}, ${execution.run_source}, ${execution.run_id}
      from fixes where project_id = ${projectId} and execution_id = ${executionId} and task = ${task} returning received_at, ordinal`
    const notYet = unread('not-yet')
    const columns = readingColumns(notYet, evidenceVerdict(proposal.verification))
    await tx`
      insert into fix_standing (project_id, fix_id, execution_id, state, changed_at, received_at, expires_at, origin, evidence, safety, signals, summary, facts, rules, known_secrets)
      values (${projectId}, ${id}, ${executionId}, 'proposed', ${row!.received_at}, ${row!.received_at}, ${proposal.expiresAt}, ${proposal.origin}, ${columns.evidence}, ${columns.safety},
        ${columns.signals}, ${columns.summary}::text::jsonb, ${columns.facts}::text::jsonb, ${columns.rules},
        ${JSON.stringify((given.secrets ?? []).map(({ start, end }) => [start, end]))}::text::jsonb)`
    await writeFilesAndFlags(tx, projectId, id, notYet)
    const detail = {
      execution: executionId,
      task,
      ordinal: row!.ordinal,
      sha256: digest,
      origin: proposal.origin,
      supersedes: proposal.supersedes,
    }
    await recordAudit(tx, { projectId, actor: given.actor, action: 'fix.propose', subject: id, detail })
    if (before !== null) await supersede(tx, { ...given, ...before, by: id, ordinal: row!.ordinal })
    await notifyChanged(tx, projectId, [executionId])
    return { fixId: id, isNew: true }
  })
}

/** Everything of a proposal was written by an agent, and is searched as every record is. */
const redacted = async (proposal: StoredProposal): Promise<StoredProposal> =>
  JSON.parse((await redactLine(JSON.stringify(proposal))).text) as StoredProposal

interface Superseded {
  fixId: string
  state: string
  version: number
  patchSha256: string
}

async function supersededFix(
  tx: Tx,
  {
    projectId,
    executionId,
    task,
    id,
    seen,
  }: { projectId: string; executionId: string; task: string; id: string; seen: number | undefined },
): Promise<Superseded | Extract<Proposed, { refused: string }>> {
  const [row] = await tx<(RowOf<'fix_standing', 'state' | 'version'> & RowOf<'fixes', 'patch_sha256'>)[]>`
    select s.state, s.version, f.patch_sha256 from fixes f join fix_standing s on s.project_id = f.project_id and s.fix_id = f.id
    where f.project_id = ${projectId} and f.id = ${id} and f.execution_id = ${executionId} and f.task = ${task} for update of s`
  if (!row) return { refused: 'no-such-fix' }
  if (
    !isFixState(row.state) ||
    !mayBecome(row.state, 'superseded') ||
    (seen !== undefined && seen !== row.version)
  )
    return { refused: 'stale', state: row.state }
  return { fixId: id, state: row.state, version: row.version, patchSha256: row.patch_sha256 }
}

async function supersede(
  tx: Tx,
  {
    projectId,
    fixId,
    state,
    version,
    patchSha256,
    by,
    ordinal,
    actor,
    actorName,
  }: Superseded & ProposeFix & { by: string; ordinal: number },
): Promise<void> {
  await tx`
    insert into fix_reviews (project_id, fix_id, version, id, actor, actor_name, from_state, to_state, patch_sha256, comment)
    values (${projectId}, ${fixId}, ${version + 1}, ${v7()}, ${actor}, ${storable(actorName)}, ${state}, 'superseded', ${patchSha256}, ${storeText.superseded({ version: ordinal })})`
  await tx`update fix_standing set state = 'superseded', version = version + 1, changed_at = clock_timestamp(), superseded_by = ${by} where project_id = ${projectId} and fix_id = ${fixId}`
  await recordAudit(tx, { projectId, actor, action: 'fix.supersede', subject: fixId, detail: { by } })
}

const PATCH_COLUMNS = (projectId: string): CopyColumn<{ sha256: string; bytes: Uint8Array }>[] => [
  { name: 'project_id', type: 'uuid', value: () => projectId },
  { name: 'sha256', type: 'text', value: (row) => row.sha256 },
  { name: 'size', type: 'int4', value: (row) => row.bytes.length },
  { name: 'bytes', type: 'bytea', value: (row) => row.bytes },
]

/** Keeps the bytes once. They are copied in, not written into a statement, which would hold them several times over as text. */
async function keepPatch(tx: Tx, projectId: string, digest: string, bytes: Uint8Array): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`patch ${projectId} ${digest}`}, 0))`
  const [known] = await tx`select from patches where project_id = ${projectId} and sha256 = ${digest}`
  if (!known) await copyRows(tx, 'patches', PATCH_COLUMNS(projectId), [{ sha256: digest, bytes }])
}
