import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Random } from './support/random'
import type { Bench, BenchContext } from './support/result'
import { writeSession } from './support/sessions'
import { round } from './support/stats'

const SEED = 1024
const BUDGET_MB = 300
const program = path.resolve(import.meta.dirname, '../bin/inquest.mjs')
const MB = 1024 * 1024

/** Peak resident memory of a process in MB, as Linux counts it; null where it does not. */
function peakMb(pid: number): number | null {
  try {
    const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return line ? Number(line[1]) / 1024 : null
  } catch {
    return null
  }
}

/** Writes sessions of mixed sizes, among them one of a fifth of all bytes, and one line of 60 MB. */
function writeFolder(folder: string, bytes: number): { files: number; bytes: number; records: number } {
  const random = new Random(SEED)
  const written = { files: 0, bytes: 0, records: 0 }
  const put = (file: number, text: string): void => {
    written.bytes += writeSync(file, text)
    written.records += text.split('\n').length - 1
  }
  const inFile = (fill: (file: number) => void): void => {
    const project = path.join(folder, `-srv-work-${written.files % 20}`)
    mkdirSync(project, { recursive: true })
    const file = openSync(path.join(project, `${random.uuid()}.jsonl`), 'w')
    fill(file)
    closeSync(file)
    written.files += 1
  }
  inFile((file) => {
    const [first = '', ...rest] = writeSession(random, { records: 6, endsFailed: false }).split(/(?<=\n)/)
    put(file, first)
    put(file, `${JSON.stringify({ ...JSON.parse(first), uuid: random.uuid(), message: { role: 'user', content: 'long '.repeat(12 * MB) } })}\n`)
    put(file, rest.join(''))
  })
  inFile((file) => {
    for (const end = written.bytes + bytes / 5; written.bytes < end; ) put(file, writeSession(random, { records: 400, endsFailed: false }))
  })
  while (written.bytes < bytes) inFile((file) => put(file, writeSession(random, { records: 40 + random.int(400), endsFailed: random.chance(0.3) })))
  return written
}

async function startServer({ after, log }: BenchContext, folder: string): Promise<{ pid: number; env: NodeJS.ProcessEnv }> {
  const env = {
    ...process.env,
    PORT: '0',
    INQUEST_DATA: path.join(folder, 'data'),
    INQUEST_STATE: path.join(folder, 'state'),
    INQUEST_URL: '',
    INQUEST_TOKEN: '',
  }
  log('starting a server of its own')
  const child = spawn(process.execPath, [program, 'up'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  after(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const known = path.join(folder, 'state', 'server.json')
  while (!existsSync(known)) {
    if (child.exitCode !== null) throw new Error('the server did not start')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return { pid: child.pid!, env }
}

interface Imported {
  seconds: number
  peakMb: number | null
  summary: { records: number; duplicates: number; bytes: number }
}

async function runImport(folder: string, env: NodeJS.ProcessEnv): Promise<Imported> {
  const started = performance.now()
  const child: ChildProcess = spawn(process.execPath, [program, 'import', folder, '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let peak: number | null = null
  let tail = ''
  child.stdout!.on('data', (chunk) => (tail = (tail + chunk).slice(-20_000)))
  const timer = setInterval(() => (peak = peakMb(child.pid!) ?? peak), 100)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearInterval(timer)
  if (code !== 0) throw new Error(`the import ended with status ${code}: ${tail.slice(-500)}`)
  return { seconds: (performance.now() - started) / 1000, peakMb: peak, summary: JSON.parse(tail.trim().split('\n').at(-1)!).summary }
}

/** `inquest import` of 1 GB into a server of its own: peak resident memory of both processes. */
export const benchImportMemory: Bench = async (context) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'inquest-import-memory-'))
  context.after(() => rm(folder, { recursive: true, force: true }))
  context.log('writing transcripts')
  const made = writeFolder(path.join(folder, 'projects'), (context.small ? 150 : 1000) * 1_000_000)
  const server = await startServer(context, folder)
  const idleMb = peakMb(server.pid)
  context.log(`importing ${made.files} files`)
  const first = await runImport(path.join(folder, 'projects'), server.env)
  const serverMb = peakMb(server.pid)
  if (first.summary.records + first.summary.duplicates < made.records) throw new Error(`only ${first.summary.records} of ${made.records} records arrived`)
  const again = await runImport(path.join(folder, 'projects'), server.env)
  if (again.summary.records !== 0) throw new Error('the second import took records in again')
  const row = (what: string, run: Imported): Record<string, string | number | null> => ({
    run: what, files: made.files, MB: round(made.bytes / 1e6), seconds: round(run.seconds), 'MB/s': round(made.bytes / 1e6 / run.seconds), 'CLI peak MB': run.peakMb && round(run.peakMb),
  })
  const peaks = [first.peakMb, again.peakMb, serverMb]
  return {
    name: 'import-memory',
    what: 'peak resident memory of the importer and of the server while a folder of transcripts with one line of 60 MB is taken in',
    reference: `the server before the import: ${idleMb === null ? 'unknown' : `${round(idleMb)} MB`}`,
    budget: `each below ${BUDGET_MB} MB`,
    met: peaks.some((peak) => peak === null) ? null : peaks.every((peak) => peak! < BUDGET_MB),
    seed: SEED,
    rows: [{ ...row('first', first), 'server peak MB': serverMb && round(serverMb) }, row('again', again)],
    details: [],
    notes: ['Peaks are VmHWM of each process. The database is a process of its own and not counted.'],
  }
}
