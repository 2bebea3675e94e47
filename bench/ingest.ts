import path from 'node:path'
import { openDb } from '@/db/client'
import { forgetEverything } from '@/db/testing/content'
import { ensureProject } from '@/db/projects'
import { createIngestThreads } from '@/db/threads/ingest-threads'
import { buildCli } from '../scripts/build-cli.mjs'
import { copyRowsBack, dumpRows, type DumpedTable } from './ingest/copy-reference'
import { measurePhases, type Phases } from './ingest/phases'
import { databaseCpuMs } from './support/database-cpu'
import { startBenchServer, type BenchServer } from './support/database'
import { Random } from './support/random'
import type { Bench, BenchResult, Cell } from './support/result'
import { writeSession } from './support/sessions'
import { median, noise, round } from './support/stats'

const SEED = 1117
const SHARE_MIN = 0.5
/** As many small files as the importer sends at once. */
const FILES_AT_ONCE = 10
const script = path.resolve(import.meta.dirname, '../dist/ingest-thread.mjs')

interface Shape {
  name: string
  bodies: Buffer[]
  events: number
  bytes: number
}

function makeShape(name: string, sessions: number, recordsOf: (random: Random) => number): Shape {
  const random = new Random(SEED)
  const bodies = Array.from({ length: sessions }, () =>
    Buffer.from(writeSession(random, { records: recordsOf(random), endsFailed: random.chance(0.3) })),
  )
  return {
    name,
    bodies,
    events: bodies.reduce((n, body) => n + body.toString().split('\n').length - 1, 0),
    bytes: bodies.reduce((n, body) => n + body.length, 0),
  }
}

interface Round {
  ms: number
  nodeCpuMs: number
  databaseCpuMs: number | null
  tables: DumpedTable[]
}

/** The server's way in with the server's heap, on a database that is emptied after each round: threads that are warm stay so, as in a server that runs. */
async function openWayIn(
  server: BenchServer,
  context: Parameters<Bench>[0],
): Promise<(shape: Shape) => Promise<Round>> {
  const { url, drop } = await server.fresh()
  const db = openDb(url)
  const threads = createIngestThreads({ url, script })
  context.after(async () => {
    await threads.close()
    await db.close()
    await drop()
  })
  const project = await ensureProject(db.sql, { slug: 'bench', name: 'Bench' })
  /** As many bodies at once as the importer sends; fails when an event is missing. */
  return async (shape) => {
    await server.settle()
    const before = databaseCpuMs(url)
    const cpu = process.cpuUsage()
    const start = performance.now()
    const queue = shape.bodies.values()
    const sender = async (): Promise<void> => {
      // A copy of each, as reading a request makes one: the threads take it over.
      for (const bytes of queue)
        await threads.ingest({
          projectId: project.id,
          source: { kind: 'claude-code', name: 'bench' },
          kind: 'claude-transcript',
          bytes: new Uint8Array(bytes),
        })
    }
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, sender))
    const ms = performance.now() - start
    const used = process.cpuUsage(cpu)
    const after = databaseCpuMs(url)
    const [stored] = await db.sql<{ n: number }[]>`select count(*)::int as n from events`
    if (stored!.n !== shape.events)
      throw new Error(`${stored!.n} events are stored, ${shape.events} were sent`)
    const tables = await dumpRows(url)
    await forgetEverything(db)
    return {
      ms,
      nodeCpuMs: (used.user + used.system) / 1000,
      databaseCpuMs: before === null || after === null ? null : after - before,
      tables,
    }
  }
}

interface Copied {
  ms: number
  databaseCpuMs: number | null
}

async function copyAll(server: BenchServer, tables: readonly DumpedTable[]): Promise<Copied> {
  const { url, drop } = await server.fresh()
  try {
    await server.settle()
    return await copyRowsBack(url, tables)
  } finally {
    await drop()
  }
}

