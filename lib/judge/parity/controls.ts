import type { ControlId } from '../../model/messages/parity'
import { compareForms } from './compare-forms'
import { CONTROLS, type Control } from './control-pairs'
import { byCodePoint } from './differences'
import { documentWays } from './document-ways'

/**
 * Puts pairs whose differences are known through the code that compares documents, with all that explains a difference. As long as each comes out as it must, that
 * nothing is found elsewhere means something.
 *
 * @param compare the engine under control
 * @returns ids of the controls that failed
 */
export const runControls = (compare: typeof compareForms = compareForms): ControlId[] =>
  CONTROLS.filter((one) => !holds(one, compare)).map(({ id }) => id)

function holds(
  { left, right, replies, wanted, byDesign, scalarOnly, verdict }: Control,
  compare: typeof compareForms,
): boolean {
  try {
    const found = compare([{ form: 'document', layers: [left, right], ways: documentWays(replies) }])
    const all = found.transitions
    return (
      found.verdict === verdict &&
      found.transitions.every(({ isWhole }) => isWhole) &&
      isSame(
        all.flatMap(({ differences }) =>
          differences.map(({ kind, path, severity }) => `${kind} ${path} ${severity}`),
        ),
        wanted.map((one) => one.join(' ')),
      ) &&
      isSame(
        all.flatMap((one) => one.byDesign.map(({ path }) => path)),
        byDesign,
      ) &&
      isSame(
        all.flatMap((one) => one.scalarOnly),
        scalarOnly,
      )
    )
  } catch {
    return false
  }
}

const isSame = (found: readonly string[], wanted: readonly string[]): boolean =>
  JSON.stringify(found.toSorted(byCodePoint)) === JSON.stringify(wanted.toSorted(byCodePoint))

let failed: ControlId[] | undefined

/** The controls that failed in this process: run once, as the code that compares does not change while it runs. */
export const failedControls = (): ControlId[] => (failed ??= runControls())
