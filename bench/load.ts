import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import path from 'node:path'
import { openDb } from '@/db/client'
import { ensureProject } from '@/db/projects'
import { links } from '@/lib/links'
import { buildCli } from '../scripts/build-cli.mjs'
import type { Job } from './load/closed-loop'
import { startGenerator } from './load/generator'
import { judge, MEMORY_BUDGET_MB, type Rounds, rowsOf, type Target, TARGETS } from './load/judge'
import { startMinimalApp } from './load/minimal-app'
import { recordReads } from './load/record-reads'
import { pickExecutions, seedFailures } from './load/seed'
import { startBenchServer } from './support/database'
import { databaseCpuMs } from './support/database-cpu'
import { processCpuMs } from './support/process-cpu'
import { memoryMb, type Product, startProduct } from './support/product'
import { Random } from './support/random'
import type { Bench, BenchContext, Cell } from './support/result'
import { signIn } from './support/sign-in'
import { round } from './support/stats'

const SEED = 1616
const CONNECTIONS = 16

/** An API key that may read one project, made as a person makes it. */
async function makeKey({ url, token }: Product): Promise<string> {
  const answer = await fetch(url + links.api.keys(), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench load', scopes: ['read'] }),
  })
  if (!answer.ok) throw new Error(`no key was made: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { key: string }).key
}

type Asked = Pick<Job, 'origin' | 'paths' | 'headers'> & { pid: number }

/** Asks each path of each target once, so that a refusal or a page for signing in is not measured as an answer. */
async function checkTargets(targets: Record<Target, Asked>): Promise<void> {
  for (const target of TARGETS) {
    const { origin, paths, headers } = targets[target]
    const answer = await fetch(origin + paths[0]!, { headers, redirect: 'manual' })
    const text = await answer.text()
    const holds = target.includes('API') || target.includes('route') ? '"' : '</html>'
    if (answer.status !== 200 || !text.includes(holds))
      throw new Error(`${target} answered ${answer.status}: ${text.slice(0, 200)}`)
  }
}

function memoryRow(name: string, pid: number, before: number | null): Record<string, Cell> {
  const mb = (value: number | null): Cell => (value === null ? null : round(value, 0))
  return {
    process: name,
    'before, MB': mb(before),
    'at the end, MB': mb(memoryMb(pid, 'VmRSS')),
    'peak, MB': mb(memoryMb(pid, 'VmHWM')),
  }
}

/** Starts both apps on one database of 10,000 executions. */
async function prepare(context: BenchContext) {
  const executions = context.small ? 200 : 10_000
  await buildCli()
  const server = await startBenchServer(context)
  const { url } = await server.fresh()
  const db = openDb(url)
  context.after(() => db.close())
  const project = await ensureProject(db.sql, { slug: 'default', name: 'Default' })
  const random = new Random(SEED)
  context.log(`taking in ${executions.toLocaleString('en-US')} failed sessions`)
  await seedFailures(url, { projectId: project.id, random, failures: executions })
  await db.sql`vacuum analyze`
  const ids = await pickExecutions(db, random, Math.min(executions, 500))

  const product = await startProduct(context, { DATABASE_URL: url })
  const key = await makeKey(product)
  const reads = path.join(product.folder, 'reads.json')
  writeFileSync(
    reads,
    JSON.stringify(await recordReads(url, { key, projectIds: [project.id], executionIds: ids })),
  )
  const minimal = await startMinimalApp(context, { DATABASE_URL: url, BENCH_READS: reads })
  const cookie = (await signIn(product)).map(({ name, value }) => `${name}=${value}`).join('; ')
  const page = { accept: 'text/html', cookie }
  const api = { accept: 'application/json', authorization: `Bearer ${key}` }
  const [ours, theirs] = [product, minimal].map(({ pid, url: origin }) => ({ pid, origin }))
  const targets: Record<Target, Asked> = {
    'minimal page': { ...theirs!, paths: ['/'], headers: page },
    'list page': { ...ours!, paths: [links.executions()], headers: page },
    'execution page': { ...ours!, paths: ids.map((id) => links.execution(id)), headers: page },
    'minimal route, list': { ...theirs!, paths: ['/api/executions'], headers: api },
    'list API': { ...ours!, paths: [links.api.executions('')], headers: api },
    'minimal route, execution': { ...theirs!, paths: ids.map((id) => `/api/executions/${id}`), headers: api },
    'execution API': { ...ours!, paths: ids.map((id) => links.api.execution(id)), headers: api },
    'prerendered page': { ...theirs!, paths: ['/prerendered'], headers: page },
  }
  await checkTargets(targets)
  return { executions, url, targets, pids: { product: product.pid, minimal: minimal.pid } }
}

/** Pages and API of the product under load, beside an app that does the least with the same framework and the same statements. */
export const benchLoad: Bench = async (context) => {
  const { executions, url, targets, pids } = await prepare(context)
  const generate = startGenerator(context)
  const rounds = Object.fromEntries(TARGETS.map((target) => [target, []])) as unknown as Rounds
  const measure = async (target: Target, times: { warmUpMs: number; measureMs: number }) => {
    const { pid, ...asked } = targets[target]
    const before = [processCpuMs(pid), databaseCpuMs(url)] as const
    const load = await generate({ ...asked, connections: CONNECTIONS, ...times })
    const since = (now: number | null, then: number | null): number | null =>
      now === null || then === null ? null : now - then
    return {
      ...load,
      serverCpuMs: since(processCpuMs(pid), before[0]),
      databaseCpuMs: since(databaseCpuMs(url), before[1]),
    }
  }
  const [productMb, minimalMb] = [memoryMb(pids.product, 'VmRSS'), memoryMb(pids.minimal, 'VmRSS')]
  for (const target of TARGETS)
    await measure(target, { warmUpMs: 0, measureMs: context.small ? 1_000 : 10_000 })
  const wanted = context.rounds ?? (context.small ? 2 : 7)
  for (let i = 0; i < wanted; i++) {
    // In turns from either end: whatever grows during a round then touches all alike.
    for (const target of i % 2 === 0 ? TARGETS : TARGETS.toReversed())
      rounds[target].push(await measure(target, { warmUpMs: 0, measureMs: context.small ? 1_000 : 5_000 }))
    context.log(`${i + 1} of ${wanted} rounds`)
  }
  const peakMb = memoryMb(pids.product, 'VmHWM')
  const { met, misses } = judge(rounds, peakMb)
  return {
    name: 'load',
    what: `requests a second over ${CONNECTIONS} connections, signed in, with ${executions.toLocaleString('en-US')} executions stored`,
    reference:
      'an app of the same framework in the same run: a page of one line made for each request, and a route that checks the same key and sends the same statements through bare postgres.js; interleaved',
    budget: `list and execution page ≥ 1/3 of the minimal page, their API ≥ 1/2 of the minimal route; the product ≤ ${MEMORY_BUDGET_MB} MB resident`,
    met,
    seed: SEED,
    rows: rowsOf(rounds),
    details: [
      memoryRow('product', pids.product, productMb),
      memoryRow('minimal app', pids.minimal, minimalMb),
    ],
    notes: [
      ...misses,
      'shares are medians of the shares in each round; requests carry no accept-encoding, so that nobody compresses',
      'the prerendered page is shown for its size and has no part in the budget',
      `load of the machine at the end ${loadavg()[0]!.toFixed(1)}; the generator is a process of its own`,
    ],
  }
}
