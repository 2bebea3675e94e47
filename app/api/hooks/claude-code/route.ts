import { chooseProject } from '@/app/_server/access'
import { readBody } from '@/app/_server/body'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { textHeader } from '@/app/_server/ingest-headers'
import { json } from '@/app/_server/respond'
import { takeIn } from '@/app/_server/take-in'
import { limits } from '@/lib/limits'

/** One hook frame. The answer is a hook's: an empty object decides nothing, so the agent continues as if nobody had listened. */
export const POST = defineRoute(
  '/api/hooks/claude-code',
  { action: 'ingest' },
  async ({ request, access, query }) => {
    const project = chooseProject(access, query.get('project'))
    const bytes = await readBody(request, { max: limits.hookBodyBytesMax })
    await takeIn(db(), {
      projectId: project.id,
      sourceName: textHeader(request, 'inquest-source', 120),
      kind: 'claude-hook',
      bytes,
    })
    return json({})
  },
)
