import { spawn } from 'node:child_process'
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { links } from '@/lib/links'
import { program, startProduct } from './support/product'
import { Random } from './support/random'
import type { Bench, BenchResult, Cell } from './support/result'
import { proseOf } from './support/sessions'
import { median, noise, quantile, round } from './support/stats'

const SEED = 77
const BUDGET_MS = 25

interface Way {
  name: string
  args: string[]
  env: NodeJS.ProcessEnv
  budgeted: boolean
  /** It may say on standard error that it found no server. */
  mayComplain?: boolean
}

/** Milliseconds from the start of the process to its end, with the frame on its standard input. */
function run({ args, env, mayComplain = false }: Way, frame: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'ignore', 'pipe'] })
    let trouble = ''
    child.stderr.on('data', (chunk: Buffer) => (trouble += chunk.toString()))
    child.once('error', reject)
    child.once('exit', (code) => {
      const ms = performance.now() - start
      if (code === 0 && (trouble === '' || mayComplain)) resolve(ms)
      else reject(new Error(`${args.join(' ')} ended with ${code}: ${trouble}`))
    })
    // `node -e 0` ends without reading.
    child.stdin.on('error', () => {})
    child.stdin.end(frame)
  })
}

const frameOf = (random: Random, session: string): string =>
  `${JSON.stringify({
    session_id: session,
    transcript_path: `/home/dev/.claude/projects/-srv-work/${session}.jsonl`,
    cwd: '/srv/work/service',
    permission_mode: 'default',
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: `npm run ${proseOf(random, 20).trim()}` },
    tool_response: { stdout: proseOf(random, 1_500), stderr: '', interrupted: false, isImage: false },
    tool_use_id: `toolu_${random.uuid()}`,
  })}\n`

/** The server fetches frames from the spool: the last ones are on their way when the last hook has ended. */
async function arrived({ url, token }: { url: string; token: string }, session: string): Promise<void> {
  for (let attempts = 0; ; attempts++) {
    const found = await fetch(`${url}${links.api.find(session)}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (found.ok) return
    if (attempts === 20) throw new Error(`the frames did not arrive: ${found.status} ${await found.text()}`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/** What a hook adds to every step of an agent: the whole run of the program, from start to exit, against a Node that does nothing. */
export const benchHookStart: Bench = async (context): Promise<BenchResult> => {
  const random = new Random(SEED)
  const product = await startProduct(context)
  const folder = await mkdtemp(path.join(tmpdir(), 'inquest-bench-hook-'))
  context.after(() => rm(folder, { recursive: true, force: true }))
  const stateOf = async (name: string, server?: object): Promise<NodeJS.ProcessEnv> => {
    const state = path.join(folder, name)
    await mkdir(state, { recursive: true, mode: 0o700 })
    if (server) await writeFile(path.join(state, 'server.json'), JSON.stringify(server), { mode: 0o600 })
    return { ...product.env, INQUEST_STATE: state }
  }
  const hook = [program, 'hook']
  const ways: Way[] = [
    { name: 'node -e 0', args: ['-e', '0'], env: product.env, budgeted: false },
    { name: 'hook, server up', args: hook, env: product.env, budgeted: true },
    // Port 9 answers nobody: what a crashed server leaves behind.
    {
      name: 'hook, server away',
      args: hook,
      env: await stateOf('away', { url: 'http://127.0.0.1:9', token: 'none', pid: process.pid }),
      budgeted: true,
    },
    {
      name: 'hook, server named by the environment',
      args: hook,
      env: { ...product.env, INQUEST_URL: product.url, INQUEST_TOKEN: product.token },
      budgeted: false,
    },
    {
      name: 'hook, no server known',
      args: hook,
      env: await stateOf('none'),
      budgeted: false,
      mayComplain: true,
    },
  ]
  const times = new Map(ways.map((way) => [way, [] as number[]]))
  const rounds = context.small ? 15 : 80
  const session = random.uuid()
  for (let i = 0; i < rounds; i++)
    for (const way of ways) times.get(way)!.push(await run(way, frameOf(random, session)))
  await arrived(product, session)
  const bare = times.get(ways[0]!)!
  const above = (sample: number[]): number => median(sample.map((ms, i) => ms - bare[i]!))
  // The quickest tenth is what is left of a figure when the machine does nothing else.
  const undisturbed = (sample: number[]): number => quantile(sample, 0.1)
  const rows = ways.map((way): Record<string, Cell> => {
    const sample = times.get(way)!
    return {
      run: way.name,
      'median ms': round(median(sample)),
      'p95 ms': round(quantile(sample, 0.95)),
      'above node -e 0, median of pairs': round(above(sample)),
      'p10 ms': round(undisturbed(sample)),
      'above, p10': round(undisturbed(sample) - undisturbed(bare)),
      noise: round(noise(sample)),
      runs: sample.length,
    }
  })
  const budgeted = ways.filter((way) => way.budgeted)
  return {
    name: 'hook-start',
    what: 'milliseconds of a whole run of `inquest hook`, from the start of the process to its end, with one frame of 2 kB on its standard input',
    reference: '`node -e 0` with the same frame on its standard input, interleaved run by run',
    budget: `≤ ${BUDGET_MS} ms above, server up and away`,
    met: budgeted.every((way) => above(times.get(way)!) <= BUDGET_MS),
    seed: SEED,
    rows,
    details: [],
    notes: [],
  }
}
