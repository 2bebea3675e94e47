import { openDb } from '@/db/client'
import { ensureProject } from '@/db/writes/projects'
import { ingestBody } from '@/db/writes/ingest'
import { copyRowsBack, dumpRows, type DumpedTable } from './ingest/copy-reference'
import { measurePhases, type Phases } from './ingest/phases'
import { startBenchServer, type BenchServer } from './support/database'
import { Random } from './support/random'
import type { Bench, BenchResult, Cell } from './support/result'
import { writeSession } from './support/sessions'
import { median, noise, round } from './support/stats'

const SEED = 1117
const SHARE_MIN = 0.5

interface Shape {
  name: string
  bodies: Buffer[]
  events: number
  bytes: number
}

function makeShape(name: string, sessions: number, recordsOf: (random: Random) => number): Shape {
  const random = new Random(SEED)
  const bodies = Array.from({ length: sessions }, () => Buffer.from(writeSession(random, { records: recordsOf(random), endsFailed: random.chance(0.3) })))
  return { name, bodies, events: bodies.reduce((n, body) => n + body.toString().split('\n').length - 1, 0), bytes: bodies.reduce((n, body) => n + body.length, 0) }
}

interface Round {
  ms: number
  nodeCpuMs: number
  tables: DumpedTable[]
}

/** Takes the bodies in one after another, as the importer sends them, and fails when an event is missing. */
async function ingestAll(server: BenchServer, shape: Shape): Promise<Round> {
  const { url, drop } = await server.fresh()
  const db = openDb(url)
  try {
    const project = await ensureProject(db.sql, { slug: 'bench', name: 'Bench' })
    await server.settle()
    const cpu = process.cpuUsage()
    const start = performance.now()
    for (const bytes of shape.bodies)
      await ingestBody(db, { projectId: project.id, source: { kind: 'claude-code', name: 'bench' }, kind: 'claude-transcript', bytes })
    const ms = performance.now() - start
    const used = process.cpuUsage(cpu)
    const [stored] = await db.sql<{ n: number }[]>`select count(*)::int as n from events`
    if (stored!.n !== shape.events) throw new Error(`${stored!.n} events are stored, ${shape.events} were sent`)
    return { ms, nodeCpuMs: (used.user + used.system) / 1000, tables: await dumpRows(url) }
  } finally {
    await db.close()
    await drop()
  }
}

async function copyAll(server: BenchServer, tables: readonly DumpedTable[]): Promise<number> {
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
    : [makeShape('sessions of about 120 records', 200, (r) => r.size(120, 0.8, 2_000)), makeShape('sessions of 10 records', 1_000, () => 10)]
  const repetitions = context.small ? 3 : 7
  const server = await startBenchServer(context)
  const rows: Record<string, Cell>[] = []
  const details: Record<string, Cell>[] = []
  const shares: number[] = []
  const notes: string[] = []
  for (const shape of shapes) {
    const [ours, cpu, theirs]: [number[], number[], number[]] = [[], [], []]
    let tables: DumpedTable[] = []
    // One round more than counts: the first pays for compiling and for pages never touched.
    for (let i = 0; i <= repetitions; i++) {
      const round = await ingestAll(server, shape)
      tables = round.tables
      const copyMs = await copyAll(server, tables)
      context.log(`${shape.name}, round ${i}: ingest ${Math.round(round.ms)} ms (${Math.round(round.nodeCpuMs)} ms of it CPU of this process), COPY ${Math.round(copyMs)} ms`)
      if (i === 0) continue
      ours.push(round.ms)
      cpu.push(round.nodeCpuMs)
      theirs.push(copyMs)
    }
    const perSecond = (ms: number): number => Math.round(shape.events / (ms / 1000))
    const share = median(theirs.map((copyMs, i) => copyMs / ours[i]!))
    shares.push(share)
    rows.push({
      shape: shape.name, sessions: shape.bodies.length, events: shape.events, 'MB in': round(shape.bytes / 1e6, 1), 'rows written': tables.reduce((n, t) => n + t.rows, 0),
      'ingest, events/s': perSecond(median(ours)), 'ingest, MB/s': round(shape.bytes / 1e6 / (median(ours) / 1000), 1), 'COPY, events/s': perSecond(median(theirs)),
      'share of COPY': round(share, 3), rounds: repetitions, 'noise, ingest': round(noise(ours)), 'noise, COPY': round(noise(theirs)),
    })
    const phases = await measurePhases(shape.bodies)
    details.push(...phaseRows(shape, phases, median(ours), median(cpu)))
    notes.push(`${shape.name}: rows by table: ${tables.map((t) => `${t.name} ${t.rows}`).join(', ')}`)
  }
  return {
    name: 'ingest',
    what: 'events a second of `ingestBody` for generated transcripts: redaction, parsing, analysis and all writes, one body after another',
    reference: 'COPY (binary, one connection, one transaction, serialised beforehand) of the very rows that the round left in all tables, received bytes included, into a fresh database with the same indexes; interleaved rounds, median of the shares',
    budget: `≥ ${SHARE_MIN} × the rows a second of COPY`,
    met: shares[0]! >= SHARE_MIN,
    seed: SEED,
    rows,
    details,
    notes: [...notes, 'the budget is judged on the first shape'],
  }
}

function phaseRows(shape: Shape, p: Phases, wholeMs: number, cpuMs: number): Record<string, Cell>[] {
  const row = (step: string, ms: number): Record<string, Cell> => ({ shape: shape.name, step, ms: Math.round(ms), 'µs per event': round((ms * 1000) / shape.events, 1), 'share of ingest': round(ms / wholeMs) })
  const pure = p.digestMs + p.parseMs + p.redactMs + p.analyseMs
  return [
    row('redact (alone)', p.redactMs), row('parse (alone)', p.parseMs), row('analyse (alone)', p.analyseMs), row('digest (alone)', p.digestMs),
    row('writing, reading back, waiting for the database', wholeMs - pure), row('all', wholeMs), row('CPU of this process within it', cpuMs),
  ]
}
