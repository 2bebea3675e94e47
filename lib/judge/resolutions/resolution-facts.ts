import type { Chain } from '../../model/summary'
import { stepsOfCall } from '../calls/command-steps'
import type { WorkedCall } from '../calls/merge-calls'
import { CHANGES_FILES, offersName } from '../calls/retry-chain'
import { isSlip } from '../calls/slip'
import { mayHaveWritten } from '../calls/missing'
import { subjectOf, speaksOf } from './subject'
import { isCheck, workKindOf, type WorkKind } from './work-kind'

/** How many later calls are searched for the same work. */
const CALLS_READ_ON = 200

/** A failed call, with what came after it. */
export interface ResolutionFacts {
  failed: WorkedCall
  kind: WorkKind
  /** Later calls that succeeded and did some of the work, in order. */
  later: readonly WorkedCall[]
  /** The next success of the same tool on the same target. */
  next: WorkedCall | null
  /** A person or a hook did not let a call of this target through between the failure and a later call. */
  refusedBefore: (later: WorkedCall) => boolean
}

const REFUSED: ReadonlySet<string | null> = new Set(['user_rejected', 'hook'])

export function resolutionFacts(
  failed: WorkedCall,
  calls: readonly WorkedCall[],
  chains: readonly Chain[],
  byId: ReadonlyMap<string, WorkedCall>,
): ResolutionFacts {
  const after = calls.slice(failed.ordinal + 1, failed.ordinal + 1 + CALLS_READ_ON)
  const chain = failed.chain === null ? undefined : chains[failed.chain]
  const nextId = chain?.recovered === true ? chain.nextCallId : null
  return {
    failed,
    kind: workKindOf(failed),
    later: after.filter((a) => a.state === 'succeeded' && workKindOf(a) !== 'notes'),
    next: nextId === null ? null : (byId.get(nextId) ?? null),
    refusedBefore: (later) =>
      after.some(
        (a) => a.ordinal < later.ordinal && a.target === failed.target && REFUSED.has(a.failureClass),
      ),
  }
}

/** `Edit` and `MultiEdit` change part of a file; `Write` puts a new text in the place of the whole. */
const EDITS: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'NotebookEdit'])

/** The next success of an edit of the same file. */
export const laterEdit = ({ failed, later }: ResolutionFacts): WorkedCall | undefined =>
  later.find(
    (a) =>
      a.target === failed.target &&
      ((EDITS.has(failed.tool) && EDITS.has(a.tool)) ||
        (failed.failureClass === 'not_read_first' && a.tool === failed.tool)),
  )

/** The next success that wrote the file of a failed edit in another way. */
export const laterWrite = ({ failed, later }: ResolutionFacts): WorkedCall | undefined =>
  later.find(
    (a) =>
      failed.target !== null &&
      ((CHANGES_FILES.has(a.tool) && a.target === failed.target) ||
        (a.looseTarget !== null && a.target !== null && mayHaveWritten(a.target, failed.target))),
  )

/** A path without its extension, in small letters. */
const stemOf = (path: string): string => path.replace(/\.[A-Za-z0-9]+$/, '').toLowerCase()
/** Tools that search below a path: what they look for is found from a folder above it, too. */
const SEARCHES: ReadonlySet<string> = new Set(['Grep', 'Glob', 'LS'])

/** The next success of the same tool on the path that was meant: another extension, other letters, or a folder above. */
export const correctedPath = ({ failed, later }: ResolutionFacts): WorkedCall | undefined => {
  const { tool, target, looseTarget } = failed
  if (target === null || looseTarget !== null || failed.failureClass !== 'file_missing') return undefined
  return later.find(
    (a) =>
      a.tool === tool &&
      a.target !== null &&
      a.target !== target &&
      (stemOf(a.target) === stemOf(target) || (SEARCHES.has(tool) && target.startsWith(`${a.target}/`))),
  )
}

/** The next success of the tool under a name that the failure itself offers. */
export const correctedName = ({ failed, later }: ResolutionFacts): WorkedCall | undefined =>
  failed.target === null || failed.looseTarget !== null
    ? undefined
    : later.find(
        (a) =>
          a.tool === failed.tool &&
          a.target !== null &&
          offersName(failed.errorText ?? '', failed.target!, a.target),
      )

/** The next success of a command with the step that the failed one was made for: its last. */
export function sameStep({ failed, later, kind }: ResolutionFacts): WorkedCall | undefined {
  if (kind !== 'command' && !isSlip(failed)) return undefined
  const aim = stepsOfCall(failed).findLast(({ looks }) => !looks || kind !== 'command')
  if (aim === undefined) return undefined
  // A check has passed only where it ran as a whole; of other commands corrected arguments are the same step.
  const part = isCheck(failed) ? 'text' : 'name'
  return later.find((a) => a.tool === failed.tool && stepsOfCall(a).some((step) => step[part] === aim[part]))
}

/** The next success of another call that speaks of what the failed one was about. */
export function onSubject({ failed, later }: ResolutionFacts): WorkedCall | undefined {
  const subject = subjectOf(failed)
  return subject.length === 0 ? undefined : later.find((a) => speaksOf(a, subject))
}

/** A person or a hook did not let it through, or it was stopped. */
export const isRefusal = ({ failed }: ResolutionFacts): boolean =>
  REFUSED.has(failed.failureClass) || failed.failureClass === 'interrupted'
