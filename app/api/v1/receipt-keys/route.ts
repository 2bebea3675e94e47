import { actorOf, chooseProject, projectIds } from '@/app/_server/access'
import { readJson } from '@/app/_server/body'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { json, Refusal } from '@/app/_server/respond'
import { listReceiptKeys } from '@/db/queries/receipt-keys'
import { addReceiptKey } from '@/db/sources/receipt-keys'
import { newReceiptKey } from '@/lib/api/receipt-schemas'
import { parsePublicKey } from '@/lib/judge/receipts/keys'
import { requestText } from '@/lib/words/server/requests'

export const GET = defineRoute('/api/v1/receipt-keys', { action: 'read' }, async ({ access, query }) =>
  json({ items: await listReceiptKeys(db(), projectIds(access, query.get('project'))), nextCursor: null }),
)

/** Registers a public key. One that cannot be read is the sender's error, and says nothing about any chain. */
export const POST = defineRoute(
  '/api/v1/receipt-keys',
  { action: 'manage-keys' },
  async ({ request, access }) => {
    const {
      project: slug,
      key: text,
      label,
      chainId = null,
      isCurrent = false,
    } = await readJson(request, newReceiptKey)
    const project = chooseProject(access, slug)
    const key = parsePublicKey(text)
    if (key === null) throw new Refusal('bad-request', requestText.notEd25519)
    const addedBy = access.actor.kind === 'person' ? access.actor.id : null
    const id = await addReceiptKey(db(), {
      projectId: project.id,
      key,
      label,
      chainId,
      isCurrent,
      addedBy,
      actor: actorOf(access),
    })
    const item = (await listReceiptKeys(db(), [project.id])).find((row) => row.id === id)!
    return json(item, { status: 201 })
  },
)