/** Events a second of the whole way in, against COPY of the very rows it left behind. */
export const benchIngest: Bench = async (context): Promise<BenchResult> => {
  const shapes = context.small
    ? [makeShape('sessions of about 120 records', 20, (r) => r.size(120, 0.8, 2_000))]
    : [
        makeShape('sessions of about 120 records', 200, (r) => r.size(120, 0.8, 2_000)),
        makeShape('sessions of 1,600 records (four parts)', 15, () => 1_600),
        makeShape('sessions of 10 records', 1_000, () => 10),
      ]
  const repetitions = context.small ? 4 : 7
  await buildCli()
  const server = await startBenchServer(context)
  const ingestAll = await openWayIn(server, context)
  const rows: Record<string, Cell>[] = []
  const details: Record<string, Cell>[] = []
  const shares: number[] = []
  const notes: string[] = []
  for (const shape of shapes) {
    const ours: Round[] = []
    const theirs: Copied[] = []
    let tables: DumpedTable[] = []
    // One round more than counts: the first pays for compiling and for pages never touched.
    for (let i = 0; i <= repetitions; i++) {
      const round = await ingestAll(shape)
      tables = round.tables
      const copied = await copyAll(server, tables)
      const cpu = (ms: number | null): string => `${ms === null ? '?' : Math.round(ms)} ms CPU`
      context.log(
        `${shape.name}, round ${i}: ingest ${Math.round(round.ms)} ms (${cpu(round.nodeCpuMs)} here, ${cpu(round.databaseCpuMs)} in the database), COPY ${Math.round(copied.ms)} ms (${cpu(copied.databaseCpuMs)})`,
      )
      if (i === 0) continue
      ours.push(round)
      theirs.push(copied)
    }
    const msOf = (rounds: readonly { ms: number }[]): number => median(rounds.map((r) => r.ms))
    const perSecond = (ms: number): number => Math.round(shape.events / (ms / 1000))
    const share = median(theirs.map((copied, i) => copied.ms / ours[i]!.ms))
    shares.push(share)
    rows.push({
      shape: shape.name,
      sessions: shape.bodies.length,
      events: shape.events,
      'MB in': round(shape.bytes / 1e6, 1),
      'rows written': tables.reduce((n, t) => n + t.rows, 0),
      'ingest, events/s': perSecond(msOf(ours)),
      'ingest, MB/s': round(shape.bytes / 1e6 / (msOf(ours) / 1000), 1),
      'COPY, events/s': perSecond(msOf(theirs)),
      'share of COPY': round(share, 3),
      rounds: repetitions,
      'noise, ingest': round(noise(ours.map((r) => r.ms))),
      'noise, COPY': round(noise(theirs.map((r) => r.ms))),
    })
    const phases = await measurePhases(shape.bodies)
    details.push(...phaseRows(shape, phases, ours, theirs))
    notes.push(`${shape.name}: rows by table: ${tables.map((t) => `${t.name} ${t.rows}`).join(', ')}`)
  }
  return {
    name: 'ingest',
    what: 'events a second of `ingestBody` for generated transcripts: redaction, parsing, analysis and all writes, in the two threads of the server and with its heap, ten bodies at once as the importer sends them',
    reference:
      'COPY (binary, one connection, one transaction, serialised beforehand) of the very rows that the round left in all tables, received bytes included, into a fresh database with the same indexes; interleaved rounds, median of the shares',
    budget: `≥ ${SHARE_MIN} × the rows a second of COPY`,
    met: shares[0]! >= SHARE_MIN,
    seed: SEED,
    rows,
    details,
    notes: [...notes, 'the budget is judged on the first shape'],
  }
}

/** In CPU time, not in time on the clock: what else the machine does stays out of it. */
function phaseRows(
  shape: Shape,
  p: Phases,
  ours: readonly Round[],
  theirs: readonly Copied[],
): Record<string, Cell>[] {
  const node = median(ours.map((r) => r.nodeCpuMs))
  const database = (rounds: readonly { databaseCpuMs: number | null }[]): number =>
    median(rounds.map((r) => r.databaseCpuMs ?? Number.NaN))
  const row = (step: string, ms: number): Record<string, Cell> => ({
    shape: shape.name,
    'CPU of': step,
    ms: Number.isNaN(ms) ? null : Math.round(ms),
    'µs per event': Number.isNaN(ms) ? null : round((ms * 1000) / shape.events, 1),
  })
  return [
    row('redaction', p.redactMs),
    row('parsing', p.parseMs),
    row('analysis', p.analyseMs),
    row('digest', p.digestMs),
    row(
      'the rest of this process: reading and writing rows',
      node - p.digestMs - p.parseMs - p.redactMs - p.analyseMs,
    ),
    row('this process, in all', node),
    row('the database, ingest', database(ours)),
    row('the database, COPY', database(theirs)),
  ]
}
