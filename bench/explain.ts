import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { program } from './support/product'
import { Random } from './support/random'
import type { Bench, Cell } from './support/result'
import { writeSession } from './support/sessions'
import { median, noise, quantile, round } from './support/stats'

const SEED = 79
const BUDGET_MS = 1_000
const FILE_BYTES = 5_000_000

const PARSE = `JSON.parse(require('fs').readFileSync(process.argv[1], 'utf8'))`

/** Written by a process at its end: what it used of the processors, which other work on the machine does not change. */
const TELL_CPU = `process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  require('fs').writeSync(3, String((user + system) / 1000))
})`

interface Timed {
  /** Milliseconds from the start of the process to its end, and those that its processor time is. */
  ms: number
  cpu: number
}

function run(args: string[], env: NodeJS.ProcessEnv): Promise<Timed> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
    let said = ''
    let cpu = ''
    child.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()))
    child.stdio[3]!.on('data', (chunk: Buffer) => (cpu += chunk.toString()))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve({ ms: performance.now() - start, cpu: Number(cpu) })
      else reject(new Error(`${args.join(' ')} ended with ${code}: ${said}`))
    })
  })
}

/** A file as claude-code-action writes it: all records of a run as one list, spread over lines. */
function writeExecutionFile(random: Random, bytes: number): string {
  const records: object[] = []
  let size = 0
  let sessionId = ''
  while (size < bytes) {
    const lines = writeSession(random, { records: 500, endsFailed: false }).trim().split('\n')
    for (const line of lines) {
      const { type, message, uuid, sessionId: own } = JSON.parse(line) as Record<string, unknown>
      sessionId ||= String(own)
      if (type !== 'user' && type !== 'assistant') continue
      const record = { type, message, parent_tool_use_id: null, session_id: sessionId, uuid }
      size += JSON.stringify(record, null, 2).length
      records.push(record)
      if (size >= bytes) break
    }
  }
  records.push({
    type: 'result',
    subtype: 'error_max_turns',
    is_error: true,
    num_turns: records.length,
    errors: ['Reached maximum number of turns'],
    session_id: sessionId,
  })
  return JSON.stringify(records, null, 2)
}

/** What `inquest explain` takes for a large file, from the start of its process, against a Node that only parses it. */
export const benchExplain: Bench = async (context) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'inquest-bench-explain-'))
  context.after(() => rm(folder, { recursive: true, force: true }))
  const put = async (name: string, bytes: number): Promise<string> => {
    const file = path.join(folder, name)
    await writeFile(file, writeExecutionFile(new Random(SEED), bytes))
    return file
  }
  const tell = path.join(folder, 'tell-cpu.cjs')
  await writeFile(tell, TELL_CPU)
  const [large, small] = [await put('large.json', FILE_BYTES), await put('small.json', 20_000)]
  const env = { ...process.env, HOME: folder, INQUEST_STEP_CONCLUSION: '' }
  const ways = [
    { name: 'JSON.parse of 5 MB', args: ['-e', PARSE, large] },
    { name: 'explain, 5 MB', args: [program, 'explain', large] },
    { name: 'explain --json, 5 MB', args: [program, 'explain', '--json', large] },
    { name: 'explain, 20 kB', args: [program, 'explain', small] },
  ]
  const times = new Map(ways.map((way) => [way, [] as Timed[]]))
  const rounds = context.small ? 5 : 30
  for (let i = 0; i < rounds; i++)
    for (const way of ways) times.get(way)!.push(await run(['-r', tell, ...way.args], env))
  const of = (way: (typeof ways)[number], what: keyof Timed): number[] =>
    times.get(way)!.map((timed) => timed[what])
  const above = (way: (typeof ways)[number], what: keyof Timed): number => {
    const bare = of(ways[0]!, what)
    return median(of(way, what).map((ms, i) => ms - bare[i]!))
  }
  const rows = ways.map((way): Record<string, Cell> => {
    const sample = of(way, 'ms')
    const bare = of(ways[0]!, 'ms')
    return {
      run: way.name,
      'median ms': round(median(sample)),
      'p95 ms': round(quantile(sample, 0.95)),
      'above JSON.parse, median of pairs': way === ways[0] ? null : round(above(way, 'ms')),
      // The quickest tenth is what is left of a figure when the machine does nothing else.
      'above, p10': way === ways[0] ? null : round(quantile(sample, 0.1) - quantile(bare, 0.1)),
      'CPU above, median of pairs': way === ways[0] ? null : round(above(way, 'cpu')),
      noise: round(noise(sample)),
      runs: sample.length,
    }
  })
  return {
    name: 'explain',
    what: 'milliseconds of a whole run of `inquest explain`, from the start of the process to its end',
    reference: 'a Node that reads the same file and parses it with `JSON.parse`, interleaved run by run',
    budget: `5 MB in ≤ ${BUDGET_MS} ms above`,
    met: above(ways[1]!, 'ms') <= BUDGET_MS,
    seed: SEED,
    rows,
    details: [],
    notes: [],
  }
}
