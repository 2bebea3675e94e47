import { projectIds } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { readCorrectionLabels } from '@/db/queries/correction-labels'
import { labelLine } from '@/lib/views/corrections/label-line'

/** What people said, in the format of labelled sessions. People write corrections one by one, so all of them fit in one answer. */
export const GET = defineRoute(
  '/api/v1/cause-corrections/export',
  { action: 'read' },
  async ({ access, query }) => {
    const lines: string[] = []
    for await (const page of readCorrectionLabels(db(), projectIds(access, query.get('project'))))
      for (const correction of page) lines.push(`${labelLine(correction)}\n`)
    return new Response(lines.join(''), {
      headers: {
        'content-type': 'application/x-ndjson; charset=utf-8',
        'content-disposition': 'attachment; filename="cause-corrections.jsonl"',
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      },
    })
  },
)
