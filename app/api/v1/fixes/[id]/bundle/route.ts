import { createHash } from 'node:crypto'
import { actorOf, projectIds } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { checkBytes, fixParam, fixReader } from '@/app/_server/fix-access'
import { fixBundle } from '@/app/_server/fix-bundle'
import { disposition, wholePatch } from '@/app/_server/patch-response'
import { Refusal } from '@/app/_server/respond'
import { listFixComments, readFix } from '@/db/queries/fix'
import { readReceivedRange } from '@/db/queries/received'
import { downloadName } from '@/lib/fixes/download-name'

/** Patch, transcript, digests and provenance as one archive. */
export const GET = defineRoute<{ action: 'read' }, { id: string }>({ action: 'read' }, async ({ params, access }) => {
  const about = await fixParam(access, params.id)
  checkBytes(access, about)
  const [fix, comments, patch, transcript] = await Promise.all([
    readFix(db(), { projectIds: projectIds(access), id: about.id, reader: fixReader(access) }),
    listFixComments(db(), about.projectId, about.id, actorOf(access)),
    wholePatch(about),
    about.transcriptSha256 === null ? null : readReceivedRange(db(), [about.projectId], about.transcriptSha256),
  ])
  if (fix === null) throw new Refusal('not-found')
  const bytes = fixBundle({ fix, comments, patch, patchName: downloadName(about), transcript: transcript?.bytes ?? null })
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      'content-type': 'application/zip', 'content-length': String(bytes.length), 'content-disposition': disposition(downloadName(about, '.zip')),
      'x-content-type-options': 'nosniff', 'content-security-policy': "default-src 'none'; sandbox",
      // Reviews and comments are in it, so it is another one tomorrow.
      'cache-control': 'private, no-store', etag: `"${createHash('sha256').update(bytes).digest('hex')}"`,
    },
  })
})
