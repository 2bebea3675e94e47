import type { ReferenceCase } from './reference-cases'

/** What one recorded case came to. */
export interface CaseResult {
  id: string
  /** First difference between what is recorded and what the core returned, as a JSON pointer with both values; null when there is none. */
  difference: string | null
  /** The check of the source that the case stands for, as `script#check`. A check can have several cases. */
  check?: string
  /** Left out when the case ran only code that the product runs. */
  reference?: ReferenceCase
}

/** A kind of recorded cases, known by the folder and the name of its files. A further one is a further entry of `suites.ts`. */
export interface Suite {
  name: string
  /** Whether a file holds such cases. @param path with `/`, below the folder that was asked for, or absolute */
  recognises(path: string): boolean
  /** Runs all cases of a file. Whatever a case throws is its difference. */
  run(path: string): AsyncIterable<CaseResult> | Iterable<CaseResult>
}
