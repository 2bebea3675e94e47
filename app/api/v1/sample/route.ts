import { actorOf, chooseProject } from '@/app/_server/access'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { json } from '@/app/_server/respond'
import { takeIn } from '@/app/_server/take-in'
import { listReceiptKeys } from '@/db/queries/receipt-keys'
import { addReceiptKey } from '@/db/sources/receipt-keys'
import type { IngestAnswer } from '@/lib/api/ingest-schemas'
import { SAMPLE_KEY_LABEL, sampleReceipts } from '@/lib/sample/receipts'
import { sampleFiles } from '@/lib/sample/sessions'
import { SAMPLE_SOURCE } from '@/lib/sample/source'

/** Loads the sample, which comes in by the same way as everything else; its key may begin its own chains only. Loading it again adds nothing. */
export const POST = defineRoute('/api/v1/sample', { action: 'load-sample' }, async ({ access, query }) => {
  const project = chooseProject(access, query.get('project'))
  const executions = new Map<string, IngestAnswer['executions'][number]>()
  let accepted = 0
  let duplicates = 0
  const { key, chains } = await sampleReceipts()
  for (const { chainId } of chains) {
    const known = await listReceiptKeys(db(), [project.id], chainId)
    if (!known.some(({ fingerprint, chainId: of }) => fingerprint === key.fingerprint && of === chainId))
      await addReceiptKey(db(), {
        projectId: project.id,
        key,
        label: SAMPLE_KEY_LABEL,
        chainId,
        isCurrent: false,
        addedBy: null,
        actor: actorOf(access),
      })
  }
  const files = [
    ...sampleFiles(),
    ...chains.map(({ text }) => ({ kind: 'receipts' as const, fileName: null, text })),
  ]
  // Bodies of one kind that wait together share a transaction; one kind after the other, so that the last answer about an execution is the final one.
  for (const kind of new Set(files.map((file) => file.kind))) {
    const take = async ({ fileName, text }: (typeof files)[number]): Promise<void> => {
      const answer = await takeIn(db(), {
        projectId: project.id,
        sourceName: SAMPLE_SOURCE,
        kind,
        bytes: new TextEncoder().encode(text),
        fileName,
      })
      accepted += answer.accepted
      duplicates += answer.duplicates
      for (const execution of answer.executions) executions.set(execution.id, execution)
    }
    await Promise.all(files.filter((file) => file.kind === kind).map(take))
  }
  return json({ accepted, duplicates, executions: [...executions.values()] })
})
