import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { program, startProduct } from './support/product'
import { Random } from './support/random'
import type { Bench, BenchContext, Cell } from './support/result'
import { writeSession } from './support/sessions'
import { median, noise, quantile, round } from './support/stats'

const SEED = 78
const START_BUDGET_MS = 25
const PASS_BUDGET = 1.02
const PASS_BYTES = 100_000_000

interface Timed {
  /** Milliseconds from the start of the process to the first byte of output that a reader has, and to its end. */
  first: number
  end: number
  /** To the end of the process. */
  whole: number
  bytes: number
}

/** Runs a process whose output is read as fast as it comes. */
function run(args: string[], env: NodeJS.ProcessEnv): Promise<Timed> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const child = spawn(args[0]!, args.slice(1), { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const timed: Timed = { first: 0, end: 0, whole: 0, bytes: 0 }
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    child.stdout.on('data', (chunk: Buffer) => {
      timed.first ||= performance.now() - start
      timed.bytes += chunk.length
    })
    child.stdout.once('end', () => (timed.end = performance.now() - start))
    child.once('error', reject)
    child.once('close', (code) => {
      timed.whole = performance.now() - start
      if (code === 0) resolve(timed)
      else reject(new Error(`${args.join(' ')} ended with ${code}: ${said}`))
    })
  })
}

interface Way {
  name: string
  args: string[]
  env: NodeJS.ProcessEnv
}

async function inTurns(
  ways: Way[],
  rounds: number,
  log: (line: string) => void,
  clean = (): Promise<void> => Promise.resolve(),
): Promise<Map<Way, Timed[]>> {
  const times = new Map(ways.map((way) => [way, [] as Timed[]]))
  for (let i = 0; i < rounds; i++) {
    for (const way of ways) times.get(way)!.push(await run(way.args, way.env))
    await clean()
    if (i % 10 === 9) log(`round ${i + 1} of ${rounds}`)
  }
  return times
}

const pairs = (sample: number[], bare: number[], of: (mine: number, theirs: number) => number): number =>
  median(sample.map((ms, i) => of(ms, bare[i]!)))

/** Until a command speaks that is behind the recorder, against a Node that does nothing from its start to its end. */
async function measureStart(
  { small, log }: BenchContext,
  places: { up: NodeJS.ProcessEnv; away: NodeJS.ProcessEnv; none: NodeJS.ProcessEnv },
) {
  const record = [process.execPath, program, 'record', '--', 'echo', 'ready']
  const bare: Way = { name: 'node -e 0', args: [process.execPath, '-e', '0'], env: places.none }
  const ways: Way[] = [
    bare,
    { name: 'echo', args: ['echo', 'ready'], env: places.none },
    { name: 'record -- echo, server up', args: record, env: places.up },
    { name: 'record -- echo, server away', args: record, env: places.away },
    { name: 'record -- echo, no server known', args: record, env: places.none },
  ]
  const times = await inTurns(ways, small ? 10 : 60, log)
  const whole = times.get(bare)!.map((timed) => timed.whole)
  const above = (way: Way): number =>
    pairs(
      times.get(way)!.map(({ first }) => first),
      whole,
      (mine, theirs) => mine - theirs,
    )
  const rows = ways.map((way): Record<string, Cell> => {
    const sample = times.get(way)!
    const first = sample.map((timed) => timed.first)
    const spoke = way === bare ? null : first
    return {
      run: way.name,
      'first byte, median ms': spoke && round(median(spoke)),
      'above the whole of node -e 0, median of pairs': spoke && round(above(way)),
      'above, p10': spoke && round(quantile(spoke, 0.1) - quantile(whole, 0.1)),
      'whole run, median ms': round(median(sample.map((timed) => timed.whole))),
      noise: round(noise(spoke ?? whole)),
      runs: sample.length,
    }
  })
  return { rows, met: ways.slice(2).every((way) => above(way) <= START_BUDGET_MS) }
}

/** An agent that makes its lines as agents do: each is put together, and written when it is. */
const SPEAKS = `const [file, most] = process.argv.slice(1)
const lines = require('fs').readFileSync(file, 'utf8').trim().split('\\n').map((line) => JSON.parse(line))
let bytes = 0
let at = 0
function more() {
  while (bytes < Number(most)) {
    const text = JSON.stringify(lines[at++ % lines.length]) + '\\n'
    bytes += Buffer.byteLength(text)
    if (!process.stdout.write(text)) return process.stdout.once('drain', more)
  }
}
more()`

