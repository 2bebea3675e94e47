import { type Fault, planRound, type Round, WORKS, type Work } from './plan'
import { runRound, type RoundResult, type Undisturbed } from './round'
import { newName, WORKLOADS, writeHistory } from './works'
import { openWorld, type World } from './world'

export interface FaultsOptions {
  seed: number
  rounds: number
  /** Number of the first round, to repeat one of a longer run. */
  from?: number
  faults?: readonly Fault[]
  say?: (line: string) => void
}

export interface FaultsReport {
  seed: number
  results: RoundResult[]
  /** Why the disk could not be filled; null: it could. */
  diskRefused: string | null
}

/** Plays the rounds against one server and says of each what came of it. */
export async function runFaults({
  seed,
  rounds,
  from = 0,
  faults,
  say = () => {},
}: FaultsOptions): Promise<FaultsReport> {
  const world = await openWorld()
  try {
    writeHistory(world)
    const planned = Array.from({ length: rounds }, (_, i) => planRound(seed, from + i, faults)).filter(
      ({ fault }) => fault !== 'disk full' || world.disk !== null,
    )
    if (world.diskRefused !== null) say(`the disk cannot be filled here: ${world.diskRefused}`)
    const undisturbed = await playUndisturbed(world, seed, new Set(planned.map(({ work }) => work)))
    const report: FaultsReport = { seed, results: [], diskRefused: world.diskRefused }
    for (const round of planned) {
      const result = await runRound(
        world,
        WORKLOADS[round.work],
        undisturbed.get(round.work)!,
        round,
        newName(seed, round.number),
      )
      report.results.push(result)
      say(lineOf(round, result))
    }
    return report
  } finally {
    await world.close()
  }
}

/** Each kind of work once without a fault, to compare with. */
async function playUndisturbed(
  world: World,
  seed: number,
  works: ReadonlySet<Work>,
): Promise<Map<Work, Undisturbed>> {
  const played = new Map<Work, Undisturbed>()
  for (const kind of WORKS.filter((one) => works.has(one))) {
    const work = WORKLOADS[kind]
    // The first time the server has everything to load, so only the second is measured and compared with.
    await work.start(world, newName(seed, 'first')).done
    const name = newName(seed, 'undisturbed')
    const startedMs = performance.now()
    const { codes, output } = await work.start(world, name).done
    const ms = performance.now() - startedMs
    if (codes.some((code) => !work.codes.includes(code ?? -1)))
      throw new Error(`${kind} ended with ${codes}: ${output}`)
    // What it left in the spool, and what is derived later.
    let stored = await work.read(world, name)
    for (let same = 0; same < 5; ) {
      await new Promise((resolve) => setTimeout(resolve, 300))
      const now = await work.read(world, name)
      same =
        now.length > 0 && JSON.stringify(now) === JSON.stringify(stored) && world.spooled().length === 0
          ? same + 1
          : 0
      stored = now
    }
    played.set(kind, { name, stored, ms })
  }
  return played
}

function lineOf({ number, fault, work, at01 }: Round, result: RoundResult): string {
  const { missed, lost, doubled, different, wrongExits, spooled, recoveryMs, byHand, notes } = result
  const figures = {
    lost,
    doubled,
    different,
    'wrong exits': wrongExits,
    spooled,
    'by hand': byHand === null ? 0 : 1,
  }
  const wrong = Object.entries(figures).filter(([, count]) => count > 0)
  return [
    `round ${number}: ${fault} at ${Math.round(at01 * 100)} % of ${work}: ${
      wrong.length === 0 ? 'right' : wrong.map(([what, count]) => `${count} ${what}`).join(', ')
    }, ready after ${(recoveryMs / 1000).toFixed(1)} s${missed === null ? '' : ` (${missed})`}`,
    ...notes.map((note) => `  ${note.replaceAll('\n', '\n  ')}`),
  ].join('\n')
}
