import type { Form } from '@/lib/model/parity'
import { exactJsonText } from '@/lib/text/exact-json'
import { compareForms, type FormInput, type FormsCompared } from '@/lib/judge/parity/compare-forms'
import { failedControls } from '@/lib/judge/parity/controls'
import { documentWays } from '@/lib/judge/parity/document-ways'
import type { LayerInput } from '@/lib/judge/parity/layers'
import { madeForm } from '@/lib/judge/parity/made'
import { versionsForm, type RowVersion } from '@/lib/judge/parity/row-versions'
import { stepRowsForm, type RowIssue } from '@/lib/judge/parity/step-rows'
import { findingsOf, ruleOf, type CheckedLayer, type CheckTrigger } from '@/lib/judge/parity/stored-check'
import type { LayerReason } from '@/lib/model/messages/parity'
import { textOf } from '@/lib/words/catalogue'
import { LAYER_REASON_WORDS } from '@/lib/words/parity'
import type { Db } from '../client'
import { listMadeDiagnoses } from '../queries/made-diagnoses'
import { readRunDiagnosis, readUnclaimedDiagnosis } from '../queries/run-diagnosis'
import type { StoredRun } from '../queries/run-document'
import { recordCheck } from './record-check'
import { readStoredLayers, type StoredLayers } from '../rebuild/rederive'
import { sha256 } from '../sha256'
import type { RowOf } from '../schema/rows'

export interface CheckOptions {
  trigger: CheckTrigger
  failureTag?: string
  /** Asks the source itself for the layers that it has, in the order in which the data travels; left out where there is nothing to ask. */
  fetched?: (projectId: string) => Promise<LayerInput[]>
  /** Nobody waits for it: see `readStoredLayers`. */
  givesWay?: AbortSignal
  /** The comparison is only answered, and nothing is written. */
  unstored?: boolean
  /** Those of this process, when left out. */
  failed?: readonly string[]
}

export interface CheckDone {
  stored: StoredLayers
  compared: FormsCompared
  /** What was compared, in the order of the layers. */
  inputs: (LayerInput & { form: Form })[]
  /** In the order of the layers, with the digests of what was compared. */
  layers: CheckedLayer[]
  /** Where other raw records have another version of a row, in the order of the list that was compared. */
  versions: RowVersion[]
  /** What the source's own check found to be lost in rows of the run. */
  stepIssues: RowIssue[]
  failedControls: readonly string[]
  checkedAt: string
}

/**
 * Compares the layers of an execution and, by default, stores what was found: the one way, whether somebody asks or its turn has come. Null when there is no
 * such execution.
 *
 * @throws InTheWay when it gave way
 */
export async function checkParity(
  db: Pick<Db, 'sql'>,
  projectIds: readonly string[],
  executionId: string,
  options: CheckOptions,
): Promise<CheckDone | null> {
  const { trigger, failureTag, fetched, givesWay, unstored = false, failed = failedControls() } = options
  const started = performance.now()
  const dueAt = await readDueAt(db, executionId, projectIds)
  const stored = await readStoredLayers(db, projectIds, executionId, failureTag, { givesWay })
  if (stored === null) return null
  const made = await madeOf(db, stored, executionId)
  const doubt = await doubtOf(db, stored, executionId, made?.childIds)
  const versions =
    stored.document?.persisted.state === 'read' ? versionsForm(stored.document.persisted.versions) : null
  const steps =
    stored.document?.persisted.state === 'read' ? stepRowsForm(stored.document.persisted.run.document) : null
  const forms = [
    ...(made === null ? [] : [made.form]),
    ...formsOf(stored, (await fetched?.(stored.projectId)) ?? [], doubt, [versions?.form, steps?.form]),
  ]
  const found = compareForms(forms)
  const compared: FormsCompared = {
    ...found,
    // Layers that agree say nothing of what was gone before the first of them.
    verdict: found.verdict === 'equal' && doubt !== null ? 'unknown' : found.verdict,
    // How a diagnosis was lost that nobody saw in a row is not known.
    transitions: found.transitions.map((one) => (one.form === 'made' ? { ...one, scalarOnly: [] } : one)),
  }
  const inputs = forms.flatMap(({ form, layers: own }) => own.map((layer) => ({ ...layer, form })))
  const layers = compared.layers.map(
    (layer, i): CheckedLayer => ({ ...layer, ...whyOf(inputs[i]!), ...digestOf(inputs[i]!) }),
  )
  const { projectId, version, changedParts } = stored
  const findings = findingsOf(compared, failed, doubt !== null)
  const millis = Math.round(performance.now() - started)
  const checkedAt = unstored
    ? new Date().toISOString()
    : await recordCheck(db, {
        projectId,
        executionId,
        version,
        dueAt,
        trigger,
        findings,
        layers,
        changedParts,
        failedControls: failed,
        millis,
      })
  return checkedAt === null
    ? null
    : {
        stored,
        compared,
        inputs,
        layers,
        versions: versions?.versions ?? [],
        stepIssues: steps?.issues ?? [],
        failedControls: failed,
        checkedAt,
      }
}

