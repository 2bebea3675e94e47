import type { CauseCategory } from '../../model/cause-categories'
import type { RunFact } from '../../model/run-facts'

/** What a decision says of the end of a run, and what its process left. */
export interface DecidedFacts {
  readonly outcome: string
  readonly retryReason: string
  readonly basis: 'recorded' | 'recomputed' | 'inferred'
  readonly subtype: string
  readonly contentState: string
  /** The output could not be parsed by the source's own rules. */
  readonly unparseable: boolean
  /** What broke as the decision says; null where it says that nothing did. */
  readonly category: CauseCategory | null
  /** The recorded process; null: none was. */
  readonly run: RunFact | null
  /** The first expected pattern that is known to be missing. */
  readonly pattern: { readonly text: string; readonly invalid: boolean } | null
}
