import { chooseProject } from '@/app/_server/access'
import { readBody } from '@/app/_server/body'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { textHeader } from '@/app/_server/ingest-headers'
import { json, Refusal } from '@/app/_server/respond'
import { takeIn } from '@/app/_server/take-in'
import { limits } from '@/lib/limits'
import { checkPushed } from '@/lib/judge/receipts/pushed'
import { textOf } from '@/lib/words/catalogue'
import { PUSH_FAULT_WORDS } from '@/lib/words/receipts'
import { bodyText } from '@/lib/words/server/bodies'

const UNFIT: ReadonlySet<string> = new Set(['too-large', 'bad-encoding', 'ratio-exceeded', 'bad-request'])
const MIB = limits.receiptBodyBytesMax / 1024 / 1024

/**
 * One receipt, as senders of the reference's collector push it (receipts §6.3): they need only another address, and a token. 409 means
 * delivered to them. A signature is never looked at here, and a rival with a position already taken is kept beside the other one.
 */
export const POST = defineRoute('/receipts', { action: 'ingest' }, async ({ request, access, query }) => {
  const project = chooseProject(access, query.get('project'))
  const bytes = await readBody(request, { max: limits.receiptBodyBytesMax }).catch((error: unknown) => {
    // Whatever is wrong with a body is a 400 in that protocol: the one answer that its senders never repeat.
    if (error instanceof Refusal && UNFIT.has(error.slug)) return error
    throw error
  })
  if (bytes instanceof Refusal)
    return json(
      {
        error:
          bytes.slug === 'too-large'
            ? bodyText.receiptsTooLarge({ mib: MIB })
            : bodyText.receiptsUnreadable({ detail: bytes.detail }),
      },
      { status: 400 },
    )
  const checked = checkPushed(bytes)
  if ('fault' in checked) return json({ error: textOf(PUSH_FAULT_WORDS, checked.fault) }, { status: 400 })
  const { id, hash } = checked
  const { duplicates, conflicts = [] } = await takeIn(db(), {
    projectId: project.id,
    sourceName: textHeader(request, 'inquest-source', 120),
    kind: 'receipts',
    bytes,
  })
  if (duplicates > 0) return json({ error: bodyText.receiptKnown }, { status: 409 })
  if (conflicts.some(({ over }) => over === 'id'))
    return json({ error: bodyText.receiptConflict }, { status: 409 })
  return json({ id, receipt_hash: hash }, { status: 201 })
})
