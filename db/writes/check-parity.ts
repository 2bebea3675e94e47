import { compareLayers, type LayersCompared } from '@/lib/parity/compare-layers'
import { failedControls } from '@/lib/parity/controls'
import type { LayerInput } from '@/lib/parity/layers'
import { findingsOf, type CheckedLayer, type CheckTrigger } from '@/lib/parity/stored-check'
import type { Db } from '../client'
import { recordCheck } from './record-check'
import { readStoredLayers, type StoredLayers } from './rederive'
import { sha256 } from './store-records'

export interface CheckOptions {
  trigger: CheckTrigger
  failureTag?: string
  /** Nobody waits for it: see `readStoredLayers`. */
  givesWay?: AbortSignal
  /** Those of this process, when left out. */
  failed?: readonly string[]
}

export interface CheckDone {
  stored: StoredLayers
  compared: LayersCompared
  /** In the order of the layers, with the digests of what was compared. */
  layers: CheckedLayer[]
  failedControls: readonly string[]
  checkedAt: string
}

/**
 * Compares the layers of an execution and stores what was found: the one way, whether somebody asks or its turn has come. Null when there is no
 * such execution.
 *
 * @throws InTheWay when it gave way
 */
export async function checkParity(db: Pick<Db, 'sql'>, projectIds: readonly string[], executionId: string, options: CheckOptions): Promise<CheckDone | null> {
  const { trigger, failureTag, givesWay, failed = failedControls() } = options
  const started = performance.now()
  const stored = await readStoredLayers(db, projectIds, executionId, failureTag, { givesWay })
  if (stored === null) return null
  const compared = compareLayers(stored.layers)
  const layers = compared.layers.map((layer, i): CheckedLayer => ({ ...layer, ...digestOf(stored.layers[i]!) }))
  const { projectId, version, changedParts } = stored
  const findings = findingsOf(compared, failed)
  const millis = Math.round(performance.now() - started)
  const checkedAt = await recordCheck(db, { projectId, executionId, version, trigger, findings, layers, changedParts, failedControls: failed, millis })
  return checkedAt === null ? null : { stored, compared, layers, failedControls: failed, checkedAt }
}

function digestOf({ text }: LayerInput): Pick<CheckedLayer, 'sha256' | 'bytes'> {
  if (text === null) return { sha256: null, bytes: null }
  const bytes = Buffer.from(text)
  return { sha256: sha256(bytes), bytes: bytes.length }
}
