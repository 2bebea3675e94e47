import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { Transcript } from '@/db/seed/transcript'
import { links } from '@/lib/links'
import { importText } from '@/lib/words/cli/import'
import { findBrowser } from '../scripts/ensure-browser'
import { followFile, serveFloor } from './live/floor'
import { watchText } from './live/watch-text'
import { program, startProduct, type Product } from './support/product'
import { Random } from './support/random'
import type { Bench, BenchContext, BenchResult, Cell } from './support/result'
import { proseOf, writeFailures } from './support/sessions'
import { type Cookie, signIn } from './support/sign-in'
import { median, quantile, round } from './support/stats'

const SEED = 2000
const PROMISE_MS = 2_000
/** The longest pause before an append: what comes soon after an update waits for the pages' own pauses, as it does for a reader. */
const PAUSE_MS = 1_500

/** A session of some length: it is read and judged anew with every line. */
function writeFollowed(random: Random, calls: number): Transcript {
  const session = new Transcript({ sessionId: random.uuid(), startedAt: '2026-11-18T08:00:00.000Z' }).user(
    'Follow me',
  )
  for (let n = 0; n < calls; n++)
    session.call(
      'Bash',
      { command: `npm run step-${n}` },
      { ok: proseOf(random, random.size(460, 1.2, 20_000)) },
    )
  return session
}

/** Follows the folder as a person would, until the end of the bench; back when everything in it was taken in. */
async function followFolder({ env }: Product, folder: string, { after, log }: BenchContext): Promise<void> {
  log('importing, then following')
  const child = spawn(process.execPath, [program, 'import', '--watch', folder], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  after(async () => {
    child.kill('SIGINT')
    await ended
  })
  let trouble = ''
  child.stderr.on('data', (chunk: Buffer) => (trouble = (trouble + chunk.toString()).slice(-2_000)))
  let out = ''
  const [watching = ''] = importText.watching({ files: 0 }).split(' ')
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString()
      if (out.includes(watching)) resolve()
    })
    void ended.then(() => reject(new Error(`the import ended: ${trouble}`)))
  })
}

/** Opens pages in one browser, each in a window of its own: a tab behind another one is drawn once a second. */
async function openBrowser(
  executablePath: string,
  cookies: Cookie[],
  { after }: BenchContext,
): Promise<(url: string) => Promise<Page>> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  after(() => browser.close())
  return async (url) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await context.addCookies(cookies)
    const page = await context.newPage()
    // The loader that runs this file wraps named functions in a helper of its own, which a page does not have.
    await page.addInitScript('globalThis.__name = (value) => value')
    await page.goto(url)
    return page
  }
}

const PLACES = ['bare watch, POST and event', 'execution page', 'list'] as const
type Place = (typeof PLACES)[number]

/** A file, and where what is appended to it is to be seen. */
interface Side {
  file: string
  places: { place: Place; page: Page; selector: string }[]
}

/** Milliseconds from before the append until the text is on each page. */
async function append({ file, places }: Side, lines: string, text: string): Promise<[Place, number][]> {
  const watched = await Promise.all(
    places.map(async ({ place, page, selector }) => ({ place, seen: await watchText(page, selector, text) })),
  )
  const startedAt = Date.now()
  appendFileSync(file, lines)
  return Promise.all(
    watched.map(async ({ place, seen }): Promise<[Place, number]> => [place, (await seen()) - startedAt]),
  )
}

/** An agent works and its transcript is followed: when do open pages show what it wrote? */
export const benchLive: Bench = async (context) => {
  const executablePath = findBrowser()
  if (executablePath === null)
    throw new Error('no Chromium was found: install one, or set PLAYWRIGHT_CHROMIUM')
  const random = new Random(SEED)
  const [stored, calls, rounds] = context.small ? [60, 40, 5] : [1_000, 200, 20]
  const product = await startProduct(context)
  const folder = path.join(product.folder, 'projects')
  writeFailures(folder, random, stored)
  const session = writeFollowed(random, calls)
  const records = session.lines.length
  const file = path.join(folder, '-srv-shop', `${session.options.sessionId}.jsonl`)
  mkdirSync(path.dirname(file))
  writeFileSync(file, session.text)
  await followFolder(product, folder, context)

  const floorFile = path.join(product.folder, 'floor.jsonl')
  writeFileSync(floorFile, session.text)
  const floor = await serveFloor(context)
  await followFile(floorFile, floor.url, context)

  const open = await openBrowser(executablePath, await signIn(product), context)
  const execution = await open(product.url + links.anyId(session.options.sessionId))
  await execution.waitForURL('**/executions/*')
  const list = await open(product.url + links.executions())
  for (const page of [execution, list])
    await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' })
  const sides: Side[] = [
    {
      file: floorFile,
      places: [{ place: 'bare watch, POST and event', page: await open(floor.url), selector: '#shown' }],
    },
    {
      file,
      places: [
        { place: 'execution page', page: execution, selector: 'section[aria-label="Cause"]' },
        {
          place: 'list',
          page: list,
          selector: `[role="row"]:has(a[href*="${new URL(execution.url()).pathname}"])`,
        },
      ],
    },
  ]

  const times: Record<Place, number[]> = { 'bare watch, POST and event': [], 'execution page': [], list: [] }
  for (let i = 0; i < rounds + 2; i++) {
    const before = session.lines.length
    const text = `round ${String(i).padStart(3, '0')} went wrong`
    session.call('Bash', { command: `npm run round-${i}` }, { fails: `Exit code 3\n${text}` })
    const lines = session.lines
      .slice(before)
      .map((line) => `${line}\n`)
      .join('')
    for (const side of sides) {
      await sleep(random.int(PAUSE_MS))
      // The first two warm everything up.
      for (const [place, ms] of await append(side, lines, text)) if (i >= 2) times[place].push(ms)
    }
    if (i % 5 === 4) context.log(`${i + 1} of ${rounds + 2} rounds`)
  }
  return report(times, { stored, records })
}

function report(
  times: Record<Place, number[]>,
  { stored, records }: { stored: number; records: number },
): BenchResult {
  const floor = times['bare watch, POST and event']
  const rows = PLACES.map((place): Record<string, Cell> => {
    const sample = times[place]
    return {
      'seen on': place,
      'median ms': median(sample),
      'p95 ms': quantile(sample, 0.95),
      'max ms': Math.max(...sample),
      'min ms': Math.min(...sample),
      'above, median of pairs': round(median(sample.map((ms, i) => ms - floor[i]!))),
      runs: sample.length,
    }
  })
  return {
    name: 'live',
    what: `milliseconds from an append to a transcript that \`inquest import --watch\` follows until the open pages of one Chromium have painted it, with ${stored.toLocaleString('en-US')} other sessions in the folder`,
    reference:
      'the same lines in a file of its own: fs.watch, one POST to a bare node:http server, one server-sent event, one text set in a static page of the same Chromium; interleaved',
    budget: `every append on both pages within ${PROMISE_MS / 1000} s`,
    met: [...times['execution page'], ...times.list].every((ms) => ms <= PROMISE_MS),
    seed: SEED,
    rows,
    details: [],
    notes: [
      `each round appends a call and its failure in one write to a session of ${records} records and more; then up to ${(2 * PAUSE_MS) / 1000} s pass, since what comes soon after an update waits longer`,
      'the bare side runs inside of the process of the bench; both pages of the product and the static one are open all the time',
    ],
  }
}
