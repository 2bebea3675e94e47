import { createHash } from 'node:crypto'
import { links } from '@/lib/links'
import { CliFailure } from '../exit-codes'
import { askForAnswer, askServer, type Client } from '../http'
import type { FixDetail } from '@/lib/model/fix'
import { fixText } from '@/lib/words/cli/fix'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export interface DownloadedFix {
  fix: FixDetail
  /** Exactly what was proposed. */
  bytes: Uint8Array
}

/** Fetches a fix and its bytes, and compares these with the digest that was stored when they came. */
export async function downloadFix(client: Client, id: string): Promise<DownloadedFix> {
  if (!UUID.test(id)) throw new CliFailure('usage', fixText.notAFixId({ id }))
  const fix = await askServer<FixDetail>(client, { method: 'GET', path: links.api.fix(id) })
  const { bytes } = await askForAnswer(client, {
    method: 'GET',
    path: links.api.ofFix(id, 'patch'),
    headers: { accept: 'application/octet-stream' },
    idleMs: 120_000,
  })
  const digest = createHash('sha256').update(bytes).digest('hex')
  if (digest !== fix.sha256)
    throw new CliFailure(
      'failed',
      fixText.digestMismatch({ bytes: bytes.length, digest, sha256: fix.sha256 }),
    )
  return { fix, bytes }
}
