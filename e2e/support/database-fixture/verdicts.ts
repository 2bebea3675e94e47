import { verifyAuditLog } from '@/db/audit'
import { links } from '@/lib/links'
import { type Document, list, part, pick } from './documents'
import { NOT_SEEDED } from './few-seeded'
import { listLists, readSealed } from './lists'
import type { Json, Probe, Reading } from './probe'
import { ask, askJson } from './site'

/**
 * What an execution is known to be, in the names of the API. Sentences are left out: they are rewritten more
 * often than verdicts change.
 */
const EXECUTION = [
  'externalId',
  'project',
  'outcome',
  'outcomeBasis',
  'outcomeRule',
  'failedAt',
  'parentId',
  'counts',
  'odd',
  'redactions',
  'receipts',
  'placeInChain',
  'ciRuns',
  'labels',
  'startedAt',
  'endedAt',
]
const CALL = [
  'ordinal',
  'callId',
  'tool',
  'state',
  'failureClass',
  'exitCode',
  'chain',
  'numberInChain',
  'linkRule',
  'linkBasis',
  'childId',
]
const DECISION = [
  'basis',
  'policy',
  'contentState',
  'outcome',
  'retryReason',
  'subtype',
  'rule',
  'missing',
  'differs',
  'inputRedacted',
]
const FIX = [
  'executionId',
  'task',
  'ordinal',
  'origin',
  'state',
  'version',
  'sha256',
  'size',
  'verdict',
  'supersedes',
  'supersededBy',
  'downloadName',
  'comments',
  'notEnabled',
]
const READING = [
  'verdict',
  'files',
  'additions',
  'deletions',
  'hunks',
  'safe',
  'blocking',
  'warnings',
  'signals',
]

/** Reads what the product concludes, through the handlers that its screens ask. */
export async function listVerdicts({ sql, access }: Reading): Promise<Probe[]> {
  const cookie = access.cookies.admin!
  const get = (address: string): Promise<Document> => askJson<Document>(address, { cookie })
  const ids = async (text: string): Promise<string[]> =>
    (await sql.unsafe<{ id: string }[]>(text)).map(({ id }) => id)
  const [executions, checks, chains, fixes, projects] = await Promise.all([
    ids(`select id from executions where ${NOT_SEEDED} order by id`),
    ids('select id from parity_checks order by id'),
    ids('select distinct chain_id as id from receipts order by 1'),
    ids('select id from fixes order by id'),
    ids('select id from projects order by id'),
  ])
  return [
    ...executions.map((id) => ({
      key: `verdict execution ${id}`,
      read: () => readExecution(get, cookie, id),
    })),
    ...checks.map((id) => ({ key: `verdict parity-check ${id}`, read: () => readCheck(sql, id) })),
    ...chains.map((id) => ({ key: `verdict chain ${id}`, read: () => readChain(sql, get, id) })),
    ...fixes.map((id) => ({ key: `verdict fix ${id}`, read: () => readFix(get, id) })),
    ...projects.map((id) => ({
      key: `verdict audit-log ${id}`,
      read: async () => ({ ...(await verifyAuditLog(sql, id)) }) as Json,
    })),
    { key: 'verdict sealed connections', read: () => readSealed(sql) },
    ...listLists(get, access),
  ]
}

