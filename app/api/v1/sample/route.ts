import { chooseProject } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { json } from '@/app/_server/respond'
import { takeIn } from '@/app/_server/take-in'
import type { IngestAnswer } from '@/lib/api/schemas'
import { sampleFiles } from '@/lib/sample/sessions'

/** Loads the sample, which comes in by the same way as everything else. Loading it again adds nothing. */
export const POST = defineRoute({ action: 'load-sample' }, async ({ access, query }) => {
  const project = chooseProject(access, query.get('project'))
  const executions = new Map<string, IngestAnswer['executions'][number]>()
  let accepted = 0
  let duplicates = 0
  for (const { fileName, text } of sampleFiles()) {
    const answer = await takeIn(db(), {
      projectId: project.id,
      sourceName: 'sample',
      kind: 'claude-transcript',
      bytes: new TextEncoder().encode(text),
      fileName,
    })
    accepted += answer.accepted
    duplicates += answer.duplicates
    for (const execution of answer.executions) executions.set(execution.id, execution)
  }
  return json({ accepted, duplicates, executions: [...executions.values()] })
})
