import { setTimeout as pause } from 'node:timers/promises'
import { compareStored, isRight, type Stored, type Verdict } from './compare'
import { inflict } from './inflict'
import type { Round } from './plan'
import { keptOutput, renamed, type Ended, type Workload } from './works'
import type { World } from './world'

export interface RoundResult {
  round: Round
  /** There was nothing to hit at that moment: the work was done undisturbed. */
  missed: string | null
  lost: number
  doubled: number
  different: number
  wrongExits: number
  /** The spool was not empty at the end. */
  spooled: number
  recoveryMs: number
  /** Why somebody had to start the server again although it was not hit itself. */
  byHand: string | null
  /** What went wrong, for a reader. */
  notes: string[]
}

/** What the work stores when nothing happens, and how long it takes. */
export interface Undisturbed {
  name: string
  stored: Stored[]
  ms: number
}

/** What is acknowledged may be derived a little later; beyond this it counts as lost. */
const SETTLE_MS = 20_000
const LOOK_MS = 200
/** The disk stays full until the work has ended, but not for longer. */
const FULL_MS = 4_000
/** Server that was told to end: an orderly end that takes longer is cut by whoever supervises it. */
const END_MS = 15_000

/** Asks again and again until it is right, or long enough. */
async function settle(look: () => Promise<Verdict>): Promise<Verdict> {
  const until = Date.now() + SETTLE_MS
  for (;;) {
    try {
      const verdict = await look()
      if (isRight(verdict) || Date.now() > until) return verdict
    } catch (error) {
      // The server is ready, and yet a read may meet a connection that has just broken.
      if (Date.now() > until) throw error
    }
    await pause(LOOK_MS)
  }
}

/** Starts the work, lets the fault happen in the middle of it, and looks at what is there afterwards. */
export async function runRound(
  world: World,
  work: Workload,
  undisturbed: Undisturbed,
  round: Round,
  name: string,
): Promise<RoundResult> {
  const wanted = renamed(undisturbed.stored, undisturbed.name, name)
  const running = work.start(world, name)
  await pause(round.at01 * undisturbed.ms)
  const missed = await inflict(round.fault, world, running)
  if (round.fault === 'web: SIGTERM') await endsInOrder(world)
  if (round.fault === 'disk full') {
    await Promise.race([running.done, pause(FULL_MS)])
    world.disk?.empty()
  }
  const kept = round.fault === 'record: SIGKILL' && keptOutput(world.inquest().stateDir)
  const [ended, recovery] = await Promise.all([running.done, world.recover()])

  const result: RoundResult = {
    round,
    missed,
    lost: 0,
    doubled: 0,
    different: 0,
    wrongExits: 0,
    spooled: 0,
    recoveryMs: recovery.ms,
    byHand: recovery.byHand,
    notes: recovery.byHand === null ? [] : [recovery.byHand],
  }
  const count = (when: string, { lost, doubled, different }: Verdict): void => {
    result.lost += lost.length
    result.doubled += doubled.length
    result.different += different.length
    for (const [what, ids] of Object.entries({ lost, doubled, different }))
      if (ids.length > 0) result.notes.push(`${when}: ${what} ${ids.join(', ')}`)
  }
  const exits = (codes: readonly (number | null)[], allowed: readonly (number | null)[]): void => {
    const wrong = codes.filter((code) => !allowed.includes(code))
    if (wrong.length === 0) return
    result.wrongExits += wrong.length
    result.notes.push(
      `exit status ${wrong.join(', ')}, not ${allowed.join(' or ')}:\n${ended.output.slice(-800)}`,
    )
  }

  exits(ended.codes, allowedCodes(work, round))
  const must = acknowledgedOf(ended, wanted)
  const wasCut = round.fault === 'record: SIGKILL' && ended.codes.includes(null)
  const look = async (ids: ReadonlySet<string>): Promise<Verdict> => {
    const stored = await work.read(world, name)
    if (!wasCut) return compareStored(stored, wanted, ids)
    // What a killed recorder left is what had been printed by then: one execution, and no more.
    return {
      lost: kept && stored.length === 0 ? [name] : [],
      doubled: stored.slice(1).map((one) => one.externalId),
      different: [],
    }
  }
  count('acknowledged', await settle(() => look(must)))
  if (work.again) {
    exits([await work.again(world, name)], [0])
    count('sent again', await settle(() => look(new Set(wanted.map(({ externalId }) => externalId)))))
  }
  result.spooled = (await emptySpool(world)).length
  if (result.spooled > 0) result.notes.push(`in the spool: ${world.spooled().join(', ')}`)
  return result
}

/** The work that was hit itself may end by the signal, or have ended before. */
function allowedCodes(work: Workload, { fault, work: name }: Round): (number | null)[] {
  if (!fault.startsWith(name)) return [...work.codes]
  // A signal that comes before the program listens for it ends it as a signal does.
  return fault.endsWith('SIGKILL') ? [null, ...work.codes] : [130, null, ...work.codes]
}

/** An import that says that all went well acknowledges all; a program that was cut, what it had said by then. */
const acknowledgedOf = ({ codes, acknowledged }: Ended, wanted: readonly Stored[]): ReadonlySet<string> =>
  codes.every((code) => code === 0) ? new Set(wanted.map(({ externalId }) => externalId)) : acknowledged

async function endsInOrder(world: World): Promise<void> {
  const { child } = world.inquest()
  const until = Date.now() + END_MS
  while (child.exitCode === null && child.signalCode === null) {
    if (Date.now() > until) child.kill('SIGKILL')
    await pause(20)
  }
}

async function emptySpool(world: World): Promise<string[]> {
  const until = Date.now() + SETTLE_MS
  while (world.spooled().length > 0 && Date.now() < until) await pause(LOOK_MS)
  return world.spooled()
}
