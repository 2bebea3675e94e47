import { firstDifference, threw } from '../difference'
import { readCases } from '../read-cases'
import type { ReferenceCase } from '../reference-cases'
import type { CaseResult, Suite } from '../suite'

interface Case {
  id: string
}

type Compare<C> = (one: C) => { expected: unknown; got: unknown }

/**
 * A suite of cases that are one on each line of a file.
 *
 * @param compare what the core returns for a case, in the spelling of what is recorded, beside the recorded
 * @param byReference the part of each case that needs reference code, a case of its own
 */
export function jsonLines<C extends Case>(
  name: string,
  recognises: (path: string) => boolean,
  compare: Compare<C>,
  byReference?: { kind: ReferenceCase; compare: Compare<C> },
): Suite {
  return {
    name,
    recognises,
    *run(path): Iterable<CaseResult> {
      for (const one of readCases<C>(path)) {
        yield { id: one.id, difference: differenceOf(() => compare(one)) }
        if (byReference === undefined) continue
        const { kind, compare: compareReference } = byReference
        yield {
          id: `${one.id}#${kind}`,
          difference: differenceOf(() => compareReference(one)),
          reference: kind,
        }
      }
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
