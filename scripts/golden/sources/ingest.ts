import { formatName } from '@/lib/words/detection'
import type { Db } from '@/db/client'
import { ingestBody } from '@/db/writes/ingest'
import { ensureProject } from '@/db/projects'
import { detectFormat } from '@/lib/formats/detect'
import { createSha256 } from '@/lib/bytes/sha256'
import { slug } from '../codes'
import { addChecks, addFixes } from '../read-checks'
import { readProject } from '../read-project'
import { verifyStoredChains } from '../read-receipts'
import type { Conclusions, InputRow } from '../product-rows'
import type { IngestKind } from '@/lib/model/ingest-kinds'

/** A body as a client would send it. */
export interface Body {
  /** What it is called in the record. */
  name: string
  /** Path that it is sent under; null: none. */
  fileName: string | null
  bytes: Uint8Array
  /** As what it is sent; unset: found out from the bytes, as the importer does. */
  kind?: IngestKind
}

export interface IngestOptions {
  /**
   * Compares the layers of each execution and reads diagnoses. Reads all kept bytes again, so not for large
   * sources.
   */
  checks?: boolean
  before?: (db: Db, projectId: string) => Promise<void>
  after?: (db: Db, projectId: string) => Promise<void>
}

const HEAD_BYTES = 64 * 1024

/** Takes bodies into a project of their own by the product's way in, and reads back what it concluded. */
export async function concludeBodies(
  db: Db,
  name: string,
  bodies: readonly Body[],
  options: IngestOptions = {},
): Promise<Conclusions> {
  const { id: projectId } = await ensureProject(db.sql, { slug: name, name })
  await options.before?.(db, projectId)
  const inputs: InputRow[] = []
  for (const body of bodies) inputs.push(await takeIn(db, projectId, body))
  await options.after?.(db, projectId)
  const storedChains = await verifyStoredChains(db, projectId)
  const found = await readProject(db.sql, projectId)
  found.input.push(...inputs)
  found.storedChain.push(...storedChains)
  await addFixes(db, projectId, found)
  if (options.checks) await addChecks(db, projectId, found)
  return found
}

async function takeIn(db: Db, projectId: string, { name, fileName, bytes, kind }: Body): Promise<InputRow> {
  const input = { name, accepted: null, duplicates: null, sha256: sha256(bytes) }
  const detected =
    kind === undefined
      ? detectFormat({ head: bytes.subarray(0, HEAD_BYTES), fileName })
      : { status: 'supported' as const, kind }
  if (detected.status === 'recognised')
    return { ...input, format: `unsupported:${slug(formatName(detected.why))}` }
  if (detected.status !== 'supported') return { ...input, format: detected.status }
  const { accepted, duplicates } = await ingestBody(db, {
    projectId,
    source: null,
    kind: detected.kind,
    bytes,
    fileName,
  })
  return { ...input, format: detected.kind, accepted, duplicates }
}

function sha256(bytes: Uint8Array): string {
  const hash = createSha256()
  hash.update(bytes)
  return hash.hex()
}
