import { parsePatch } from 'diff'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { parseDiff } from 'react-diff-view'
import { readFix } from '@/lib/judge/fixes/read-fix'
import { links } from '@/lib/links'
import { readPatch } from '@/lib/judge/patches/read-patch'
import { findBrowser } from '../scripts/ensure-browser'
import { serveBareView } from './patch/bare-site'
import { makePatch } from './patch/make-patch'
import { drawCold, type Drawn } from './patch/watch-diff'
import { startProduct, type Product } from './support/product'
import { Random } from './support/random'
import type { Bench, BenchContext, BenchResult, Cell } from './support/result'
import { signIn } from './support/sign-in'
import { median, noise, quantile, round } from './support/stats'
import type { FixItem } from '@/lib/model/fix'

const SEED = 4096
const LINES = 20_000
/** The frame of a screen that draws 60 times a second, and what a reader calls a jerk. */
const JERK_MS = 50
const SCRIPT_KB_MAX = 350

interface Reader {
  name: string
  /** How many files it finds. */
  read: (bytes: Uint8Array) => number | Promise<number>
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const READERS: Reader[] = [
  { name: 'Inquest, files and counts', read: (bytes) => readPatch(bytes).sections.length },
  {
    name: 'Inquest, with all flags and the scan for secrets',
    read: async (bytes) => (await readFix(bytes, { text: null, inputs: null })).files.length,
  },
  { name: 'diff 9 parsePatch', read: (bytes) => parsePatch(text(bytes)).length },
  { name: 'react-diff-view parseDiff', read: (bytes) => parseDiff(text(bytes)).length },
  {
    name: 'git apply --numstat',
    read: (bytes) =>
      execFileSync('git', ['apply', '--numstat', '-z'], {
        input: bytes,
        maxBuffer: 1 << 28,
        stdio: ['pipe', 'pipe', 'ignore'],
      })
        .toString()
        .split('\0').length - 1,
  },
]

async function timeReaders({
  log,
  small,
}: BenchContext): Promise<{ rows: Record<string, Cell>[]; ratio: number }> {
  const patch = Buffer.from(
    makePatch(new Random(SEED), { files: small ? 60 : 600, lines: small ? 20_000 : 200_000 }),
  )
  const rounds = small ? 3 : 15
  const times = new Map(READERS.map(({ name }): [string, number[]] => [name, []]))
  const found = new Map<string, number>()
  for (let i = -1; i < rounds; i++) {
    log(`reading, round ${i} of ${rounds}`)
    for (const { name, read } of READERS) {
      const start = performance.now()
      found.set(name, await read(patch))
      // The first round warms up.
      if (i >= 0) times.get(name)!.push(performance.now() - start)
    }
  }
  const rate = (name: string): number => patch.length / 1e6 / (median(times.get(name)!) / 1000)
  const rows = READERS.map(
    ({ name }): Record<string, Cell> => ({
      'read by': name,
      'MB/s, median': round(rate(name), 1),
      '× diff 9': round(rate(name) / rate('diff 9 parsePatch')),
      noise: round(noise(times.get(name)!)),
      'files it finds': found.get(name)!,
    }),
  )
  return { rows, ratio: rate('Inquest, files and counts') / rate('diff 9 parsePatch') }
}

/** A failed execution and a fix proposed for it, as an agent's loop sends them. */
async function proposeFix({ url, token }: Product, patch: string): Promise<FixItem> {
  const send = async (path: string, body: BodyInit): Promise<unknown> => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body,
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const session = randomUUID()
  const at = (second: number): string => new Date(Date.UTC(2026, 10, 23, 9, 0, second)).toISOString()
  const lines = [
    {
      type: 'user',
      sessionId: session,
      uuid: randomUUID(),
      timestamp: at(0),
      message: { role: 'user', content: 'Make the tests pass.' },
    },
    {
      type: 'assistant',
      sessionId: session,
      uuid: randomUUID(),
      timestamp: at(1),
      message: {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'toolu_bench', name: 'Bash', input: { command: 'npm test' } }],
      },
    },
    {
      type: 'user',
      sessionId: session,
      uuid: randomUUID(),
      timestamp: at(2),
      message: {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_bench',
            is_error: true,
            content: 'Exit code 1\n1 test failed',
          },
        ],
      },
    },
  ]
  const taken = (await send(
    links.api.ingest('claude-transcript'),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  )) as { executions: { id: string }[] }
  const form = new FormData()
  form.set('patch', new Blob([patch]), 'change.patch')
  form.set(
    'proposal',
    new Blob([JSON.stringify({ task: 'test' })], { type: 'application/json' }),
    'proposal.json',
  )
  return ((await send(links.api.executionFixes(taken.executions[0]!.id), form)) as { fix: FixItem }).fix
}

