import type { Work } from './work'
import { leadingFailure, type LeadingVerdict } from './leading'
import { memoize } from '../../text/memoize'
import { isSameInput } from '../../model/same-input'
import { LOOKS_AROUND } from '../calls/retry-chain'
import { decisiveText, withoutPreparation } from '../calls/call-ref'
import type { WorkedCall } from '../calls/merge-calls'
import { isSlip } from '../calls/slip'
import type { Chain } from '../../model/summary'

/** The failure that an explanation speaks about, with what was tried and what came of it. */
export interface Focus {
  call: WorkedCall
  chain: Chain | null
  /** Failed attempts of the same tool on the same target in this chain. */
  failedCalls: number
  failed: readonly WorkedCall[]
  recovered: boolean
  /** The call that did the work in the end, where the chain itself did not recover. */
  workaround: WorkedCall | null
  /** The try of the same tool and target that came after the failed ones, whatever became of it. */
  next: WorkedCall | null
  /** How much the failure tells about the run. */
  weight: number
  /** None of the failures is its own: each hangs on another call of its message that failed or was refused. */
  hangs: boolean
}

/** How much a failure of a class tells about a run that went on: own failures most, consequences of others least. */
const WEIGHTS: Record<string, number> = {
  exit_code: 6,
  agent_failure: 6,
  other: 6,
  permission_denied: 6,
  hook: 5,
  user_rejected: 4,
  input_validation: 4,
  task_output: 4,
  edit_no_match: 4,
  edit_multi_match: 3,
  interrupted: 3,
  too_large: 3,
  not_read_first: 2,
  file_missing: 2,
  is_dir: 2,
  sibling_cancelled: 0,
}

/** Looking for something that is not there is how agents find their way; the same words in a build are another matter. */
const weightOf = (a: WorkedCall): number => {
  // A command that misses a file has failed at its work; a tool that reads one has only looked in the wrong place.
  const base =
    a.failureClass === 'file_missing' && a.looseTarget !== null
      ? WEIGHTS['exit_code']!
      : (WEIGHTS[a.failureClass ?? 'other'] ?? 5)
  const mayLook =
    a.failureClass === 'exit_code' || a.failureClass === 'other' || a.failureClass === 'file_missing'
  if (isSlip(a)) return WEIGHTS['interrupted']!
  return mayLook && a.target !== null && LOOKS_AROUND.test(withoutPreparation(a.target)) ? 2 : base
}

export function focusOn(call: WorkedCall, { calls, chains, byId }: Work): Focus {
  const chain = call.chain === null ? null : (chains[call.chain] ?? null)
  const failed = chain?.failedCallIds.map((id) => byId.get(id)!) ?? [call]
  const recovered = chain?.recovered ?? false
  const next = chain?.nextCallId ? (byId.get(chain.nextCallId) ?? null) : null
  const last = failed.at(-1) ?? call
  const number = (last.resolution?.params as { number?: number } | undefined)?.number
  return {
    call,
    chain,
    failedCalls: failed.length,
    failed,
    recovered,
    workaround: recovered || number === undefined ? null : (calls[number - 1] ?? null),
    weight: weightOf(call),
    next,
    hangs: failed.every((a) => a.attachedTo !== null && a.attachedTo.callId !== null),
  }
}

/** Whether the failed attempts all asked the same (for a command: the same command line) and got the same decisive words. */
export const isUnchanged = ({ failed }: Pick<Focus, 'failed'>): boolean => areAlike(failed)

const areAlike = memoize((failed: readonly WorkedCall[]): boolean => {
  const first = failed[0]!
  const words = decisiveText(first)
  return failed.every(
    (a) =>
      (a.looseTarget !== null || isSameInput(a.inputDigest, first.inputDigest) === true) &&
      decisiveText(a) === words,
  )
})

/** The chains of a run, split by what became of the work. */
export interface ChainsRead {
  open: Focus[]
  workedAround: Focus[]
  recovered: Focus[]
  /**
   * The failure to show first: the one that `leads` names; else of what stayed open the one with the most informative
   * class, then the most attempts, then the last. One that hangs on another only where there is no other.
   */
  leading: Focus | null
  /** Why `leading` is worth a look although the run went on; null: nothing of what failed is. */
  leads: LeadingVerdict | null
}

export function readChains(work: Work): ChainsRead {
  const all = work.chains.map((c) => focusOn(work.byId.get(c.failedCallIds.at(-1)!)!, work))
  const recovered = all.filter((f) => f.recovered)
  const workedAround = all.filter((f) => f.workaround !== null)
  const open = all.filter((f) => !f.recovered && f.workaround === null)
  const own = [open, workedAround, recovered].map((list) => list.filter((f) => !f.hangs))
  const pool = [...own, open, workedAround, recovered].find((list) => list.length > 0) ?? []
  let leading: Focus | null = null
  for (const f of pool)
    if (
      !leading ||
      f.weight > leading.weight ||
      (f.weight === leading.weight && f.failedCalls >= leading.failedCalls)
    )
      leading = f
  const leads = leadingFailure(work)
  return { open, workedAround, recovered, leading: leads ? focusOn(leads.verdict, work) : leading, leads }
}