/** The layers between which something can differ: the source's documents where it writes any, and what is made of them. */
function formsOf(
  { document, layers }: StoredLayers,
  fetched: readonly LayerInput[],
  doubt: LayerReason | null,
  more: readonly (FormInput | undefined)[],
): FormInput[] {
  const record: FormInput = { form: 'record', layers }
  if (document === null) return [record]
  const { source, persisted } = document
  const inputOf = (layer: string, run: StoredRun): LayerInput => {
    if (run.state !== 'read') return { layer, text: null, state: run.state }
    const { document: text, unplaced } = run.run
    return {
      layer,
      text: exactJsonText(text),
      ...(unplaced > 0 && {
        complete: false,
        reason: { id: 'reply_without_row', params: {} },
      }),
    }
  }
  return [
    {
      form: 'document',
      layers: [
        { ...inputOf('source', source), ...(doubt !== null && { reason: doubt }) },
        ...fetched,
        inputOf('persisted', persisted),
      ],
      ways: documentWays(source.state === 'read' ? source.run.replies : new Set()),
    },
    ...more.filter((one) => one !== undefined),
    record,
  ]
}

/** Diagnoses that are known to have been made, against the rows of their agents. */
async function madeOf(
  db: Pick<Db, 'sql'>,
  { document, projectId }: StoredLayers,
  executionId: string,
): Promise<ReturnType<typeof madeForm>> {
  return document?.source.state !== 'read'
    ? null
    : madeForm(document.source.run, await listMadeDiagnoses(db, projectId, executionId))
}

/**
 * Why the layers of a run cannot be the whole truth though they agree: a diagnosis that may be of one of its agents is in no row, and nobody captured what
 * the worker replied. The source's own check cannot see that: both its sides come from the log.
 *
 * @param diagnosisRunIds runs of agents for which it is known and reported as a difference
 */
async function doubtOf(
  db: Pick<Db, 'sql'>,
  { document, projectId }: StoredLayers,
  executionId: string,
  diagnosisRunIds: ReadonlySet<string> = new Set(),
): Promise<LayerReason | null> {
  if (document?.source.state !== 'read' || document.source.run.replies.size > 0) return null
  const run = await readRunDiagnosis(db, [projectId], executionId)
  const lost =
    run?.holderId === executionId
      ? run.diagnoses.find(
          ({ elsewhere, childId }) =>
            elsewhere !== null && !(childId !== null && diagnosisRunIds.has(childId)),
        )
      : undefined
  const made = lost?.elsewhere ?? (await readUnclaimedDiagnosis(db, projectId, executionId))
  if (!made) return null
  return {
    id: 'diagnosis_not_saved',
    params: {
      by: made.externalId,
      agent: lost === undefined ? null : { step: lost.step },
      handle: lost?.state === 'handle_only',
    },
  }
}

/** When its next check is due, before anything is read: what is noted later is not answered by this check. */
async function readDueAt(
  db: Pick<Db, 'sql'>,
  executionId: string,
  projectIds: readonly string[],
): Promise<string | null> {
  const [row] = await db.sql<RowOf<'parity_standing', 'dueAt'>[]>`
    select due_at as "dueAt" from parity_standing where project_id = any (${projectIds as string[]}::uuid[]) and execution_id = ${executionId}`
  return row?.dueAt ?? null
}

const whyOf = ({ reason, why }: LayerInput): Pick<CheckedLayer, 'why' | 'rule' | 'params'> => ({
  why: reason === undefined ? (why ?? null) : textOf(LAYER_REASON_WORDS, reason),
  ...ruleOf(reason),
})

function digestOf({ text }: LayerInput): Pick<CheckedLayer, 'sha256' | 'bytes'> {
  if (text === null) return { sha256: null, bytes: null }
  const bytes = Buffer.from(text)
  return { sha256: sha256(bytes), bytes: bytes.length }
}
