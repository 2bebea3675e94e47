import type { KnownOfChains } from '@/lib/judge/receipts/silence'
import { UNPROVEN_STATES, type UnprovenState } from '@/lib/model/chain-reasons'
import type { Db, Tx } from '../../client'
import { enqueueAnalysis } from '../../queue/enqueue'
import { verifyReceipts } from '../../queries/verify-receipts'
import type { RowOf } from '../../schema/rows'

type FoundRow = RowOf<'chain_verdicts', 'chain_id' | 'state' | 'bad_receipt_id' | 'bad_sequence'> & {
  reason: NonNullable<RowOf<'chain_verdicts', 'reason'>['reason']>
  first_id: string | null
  first_sequence: number | null
}

/** Chains of the execution that break at one of its receipts or before, or are not proven, as the server last found them. */
export async function readVerdicts(
  tx: Tx,
  projectId: string,
  executionId: string,
): Promise<Required<Pick<KnownOfChains, 'breaks' | 'unproven'>>> {
  const rows = await tx<FoundRow[]>`
    select v.chain_id, v.reason, v.state, v.bad_receipt_id, v.bad_sequence, f.receipt_id as first_id, f.sequence as first_sequence
    from (select chain_id, min(place) as first, max(place) as last from receipts where project_id = ${projectId} and execution_id = ${executionId} group by 1) r
    join chain_verdicts v on v.project_id = ${projectId} and v.chain_id = r.chain_id and (v.bad_place <= r.last or v.state = any (${[...UNPROVEN_STATES]}::text[]))
    cross join lateral (
      select receipt_id, sequence from receipts where project_id = ${projectId} and chain_id = r.chain_id and place = r.first and execution_id = ${executionId} order by digest limit 1) f
    order by v.chain_id`
  return {
    breaks: rows.flatMap((row) =>
      isUnproven(row.state)
        ? []
        : [
            {
              reason: row.reason,
              at: { id: row.bad_receipt_id, chainId: row.chain_id, sequence: row.bad_sequence },
            },
          ],
    ),
    unproven: rows.flatMap((row) =>
      isUnproven(row.state)
        ? [
            {
              reason: row.state,
              at: { id: row.first_id, chainId: row.chain_id, sequence: row.first_sequence },
            },
          ]
        : [],
    ),
  }
}

const isUnproven = (state: string): state is UnprovenState =>
  (UNPROVEN_STATES as readonly string[]).includes(state)

/** What executions store of a verdict. */
type VerdictRow = RowOf<'chain_verdicts', 'state' | 'reason' | 'bad_receipt_id'> & {
  bad_place: string | null
}

/** In front of every number. */
const FIRST_PLACE = '-9223372036854775808'

/**
 * Verifies a chain from its received bytes and notes what was found. Executions for which that changes something are left to be
 * analysed again; until then they say what they said.
 *
 * @returns how many executions that are
 */
export async function renewVerdict(db: Db, projectId: string, chainId: string): Promise<number> {
  const started = performance.now()
  const verdict = await verifyReceipts(db, [projectId], chainId)
  if (verdict === null) return 0
  const millis = Math.round(performance.now() - started)
  return db.sql.begin(async (tx) => {
    const bad =
      verdict.state === 'broken' ? await readPlace(tx, projectId, chainId, verdict.firstBadIndex) : undefined
    const [before] = await tx<VerdictRow[]>`
      select state, reason, bad_place::text as bad_place, bad_receipt_id from chain_verdicts where project_id = ${projectId} and chain_id = ${chainId} for update`
    const now: VerdictRow = {
      state: verdict.state,
      // The API carries reasons as text.
      reason: verdict.reason as VerdictRow['reason'],
      bad_place: bad?.place ?? null,
      bad_receipt_id: bad?.receipt_id ?? null,
    }
    await tx`
      insert into chain_verdicts (project_id, chain_id, state, reason, bad_place, bad_sequence, bad_receipt_id, receipts, millis)
      values (${projectId}, ${chainId}, ${now.state}, ${now.reason}, ${now.bad_place}, ${bad?.sequence ?? null}, ${now.bad_receipt_id}, ${verdict.receipts}, ${millis})
      on conflict (project_id, chain_id) do update set state = excluded.state, reason = excluded.reason, bad_place = excluded.bad_place,
        bad_sequence = excluded.bad_sequence, bad_receipt_id = excluded.bad_receipt_id, receipts = excluded.receipts, millis = excluded.millis, checked_at = now()`
    const from = [before, now].flatMap((row) =>
      row && isUnproven(row.state) ? [FIRST_PLACE] : (row?.bad_place ?? []),
    )
    if (from.length === 0) return 0
    const changed = await tx`
      update executions set dirty = true where project_id = ${projectId} and id in (
        select execution_id from receipts where project_id = ${projectId} and chain_id = ${chainId} and place >= any (${from}::bigint[]))
        -- One that came while the chain was verified was analysed without what is known now.
        ${before && isSameVerdict(before, now) ? tx`and not coalesce(silence->'counts' ?| array['broken', 'unproven'], false)` : tx``} returning id`
    if (changed.length > 0) await enqueueAnalysis(tx, `chain ${chainId}`)
    return changed.length
  })
}

const isSameVerdict = (a: VerdictRow, b: VerdictRow): boolean =>
  a.state === b.state &&
  a.bad_place === b.bad_place &&
  (a.bad_place === null || (a.reason === b.reason && a.bad_receipt_id === b.bad_receipt_id))

/** The receipt at an index of its chain, in the order in which chains are read. Of a break at the end of the chain, the last one. */
async function readPlace(
  tx: Tx,
  projectId: string,
  chainId: string,
  index: number,
): Promise<{ place: string; sequence: number | null; receipt_id: string | null } | undefined> {
  const rows = await tx<
    (RowOf<'receipts', 'sequence' | 'receipt_id'> & {
      place: string
    })[]
  >`
    select r.place::text as place, sequence, receipt_id from receipts r where project_id = ${projectId} and chain_id = ${chainId}
    order by r.place, digest, stream_id offset ${Math.max(0, index)} limit 1`
  return rows[0]
}
