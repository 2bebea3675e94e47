import type { StoredProposal } from '@/lib/fixes/proposal'
import { readFix, type FixReading } from '@/lib/fixes/read-fix'
import type { ByteRange } from '@/lib/patches/patch'
import type { Db } from '../client'

interface Proposed {
  projectId: string
  executionId: string
  bytes: Uint8Array
  proposal: Pick<StoredProposal, 'inputs'>
  /** Ranges of the patch that are known to be secret from elsewhere. */
  secrets?: readonly ByteRange[]
}

/** What rules find in a patch that is proposed for this execution. */
export const readProposed = async (db: Pick<Db, 'sql'>, { projectId, executionId, bytes, proposal, secrets }: Proposed): Promise<FixReading> =>
  readFix(bytes, { text: await failureText(db, projectId, executionId), inputs: proposal.inputs }, secrets)

/** What the execution says of its failure: names of the check that failed stand in it. */
async function failureText(db: Pick<Db, 'sql'>, projectId: string, executionId: string): Promise<string | null> {
  const [row] = await db.sql<{ text: string | null }[]>`
    select concat_ws(E'\n', e.cause_text, (select string_agg(concat_ws(E'\n', a.target, a.error_text), E'\n' order by a.ordinal)
      from (select ordinal, target, error_text from attempts where project_id = e.project_id and execution_id = e.id and state = 'failed' order by ordinal limit ${FAILURES_READ_MAX}) a)) as text
    from executions e where e.project_id = ${projectId} and e.id = ${executionId}`
  return row?.text || null
}

const FAILURES_READ_MAX = 200
