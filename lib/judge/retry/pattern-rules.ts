import type { CallRules } from './call-answer'
import { errorSign, onError } from './error-sign'
import { noParams } from './no-params'
import { withInputElsewhere } from './receipt-input'

/** Reasons in the words of an error, in the order they are looked for. */
export const PATTERN_RULES: CallRules = [
  errorSign(
    'name_unknown',
    /unknown (?:sub-?)?(?:command|option|flag|skill)|unrecognized|invalid usage|Agent type '[^']*' not found|no such tool/i,
    'wont_help',
    'use_existing_name',
  ),
  errorSign(
    'push_behind',
    /non-fast-forward|fetch first|tip of your current branch is behind/i,
    'wont_help',
    'merge_then_push',
  ),
  errorSign('arguments_too_long', /argument list too long/i, 'wont_help', 'pass_by_file'),
  {
    // What may have passed by the next attempt.
    id: 'connection_failed',
    when: ({ error }) =>
      /\b(?:ECONN\w+|ENOTFOUND|ETIMEDOUT|timed? ?out|temporarily unavailable|connection (?:reset|refused)|could not resolve host)\b|\b(?:HTTP|status|code|error)\b\D{0,8}\b(?:429|50[234])\b/i.test(
        error,
      ),
    verdict: (facts) => ({
      retry: 'would_help',
      next: withInputElsewhere(onError('rerun_after_connection', facts), facts),
    }),
    params: noParams,
  },
  errorSign('path_ignored', /ignored by one of your \.gitignore/i, 'wont_help', 'unignore_path'),
  errorSign('make_target_missing', /No rule to make target/i, 'wont_help', 'use_make_target'),
]
