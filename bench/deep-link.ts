import { spawn } from 'node:child_process'
import path from 'node:path'
import type { ExecutionItem } from '@/lib/api/schemas'
import { links } from '@/lib/links'
import { findBrowser } from '../scripts/ensure-browser'
import { makeCiRuns } from './deep-link/ci-runs'
import { serveStatic } from './deep-link/static-site'
import { openCold, readPageText, type Opened } from './deep-link/watch-page'
import { startProduct, program, type Product } from './support/product'
import { Random } from './support/random'
import type { Bench, BenchContext, BenchResult, Cell } from './support/result'
import { writeFailures } from './support/sessions'
import { signIn } from './support/sign-in'
import { median, noise, quantile, round } from './support/stats'
import type { Page } from '@/lib/model/page'

const SEED = 4790
const RATIO_MAX = 1.5
const SCRIPT_KB_MAX = 200

/** Imports failing sessions as a person would. */
async function importFailures(product: Product, failures: number, { log }: BenchContext): Promise<void> {
  const folder = path.join(product.folder, 'projects')
  writeFailures(folder, new Random(SEED), failures)
  log(`importing ${failures.toLocaleString('en-US')} failed sessions`)
  const child = spawn(process.execPath, [program, 'import', folder, '--json'], {
    env: product.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let trouble = ''
  child.stderr.on('data', (chunk: Buffer) => (trouble = (trouble + chunk.toString()).slice(-2_000)))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`the import ended with status ${code}: ${trouble}`)
}

async function listFailures({ url, token }: Product, wanted: number): Promise<ExecutionItem[]> {
  const found: ExecutionItem[] = []
  let total = 0
  for (let cursor: string | null = ''; cursor !== null; ) {
    const search = new URLSearchParams({ q: 'outcome:failed', limit: '200', ...(cursor ? { cursor } : {}) })
    const answer = await fetch(`${url}${links.api.executions(search.toString())}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (!answer.ok) throw new Error(`the list was refused: ${answer.status} ${await answer.text()}`)
    const page = (await answer.json()) as Page<ExecutionItem>
    total += page.items.length
    found.push(...page.items.filter((item) => item.cause !== null))
    cursor = page.nextCursor
  }
  if (found.length < wanted || total !== found.length)
    throw new Error(`${total} failures are stored, ${found.length} of them with a cause`)
  return found
}

const WAYS = [
  'static page',
  'execution page',
  'any id (/x/…)',
  'CI run, its only failure',
  'CI run, several failures',
] as const
const CI_FAILURES = 8

/** A person opens a link out of a red job, in a browser that has never been here. */
export const benchDeepLink: Bench = async (context): Promise<BenchResult> => {
  const executablePath = findBrowser()
  if (executablePath === null)
    throw new Error('no Chromium was found: install one, or set PLAYWRIGHT_CHROMIUM')
  const product = await startProduct(context)
  const failures = context.small ? 200 : 10_000
  await importFailures(product, failures, context)
  const cookies = await signIn(product)
  const stored = await listFailures(product, failures)
  const random = new Random(SEED)
  const rounds = context.small ? 6 : 30
  const chosen = Array.from({ length: rounds + 2 }, () => random.pick(stored))
  const site = await serveStatic(context)
  const sentenceOf = (item: ExecutionItem): string => item.cause!.headline
  const texts = await readPageText(
    executablePath,
    chosen.map((item) => product.url + links.execution(item.id)),
    cookies,
  )
  for (const [i, item] of chosen.entries()) site.put(`/${i}`, sentenceOf(item), texts[i]!)

  const ciRuns = await makeCiRuns(product, chosen, CI_FAILURES)

  const opened = Object.fromEntries(WAYS.map((way): [string, Opened[]] => [way, []])) as Record<
    (typeof WAYS)[number],
    Opened[]
  >
  for (const [i, item] of chosen.entries()) {
    const urls = {
      'static page': `${site.url}/${i}`,
      'execution page': product.url + links.execution(item.id),
      'any id (/x/…)': product.url + links.anyId(item.externalId),
      'CI run, its only failure': product.url + ciRuns[i]!.only,
      'CI run, several failures': product.url + ciRuns[i]!.several,
    }
    const [firstLine = ''] = sentenceOf(item).split('\n')
    for (const way of WAYS) {
      const figures = await openCold(
        executablePath,
        urls[way],
        firstLine,
        way === 'static page' ? [] : cookies,
      )
      // The first two warm up the server, which a stored link never finds cold.
      if (i >= 2) opened[way].push(figures)
    }
    if (i % 5 === 4) context.log(`${i + 1} of ${chosen.length} links opened`)
  }
  return report(opened, failures)
}

function report(opened: Record<(typeof WAYS)[number], Opened[]>, failures: number): BenchResult {
  const visible = (way: (typeof WAYS)[number]): number[] => opened[way].map((o) => o.visibleMs)
  const ratio = (way: (typeof WAYS)[number]): number => median(visible(way)) / median(visible('static page'))
  const of = (way: (typeof WAYS)[number], key: keyof Opened): number =>
    round(median(opened[way].map((o) => o[key])), 1)
  const scriptKb = Math.max(...WAYS.flatMap((way) => opened[way].map((o) => o.scriptBytesBeforePaint))) / 1000
  const rows = WAYS.map(
    (way): Record<string, Cell> => ({
      address: way,
      'visible, median ms': of(way, 'visibleMs'),
      'visible, p95 ms': round(quantile(visible(way), 0.95), 1),
      'ratio of medians': round(ratio(way)),
      'visible, p10 ms': round(quantile(visible(way), 0.1), 1),
      'ratio of p10': round(quantile(visible(way), 0.1) / quantile(visible('static page'), 0.1)),
      'ratio of p95': round(quantile(visible(way), 0.95) / quantile(visible('static page'), 0.95)),
      noise: round(noise(visible(way))),
      runs: opened[way].length,
    }),
  )
  const details = WAYS.map(
    (way): Record<string, Cell> => ({
      address: way,
      'first byte, ms': of(way, 'responseStartMs'),
      'first paint, ms': of(way, 'firstPaintMs'),
      'document, kB': round(of(way, 'documentBytes') / 1000, 1),
      'script before paint, kB': round(of(way, 'scriptBytesBeforePaint') / 1000, 1),
      'script in all, kB': round(of(way, 'scriptBytes') / 1000, 1),
      'style, kB': round(of(way, 'styleBytes') / 1000, 1),
      'fonts, kB': round(of(way, 'fontBytes') / 1000, 1),
    }),
  )
  return {
    name: 'deep-link',
    what: `milliseconds from the start of the navigation to the painted cause sentence, in a Chromium started for each run, with ${failures.toLocaleString('en-US')} failures stored`,
    reference:
      'a page without script or foreign file that holds the same text, served from memory by node:http, opened in the same way; interleaved',
    budget: `median ≤ ${RATIO_MAX} × the static page, without a click; ≤ ${SCRIPT_KB_MAX} kB of compressed script asked for before the first paint`,
    met: WAYS.slice(1).every((way) => ratio(way) <= RATIO_MAX) && scriptKb <= SCRIPT_KB_MAX,
    seed: SEED,
    rows,
    details,
    notes: [
      `ratio: ${WAYS.slice(1)
        .map((way) => `${way} ${ratio(way).toFixed(2)}`)
        .join(', ')}; script before the first paint, most: ${scriptKb.toFixed(1)} kB`,
      'the start of the browser itself is not counted, on either side: it would hide the difference',
    ],
  }
}