/** From the first byte to the end of a large output, behind the recorder and without it. */
async function measurePass({ small, log }: BenchContext, folder: string, env: NodeJS.ProcessEnv) {
  const session = path.join(folder, 'session.jsonl')
  await writeFile(session, writeSession(new Random(SEED), { records: 400, endsFailed: false }))
  const plain = path.join(folder, 'plain.txt')
  await new Promise<void>((resolve) => {
    const out = createWriteStream(plain)
    const line = `${'x'.repeat(999)}\n`
    for (let i = 0; i < PASS_BYTES / 1000 / 1000; i++) out.write(line.repeat(1000))
    out.end(() => resolve())
  })
  const agent = [process.execPath, '-e', SPEAKS, session, String(PASS_BYTES)]
  const record = [process.execPath, program, 'record', '--']
  const bareAgent: Way = { name: 'agent', args: agent, env }
  const bareCat: Way = { name: 'cat', args: ['cat', plain], env }
  const behind = new Map<Way, Way>([
    [{ name: 'record -- agent', args: [...record, ...agent], env }, bareAgent],
    [{ name: 'record -- cat', args: [...record, 'cat', plain], env }, bareCat],
    // The same work done by a program of the system: what is passed on is also written to a file.
    [
      {
        name: 'cat | tee FILE',
        args: ['sh', '-c', 'cat "$0" | tee "$1"', plain, path.join(folder, 'tee')],
        env,
      },
      bareCat,
    ],
  ])
  const ways = [bareAgent, bareCat, ...behind.keys()]
  // Each run leaves a record as large as its output.
  const times = await inTurns(ways, small ? 3 : 15, log, () =>
    rm(path.join(env.INQUEST_STATE!, 'spool'), { recursive: true, force: true }),
  )
  const took = (way: Way): number[] => times.get(way)!.map(({ first, end }) => end - first)
  const ratio = (mine: Way, bare: Way): number => pairs(took(mine), took(bare), (a, b) => a / b)
  const rows = ways.map(
    (way): Record<string, Cell> => ({
      run: way.name,
      MB: round(times.get(way)![0]!.bytes / 1e6, 0),
      'passed in, median ms': round(median(took(way)), 0),
      'MB/s': round(times.get(way)![0]!.bytes / 1e3 / median(took(way)), 0),
      'against the bare one, median of pairs': behind.has(way)
        ? round(ratio(way, behind.get(way)!), 3)
        : null,
      'end of output to end of process, ms': round(
        median(times.get(way)!.map(({ end, whole }) => whole - end)),
        0,
      ),
      noise: round(noise(took(way))),
      runs: times.get(way)!.length,
    }),
  )
  return { rows, met: ratio(ways[2]!, bareAgent) <= PASS_BUDGET }
}

/** What `inquest record` adds in front of a command: to its start, and to a large output. */
export const benchRecordStart: Bench = async (context) => {
  const product = await startProduct(context)
  const folder = await mkdtemp(path.join(tmpdir(), 'inquest-bench-record-'))
  context.after(() => rm(folder, { recursive: true, force: true }))
  const stateOf = async (name: string, server?: object): Promise<NodeJS.ProcessEnv> => {
    const state = path.join(folder, name)
    await mkdir(state, { recursive: true, mode: 0o700 })
    if (server) await writeFile(path.join(state, 'server.json'), JSON.stringify(server), { mode: 0o600 })
    return { ...product.env, INQUEST_STATE: state }
  }
  const start = await measureStart(context, {
    up: product.env,
    // Port 9 answers nobody: what a crashed server leaves behind.
    away: await stateOf('away', { url: 'http://127.0.0.1:9', token: 'none', pid: process.pid }),
    none: await stateOf('none'),
  })
  await product.stop()
  const pass = await measurePass(context, folder, await stateOf('pass'))
  return {
    name: 'record-start',
    what: 'milliseconds until a command behind `inquest record` has printed its first byte; and how long 100 MB take from the first byte to the last',
    reference:
      'the whole run of `node -e 0`; and the same command without the recorder; all interleaved run by run',
    budget: `first byte ≤ ${START_BUDGET_MS} ms above, wherever the server is; 100 MB of an agent in ≤ ${PASS_BUDGET} × the bare time`,
    met: start.met && pass.met,
    seed: SEED,
    rows: start.rows,
    details: pass.rows,
    notes: [
      `start ${start.met ? 'met' : 'MISSED'}, output ${pass.met ? 'met' : 'MISSED'}`,
      'the agent puts each of its lines together before it prints it; `cat` prints as fast as a pipe takes it, which no agent does, and is outside of the budget: beside it stands `tee`',
      'the output ends for its reader before the recorder judges and sends it, which is the time to the end of the process; here no server is known, and the record is redacted and stays',
    ],
  }
}
