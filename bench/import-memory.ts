import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'
import { memoryMb, program, startProduct } from './support/product'
import { Random } from './support/random'
import type { Bench, BenchContext, Cell } from './support/result'
import { writeSession } from './support/sessions'
import { median, round } from './support/stats'

const SEED = 1024
const CLI_BUDGET_MB = 300
const SERVER_BUDGET_MB = 512
const MB = 1024 * 1024

interface Written {
  files: number
  bytes: number
  records: number
}

/** Opens one file after another below the folder, and counts what goes in. */
function createWriter(folder: string, random: Random) {
  const written: Written = { files: 0, bytes: 0, records: 0 }
  return {
    written,
    inFile(fill: (put: (text: string) => void) => void): void {
      const project = path.join(folder, `-srv-work-${written.files % 20}`)
      mkdirSync(project, { recursive: true })
      const file = openSync(path.join(project, `${random.uuid()}.jsonl`), 'w')
      fill((text) => {
        written.bytes += writeSync(file, text)
        written.records += text.split('\n').length - 1
      })
      closeSync(file)
      written.files += 1
    },
  }
}

const RECORD_BYTES = 2_470

/** Sessions of mixed sizes, among them one with a fifth of all bytes. */
function writeSessions(folder: string, bytes: number): Written {
  const random = new Random(SEED)
  const { written, inFile } = createWriter(folder, random)
  inFile((put) =>
    put(writeSession(random, { records: Math.round(bytes / 5 / RECORD_BYTES), endsFailed: false })),
  )
  while (written.bytes < bytes)
    inFile((put) =>
      put(writeSession(random, { records: 40 + random.int(400), endsFailed: random.chance(0.3) })),
    )
  return written
}

/** One short session with one line of 60 MB. */
function writeLongLine(folder: string): Written {
  const random = new Random(SEED)
  const { written, inFile } = createWriter(folder, random)
  inFile((put) => {
    const [first = '', ...rest] = writeSession(random, { records: 6, endsFailed: false }).split(/(?<=\n)/)
    put(first)
    put(
      `${JSON.stringify({ ...JSON.parse(first), uuid: random.uuid(), message: { role: 'user', content: 'long '.repeat(12 * MB) } })}\n`,
    )
    put(rest.join(''))
  })
  return written
}

/** Looks at the resident memory four times a second. @returns ends it, and answers the median in MB */
function watchMemory(pid: number): () => number | null {
  const seen: number[] = []
  const timer = setInterval(() => {
    const mb = memoryMb(pid, 'VmRSS')
    if (mb !== null) seen.push(mb)
  }, 250)
  return () => {
    clearInterval(timer)
    return seen.length === 0 ? null : median(seen)
  }
}

interface Imported {
  seconds: number
  peakMb: number | null
  summary: { records: number; duplicates: number; bytes: number }
}

async function runImport(folder: string, env: NodeJS.ProcessEnv): Promise<Imported> {
  const started = performance.now()
  const child: ChildProcess = spawn(process.execPath, [program, 'import', folder, '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let peak: number | null = null
  let tail = ''
  child.stdout!.on('data', (chunk) => (tail = (tail + chunk).slice(-20_000)))
  const timer = setInterval(() => (peak = memoryMb(child.pid!, 'VmHWM') ?? peak), 100)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearInterval(timer)
  if (code !== 0) throw new Error(`the import ended with status ${code}: ${tail.slice(-500)}`)
  return {
    seconds: (performance.now() - started) / 1000,
    peakMb: peak,
    summary: JSON.parse(tail.trim().split('\n').at(-1)!).summary,
  }
}

type Row = Record<string, Cell>

/** Imports a folder twice into a server that was started for it: the second time nothing may be taken in. */
async function measure(
  context: BenchContext,
  what: string,
  write: (folder: string) => Written,
): Promise<{ row: Row; cliPeaks: (number | null)[]; serverPeak: number | null }> {
  const server = await startProduct(context)
  const folder = path.join(server.folder, 'projects')
  context.log(`writing ${what}`)
  const made = write(folder)
  const idleMb = memoryMb(server.pid, 'VmHWM')
  context.log(`importing ${made.files} files`)
  const watch = watchMemory(server.pid)
  const first = await runImport(folder, server.env)
  const typicalMb = watch()
  const serverMb = memoryMb(server.pid, 'VmHWM')
  if (first.summary.records + first.summary.duplicates < made.records)
    throw new Error(`only ${first.summary.records} of ${made.records} records arrived`)
  const again = await runImport(folder, server.env)
  if (again.summary.records !== 0) throw new Error('the second import took records in again')
  await server.stop()
  const mb = (value: number | null): number | null => (value === null ? null : round(value, 0))
  return {
    row: {
      import: what,
      files: made.files,
      records: made.records,
      MB: round(made.bytes / 1e6, 0),
      'CLI peak, MB': mb(first.peakMb),
      'server peak, MB': mb(serverMb),
      'server median, MB': mb(typicalMb),
      'server before, MB': mb(idleMb),
      seconds: round(first.seconds, 0),
      'MB/s': round(made.bytes / 1e6 / first.seconds, 1),
      'again, s': round(again.seconds, 1),
      'CLI peak again, MB': mb(again.peakMb),
    },
    cliPeaks: [first.peakMb, again.peakMb],
    serverPeak: serverMb,
  }
}

/** `inquest import` into a server of its own: peak resident memory of both processes. */
export const benchImportMemory: Bench = async (context) => {
  const bytes = (context.small ? 150 : 1000) * 1_000_000
  const sessions = await measure(context, 'transcripts', (folder) => writeSessions(folder, bytes))
  const longLine = await measure(context, 'a session with a line of 60 MB', writeLongLine)
  const { cliPeaks, serverPeak } = sessions
  const isUnder = (most: number, peaks: (number | null)[]): boolean | null =>
    peaks.includes(null) ? null : peaks.every((peak) => peak! < most)
  const verdicts = [isUnder(CLI_BUDGET_MB, cliPeaks), isUnder(SERVER_BUDGET_MB, [serverPeak])]
  return {
    name: 'import-memory',
    what: 'peak resident memory of the importer and of the server while a folder of transcripts is taken in',
    reference: 'none; the same server before the import stands beside it',
    budget: `for the transcripts, the command line below ${CLI_BUDGET_MB} MB and the server below ${SERVER_BUDGET_MB} MB`,
    met: verdicts.includes(null) ? null : verdicts.every(Boolean),
    seed: SEED,
    rows: [sessions.row, longLine.row],
    details: [],
    notes: [
      'peaks are VmHWM of each process; MB are 2^20 bytes for memory and 10^6 for files. The database is a process of its own and not counted',
      'one of the sessions holds a fifth of all bytes; the line of 60 MB has a server of its own and stands outside of the budget',
    ],
  }
}
