import { firstDifference, threw } from '../difference'
import { readCases } from '../read-cases'
import type { CaseResult, Suite } from '../suite'

interface Case {
  id: string
}

/**
 * A suite of cases that stand one on each line of a file.
 *
 * @param compare what the core returns for a case, in the spelling of what is recorded, beside the recorded
 */
export function jsonLines<C extends Case>(
  name: string,
  recognises: (path: string) => boolean,
  compare: (one: C) => { expected: unknown; got: unknown },
): Suite {
  return {
    name,
    recognises,
    *run(path): Iterable<CaseResult> {
      for (const one of readCases<C>(path)) yield { id: one.id, difference: differenceOf(() => compare(one)) }
    },
  }
}

function differenceOf(compare: () => { expected: unknown; got: unknown }): string | null {
  try {
    const { expected, got } = compare()
    return firstDifference(expected, got)
  } catch (error) {
    return threw(error)
  }
}