const WAYS = ['review room', 'react-diff-view alone'] as const
type Way = (typeof WAYS)[number]

async function drawViews(context: BenchContext): Promise<Record<Way, Drawn[]>> {
  const executablePath = findBrowser()
  if (executablePath === null)
    throw new Error('no Chromium was found: install one, or set PLAYWRIGHT_CHROMIUM')
  const patch = makePatch(new Random(SEED), { files: 1, lines: LINES })
  const product = await startProduct(context)
  const fix = await proposeFix(product, patch)
  const cookies = await signIn(product)
  const addresses: Record<Way, string> = {
    'review room': `${product.url}${links.fix(fix.id)}#file-1`,
    'react-diff-view alone': await serveBareView(patch, context),
  }
  const drawn: Record<Way, Drawn[]> = { 'review room': [], 'react-diff-view alone': [] }
  const rounds = context.small ? 2 : 10
  for (let i = -1; i < rounds; i++) {
    context.log(`drawing, round ${i} of ${rounds}`)
    for (const way of WAYS) {
      const figures = await drawCold(executablePath, addresses[way], way === 'review room' ? cookies : [])
      if (i >= 0) drawn[way].push(figures)
    }
  }
  return drawn
}

/** Reading a patch and drawing it, beside the libraries that do the like. */
export const benchPatch: Bench = async (context): Promise<BenchResult> => {
  const reading = await timeReaders(context)
  const drawn = await drawViews(context)
  const of = (way: Way, figure: (one: Drawn) => number): number => median(drawn[way].map(figure))
  const frames = (way: Way): number[] => drawn[way].flatMap((one) => one.frames)
  const scriptKb = Math.max(...drawn['review room'].map((one) => one.scriptBytes)) / 1000
  const rows = WAYS.map(
    (way): Record<string, Cell> => ({
      [`${LINES.toLocaleString('en-US')} lines drawn by`]: way,
      'first hunk, median ms': round(
        of(way, (one) => one.hunkMs),
        0,
      ),
      'settled, median ms': round(
        of(way, (one) => one.settledMs),
        0,
      ),
      'frame, median ms': round(median(frames(way)), 1),
      'frame, p95 ms': round(quantile(frames(way), 0.95), 1),
      'longest frame, ms': round(Math.max(...frames(way)), 0),
      [`frames over ${JERK_MS} ms, %`]: round(
        (100 * frames(way).filter((ms) => ms > JERK_MS).length) / frames(way).length,
        1,
      ),
      'frames without a line, %': round(
        (100 * drawn[way].reduce((sum, one) => sum + one.emptyFrames, 0)) / frames(way).length,
        1,
      ),
      elements: of(way, (one) => one.elements),
      'heap, MB': round(
        of(way, (one) => one.heapMb),
        1,
      ),
      'script, kB': round(of(way, (one) => one.scriptBytes) / 1000, 0),
    }),
  )
  return {
    name: 'patch',
    what: `reading a patch by git's rules, and the time until ${LINES.toLocaleString('en-US')} lines of one can be read and scrolled in a Chromium started for each run`,
    reference:
      'published parsers on the same text, which do not find the same files on every patch, and git; react-diff-view alone, which draws everything at once; interleaved',
    budget: `the first hunk sooner and the scrolling no slower than the bare view; ≤ ${SCRIPT_KB_MAX} kB of compressed script on the page of a review`,
    met:
      of('review room', (one) => one.hunkMs) < of('react-diff-view alone', (one) => one.hunkMs) &&
      quantile(frames('review room'), 0.95) <= quantile(frames('react-diff-view alone'), 0.95) &&
      scriptKb <= SCRIPT_KB_MAX,
    seed: SEED,
    rows,
    details: reading.rows,
    notes: [
      `reading: ${reading.ratio.toFixed(2)} × the speed of diff 9; script of the review page, most: ${scriptKb.toFixed(0)} kB`,
      'each frame scrolls on by 120 px; a line counts as in sight where one of eight points of the window meets it',
    ],
  }
}