async function readExecution(
  get: (address: string) => Promise<Document>,
  cookie: string,
  id: string,
): Promise<Json> {
  const [execution, chains, receiptChains, diagnosis] = await Promise.all(
    [
      links.api.execution(id),
      links.api.chains(id),
      links.api.executionReceiptChains(id),
      links.api.diagnosis(id),
    ].map(get),
  )
  const decision = await ask(links.api.decision(id), { cookie })
  const calls: Document[] = []
  for (let cursor: string | null = null; ; ) {
    const page: Document = await get(links.api.calls(id, { cursor }))
    calls.push(...list(page.items))
    cursor = page.nextCursor as string | null
    if (cursor === null) break
  }
  const { cause, advice, parity } = execution!
  return {
    ...pick(execution!, EXECUTION),
    cause: part(cause, ['category', 'pointer']),
    retry: part(advice, ['retry']),
    parity: part(parity, ['verdict', 'worst', 'lostFrom']),
    calls: calls.map((call) => Object.values(pick(call, CALL))),
    decision: decision.ok ? pick((await decision.json()) as Document, DECISION) : decision.status,
    chains: list(chains!.items).map((chain) => [
      chain.id!,
      chain.name!,
      chain.rule!,
      chain.basis!,
      ...list(chain.attempts).map((one) => [one.attempt ?? null, one.id!]),
    ]),
    receiptChains: list(receiptChains!.items).map(({ id: chain }) => chain!),
    diagnosis: {
      state: diagnosis!.state!,
      diagnoses: list(diagnosis!.diagnoses).map((one) => pick(one, ['step', 'childId', 'eventId'])),
    },
  }
}

/** Stored checks have no handler of their own: their differences are kinds, severities and places. */
async function readCheck(sql: Reading['sql'], id: string): Promise<Json> {
  const [row] = await sql<Document[]>`
    select execution_id, trigger, verdict, worst, lost_from, lost_to, differences_total, is_whole, failed_controls, changed_parts,
      (select coalesce(jsonb_agg(jsonb_build_array(d -> 'from', d -> 'to', d -> 'kind', d -> 'severity', d -> 'path') order by o), '[]')
        from jsonb_array_elements(differences) with ordinality t(d, o)) as differences
    from parity_checks where id = ${id}`
  return row!
}

async function readChain(
  sql: Reading['sql'],
  get: (address: string) => Promise<Document>,
  id: string,
): Promise<Json> {
  const [chain, verdict, receipts] = await Promise.all(
    [links.api.receiptChain(id), links.api.receiptVerdict(id), links.api.receipts(id)].map(get),
  )
  const stored = await sql<Document[]>`
    select state, reason, bad_place::text, bad_sequence, bad_receipt_id, receipts from chain_verdicts where chain_id = ${id} order by project_id`
  return {
    ...pick(chain!, ['project', 'receipts', 'failures', 'rivals', 'sessions', 'delegation', 'delegated']),
    verdict: verdict!,
    stored: stored.map((row) => ({ ...row })),
    keys: list(chain!.keys).map((key) => pick(key, ['fingerprint', 'label', 'chainId', 'isCurrent'])),
    list: list(receipts!.items).map((one) => pick(one, ['id', 'sequence', 'status', 'text'])),
  }
}

async function readFix(get: (address: string) => Promise<Document>, id: string): Promise<Json> {
  const [fix, comments, fit, viewed] = await Promise.all(
    [
      links.api.fix(id),
      links.api.ofFix(id, 'comments'),
      links.api.ofFix(id, 'fit'),
      links.api.ofFix(id, 'viewed'),
    ].map(get),
  )
  return {
    ...pick(fix!, FIX),
    reading: part(fix!.reading, READING),
    flags: list(fix!.flags).map((flag) => pick(flag, ['family', 'code', 'weight', 'file', 'lines'])),
    files: list(fix!.files).map((file) => pick(file, ['status', 'name', 'sha256', 'additions', 'deletions'])),
    reviews: list(fix!.reviews).map((review) =>
      pick(review, ['version', 'from', 'to', 'by', 'comment', 'ownsKey']),
    ),
    lateReviews: list(fix!.lateReviews).map((review) => pick(review, ['to', 'by'])),
    versions: list(fix!.versions).map((version) => pick(version, ['id', 'ordinal', 'state'])),
    said: list(comments!.items).map((comment) =>
      pick(comment, ['id', 'kind', 'text', 'by', 'path', 'side', 'lineStart', 'lineEnd']),
    ),
    fit: pick(fit!, ['standing', 'outcome', 'sha256', 'repository', 'branch', 'base', 'head']),
    viewed: viewed!.viewed!,
  }
}
