import { createHash } from 'node:crypto'
import { chooseProject } from '@/app/_server/access'
import { readBody } from '@/app/_server/body'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { idempotently } from '@/app/_server/idempotent'
import { readIngestHeaders } from '@/app/_server/ingest-headers'
import { chosenKind, namedKind } from '@/app/_server/ingest-kind'
import { takeIn } from '@/app/_server/take-in'
import type { IngestKind } from '@/lib/model/ingest-kinds'

/** Raw bytes in; the kind in the address says how to read them, `auto` finds out. */
export const POST = defineRoute<{ action: 'ingest' }, { kind: string }>(
  '/api/v1/ingest/{kind}',
  { action: 'ingest' },
  async ({ request, params, access, query }) => {
    const named = namedKind(params.kind)
    const project = chooseProject(access, query.get('project'))
    const { sourceName, fileName, streamId, offset, more, idempotencyKey } = readIngestHeaders(request)
    let kind: IngestKind | undefined
    const bytes = await readBody(request, {
      // What cannot be taken in is refused by its beginning, before the rest is inflated.
      onHead: (head) => void (kind = chosenKind(named, head, fileName, offset)),
    })
    const digest = idempotencyKey === null ? '' : createHash('sha256').update(bytes).digest('hex')
    return idempotently(
      {
        access,
        projectId: project.id,
        key: idempotencyKey,
        request: ['ingest', named, sourceName, fileName, streamId, offset, more, digest],
      },
      () =>
        takeIn(db(), {
          projectId: project.id,
          sourceName,
          kind: kind!,
          bytes,
          fileName,
          streamId,
          offset: offset ?? 0,
          more,
        }),
    )
  },
)
