import { FAILURE_SUBTYPES, type ContentState } from './vocabulary'
import { patternsFound, type VerdictFacts } from './verdict-facts'

/** What was delivered, against what was agreed on. */
export function contentStateOf(facts: VerdictFacts): ContentState {
  if (facts.isError) return 'session_error'
  if (facts.blank) return 'absent'
  if (facts.markerSet && !facts.markerInText) return 'absent'
  return patternsFound(facts) ? 'complete' : 'contract_violation'
}

export type ContentFault =
  | 'is_error'
  | 'empty_result'
  | 'failure_subtype'
  | 'result_is_only_marker'
  | 'completion_marker_absent'
  | 'expected_artifact_absent'

/** First thing that keeps the content from being good; stricter than the state, which looks at fewer of them. */
export function contentFaultOf(facts: VerdictFacts): ContentFault | null {
  if (facts.isError) return 'is_error'
  if (facts.blank) return 'empty_result'
  if (FAILURE_SUBTYPES.has(facts.subtype)) return 'failure_subtype'
  if (facts.onlyMarker) return 'result_is_only_marker'
  if (facts.markerSet && !facts.markerInText) return 'completion_marker_absent'
  return patternsFound(facts) ? null : 'expected_artifact_absent'
}
