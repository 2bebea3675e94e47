import { succeededLoosely, succeededOtherwise } from '../attempts/retry-chain'
import { decisiveText } from './phrases'
import type { WorkedAttempt } from './merge-calls'
import type { Chain } from './summary'

/** The failure that an explanation speaks about, with what was tried and what came of it. */
export interface Focus {
  attempt: WorkedAttempt
  chain: Chain | null
  /** Failed tries of the same tool on the same target in this chain. */
  tries: number
  /** The failed tries of the chain all had the same input and the same decisive words. */
  unchanged: boolean
  recovered: boolean
  /** A later call that did the same by another command or tool, when the chain itself did not recover. */
  otherwise: WorkedAttempt | null
}

/** How much a failure of a class tells about a run that went on: own failures most, consequences of others least. */
const TELLING: Record<string, number> = {
  exit_code: 6, other: 6, permission_denied: 6, hook: 5, user_rejected: 4, input_validation: 4, task_output: 4, edit_no_match: 4,
  edit_multi_match: 3, interrupted: 3, too_large: 3, not_read_first: 2, file_missing: 2, is_dir: 2, sibling_cancelled: 0,
}

/** Looking for something that is not there is how agents find their way; the same words in a build are another matter. */
const LOOKS_AROUND = /^\s*(?:ls|find|cat|head|tail|stat|tree|grep|rg|which|test|wc|file|du)\b/

const weightOf = (a: WorkedAttempt): number => {
  const base = TELLING[a.failureClass ?? 'other'] ?? 5
  return base > 2 && a.target !== null && LOOKS_AROUND.test(a.target) ? 2 : base
}

export function focusOn(attempt: WorkedAttempt, attempts: readonly WorkedAttempt[], chains: readonly Chain[], byId: ReadonlyMap<string, WorkedAttempt>): Focus {
  const chain = attempt.chain === null ? null : (chains[attempt.chain] ?? null)
  const failed = chain?.failedCallIds.map((id) => byId.get(id)!) ?? [attempt]
  const recovered = chain?.recovered ?? false
  const last = failed.at(-1) ?? attempt
  return {
    attempt,
    chain,
    tries: failed.length,
    unchanged: failed.every((a) => a.inputDigest === attempt.inputDigest && decisiveText(a) === decisiveText(attempt)),
    recovered,
    otherwise: recovered ? null : ((succeededOtherwise(attempts, last) ?? succeededLoosely(attempts, last)) as WorkedAttempt | null),
  }
}

/** The chains of a run, split by what became of the work. */
export interface ChainsRead {
  open: Focus[]
  otherwise: Focus[]
  recovered: Focus[]
  /** The failure worth showing: of what stayed open first, the most telling, then the most tried, then the last. */
  telling: Focus | null
}

export function readChains(attempts: readonly WorkedAttempt[], chains: readonly Chain[], byId: ReadonlyMap<string, WorkedAttempt>): ChainsRead {
  const all = chains.map((c) => focusOn(byId.get(c.failedCallIds.at(-1)!)!, attempts, chains, byId))
  const recovered = all.filter((f) => f.recovered)
  const otherwise = all.filter((f) => f.otherwise !== null)
  const open = all.filter((f) => !f.recovered && f.otherwise === null)
  const pool = [open, otherwise, recovered].find((list) => list.length > 0) ?? []
  let telling: Focus | null = null
  for (const f of pool)
    if (!telling || weightOf(f.attempt) > weightOf(telling.attempt) || (weightOf(f.attempt) === weightOf(telling.attempt) && f.tries >= telling.tries)) telling = f
  return { open, otherwise, recovered, telling }
}
