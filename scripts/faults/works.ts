import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Transcript } from '@/db/seed/transcript'
import { links } from '@/lib/links'
import { runCli, startCli } from '@/e2e/support/cli'
import { root } from '@/e2e/support/server'
import type { Stored } from './compare'
import type { Work } from './plan'
import type { World } from './world'

export interface Ended {
  /** Exit status of each process; null: a signal ended it. */
  codes: (number | null)[]
  /** Executions of which the program said that the server has them; all of them when it ended well. */
  acknowledged: Set<string>
  /** What it wrote, for whoever reads about a round that went wrong. */
  output: string
}

export interface Running {
  /** The process that is at work just now. */
  child: () => ChildProcess
  done: Promise<Ended>
}

/** Something that sends, and whose outcome can be compared between two names. */
export interface Workload {
  /** Statuses with which its processes may end when something else than themselves is hit. */
  codes: readonly number[]
  start: (world: World, name: string) => Running
  /** Sends what is missing; null: that happens by itself. @returns the exit status */
  again: ((world: World, name: string) => Promise<number | null>) | null
  read: (world: World, name: string) => Promise<Stored[]>
}

const SESSIONS = 8
const CALLS = 60
const STEPS = 25
const FRAMES = 6
/** Seconds for which an import waits for a server that is away. */
const PATIENCE = '30'

const importing = (world: World, name: string): string[] => [
  'import',
  '--json',
  '--patience',
  PATIENCE,
  '--source',
  name,
  join(world.folder.path, 'history'),
]

/** Sessions large enough that an import takes a moment. */
export function writeHistory({ folder }: World): void {
  for (let n = 0; n < SESSIONS; n++) {
    const sessionId = `fa017000-0000-4000-8000-${String(n).padStart(12, '0')}`
    const transcript = new Transcript({ sessionId, branch: `branch-${n % 3}` }).user(`Task ${n}`)
    for (let call = 0; call < CALLS; call++)
      transcript.call(
        'Bash',
        { command: `step ${call} ${'of the work '.repeat(40)}` },
        call % 20 === 7 ? { fails: `Exit code 1\nstep ${call} broke` } : { ok: 'ok '.repeat(150) },
      )
    folder.put(`history/-srv-shop/${sessionId}.jsonl`, transcript.text)
  }
}

const imports: Workload = {
  codes: [0, 3],
  start: (world, name) => {
    const cli = startCli(importing(world, name), world.inquest().stateDir)
    return {
      child: () => cli.child,
      done: cli.done.then(({ code, out, err }) => ({
        codes: [code],
        acknowledged: new Set(sentFiles(out).map((file) => basename(file, '.jsonl'))),
        output: err + out,
      })),
    }
  },
  again: async (world, name) => (await runCli(importing(world, name), world.inquest().stateDir)).code,
  read: (world, name) => world.read(name),
}

/** Paths of the files of which the import said that the server has them. */
function sentFiles(out: string): string[] {
  return out.split('\n').flatMap((line) => {
    if (!line.includes('"status":"sent"')) return []
    return (JSON.parse(line) as { file: { path: string } }).file.path
  })
}

const SESSION = 'fa017000-0000-4000-8000-00000000aaaa'

const records: Workload = {
  codes: [3],
  start: (world, name) => {
    const agent = [process.execPath, join(root, 'scripts/faults/slow-agent.mjs'), SESSION, String(STEPS), '3']
    const cli = startCli(['record', '--source', name, '--', ...agent], world.inquest().stateDir)
    return {
      child: () => cli.child,
      done: cli.done.then(({ code, err }) => ({
        codes: [code],
        // A record that was not sent waits in the spool, from where it is sent without anybody.
        acknowledged: new Set(code === null ? [] : [SESSION]),
        output: err,
      })),
    }
  },
  again: null,
  read: (world, name) => world.read(name),
}

const hooks: Workload = {
  codes: [0],
  start: (world, name) => {
    let child: ChildProcess
    const run = async (): Promise<Ended> => {
      const ended: Ended = { codes: [], acknowledged: new Set(), output: '' }
      for (let n = 0; n < FRAMES; n++) {
        const cli = startCli(['hook'], world.inquest().stateDir, frame(name, n))
        child = cli.child
        const { code, err } = await cli.done
        ended.codes.push(code)
        ended.output += err
        if (code === 0) ended.acknowledged.add(callOf(name, n))
      }
      return ended
    }
    const done = run()
    return { child: () => child, done }
  },
  again: null,
  read: readCalls,
}

const callOf = (name: string, n: number): string => `toolu-${name}-${n}`
const frame = (name: string, n: number): string =>
  JSON.stringify({
    session_id: name,
    hook_event_name: 'PostToolUseFailure',
    cwd: '/srv/shop',
    tool_name: 'Bash',
    tool_use_id: callOf(name, n),
    tool_input: { command: `step ${n}` },
    error: `Exit code 1\nstep ${n} broke`,
  })

/** Frames have one source for all, so that each call is looked at as what it is: an entry of its session. */
async function readCalls(world: World, name: string): Promise<Stored[]> {
  const { url, token } = world.inquest()
  const get = async <T>(path: string): Promise<T> => {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    return (await answer.json()) as T
  }
  const found = await get<{ items: { executionId?: string }[] }>(links.api.find(name))
  const ids = [...new Set(found.items.flatMap(({ executionId }) => executionId ?? []))]
  const calls: Stored[] = []
  for (const id of ids) {
    const events = await get<{ items: { callIds: string[]; resultCallIds: string[] }[] }>(
      links.api.events(id, { limit: '200' }),
    )
    for (const { callIds, resultCallIds } of events.items)
      for (const externalId of new Set([...callIds, ...resultCallIds]))
        calls.push({ externalId, outcome: '', counts: {}, cause: null })
  }
  return calls
}

export const WORKLOADS: Record<Work, Workload> = { import: imports, record: records, hook: hooks }

/** A name for a work of which nothing is known yet. */
export const newName = (seed: number, round: number | string): string =>
  `faults-${seed}-${round}-${randomUUID().slice(0, 8)}`

/** What wanted entries are called when the work has another name: those of hooks carry it. */
export const renamed = (stored: readonly Stored[], from: string, to: string): Stored[] =>
  stored.map((one) => ({ ...one, externalId: one.externalId.replace(from, to) }))

/** Whether recorders on this machine have kept some of what their commands printed. */
export function keptOutput(stateDir: string): boolean {
  const folder = join(stateDir, 'spool/records')
  if (!existsSync(folder)) return false
  return readdirSync(folder, { withFileTypes: true, recursive: true }).some(
    (entry) =>
      entry.isFile() && entry.name === 'stdout' && statSync(join(entry.parentPath, entry.name)).size > 0,
  )
}
