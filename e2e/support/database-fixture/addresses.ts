import { PROBLEMS } from '@/lib/problem'
import { EXECUTION_VIEWS, links } from '@/lib/links'
import { NOT_SEEDED } from './few-seeded'
import type { Json, Probe, Reading } from './probe'
import { visit } from './site'

const UNKNOWN = '0199a000-0000-7000-8000-000000000000'

/** Addresses that people have kept: where each leads, or with which status and title it opens. */
export async function listAddresses({ sql, access }: Reading): Promise<Probe[]> {
  const cookie = access.cookies.admin!
  const texts = async (query: string): Promise<string[]> =>
    (await sql.unsafe<{ text: string }[]>(query)).map(({ text }) => text)
  const executions = await texts(`select id::text as text from executions where ${NOT_SEEDED} order by id`)
  const fixes = await texts('select id::text as text from fixes order by id')
  const chains = await texts('select distinct chain_id as text from receipts order by 1')
  // Every kind of id that `/x/` finds: executions and sessions, calls, records, receipts and their hashes,
  // chains and kept parts.
  const ids = await texts(`
    select external_id as text from execution_keys where ${NOT_SEEDED} union select chain_id from receipts
    union (select distinct call_id from calls where call_id not like 'call-%' order by 1 limit 40) union (select receipt_id from receipts order by 1 limit 10)
    union (select receipt_hash from receipts order by 1 limit 10) union (select sha256 from received order by 1 limit 10)
    union (select distinct identity from events where identity like '%-%' order by 1 limit 20) order by 1`)
  const runs = await sql<
    { provider: string; path: string; run: string; attempt: number | null }[]
  >`select distinct provider, path, run, attempt from ci_runs order by 1, 2, 3, 4`
  const first = executions[0] ?? UNKNOWN
  const addresses = [
    ...executions.filter((_, i) => i % 3 === 0).map((id) => links.execution(id)),
    links.decided(first),
    ...EXECUTION_VIEWS.map((view) => links.execution(first, view)),
    links.execution(UNKNOWN),
    ...fixes.map((id) => links.fix(id)),
    links.fix(UNKNOWN),
    ...chains.map((id) => links.chain(id)),
    links.chain('unknown/chain'),
    ...ids.filter((id) => id !== null).map((id) => links.anyId(id)),
    ...executions.slice(-20).map((id) => links.anyId(id)),
    links.anyId(UNKNOWN),
    `${links.anyId(first)}?view=diagnosis`,
    links.anyId(first.slice(0, 13)),
    ...runs.flatMap(({ provider, path, run, attempt }) => [
      links.ciRun(provider, path, run),
      links.ciRun(provider, path, run, attempt),
      links.ciRun(provider, path, run, null, { view: 'list' }),
    ]),
    links.ciRun('github', 'nobody/nothing', '1'),
    links.home(),
    links.executions(),
    links.executions('outcome=failed'),
    links.policies(),
    links.parity({ window: 'all' }),
    links.fixes(),
    links.fixes({ state: 'approved' }),
    ...(['sources', 'keys', 'people'] as const).map((page) => links.settings(page)),
    links.signIn(),
    ...Object.keys(PROBLEMS).map((slug) => links.problem(slug)),
    '/healthz',
    '/readyz',
    '/nowhere/at/all',
  ]
  const probe = (key: string, address: string, how: { cookie?: string }): Probe => ({
    key,
    read: () => readAddress(address, how),
  })
  return [
    ...[...new Set(addresses)].map((address) => probe(`address ${address}`, address, { cookie })),
    ...[links.execution(first), links.fixes(), links.anyId(first)].map((address) =>
      probe(`address signed out ${address}`, address, {}),
    ),
  ]
}

/** A title names what was opened; those of other pages are words of this version only. */
async function readAddress(address: string, how: { cookie?: string }): Promise<Json> {
  const { title, ...answer } = await visit(address, how)
  return { ...answer, ...(/^\/(executions|fixes)\/./.test(address) && title !== undefined ? { title } : {}) }
}
