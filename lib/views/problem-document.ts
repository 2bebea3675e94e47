import { PROBLEMS, type Problem, type ProblemSlug } from '../problem'
import { PROBLEM_TITLES } from '../words/problem-titles'

/** Builds the document; `detail` names the case at hand, `line` the line of the input (1-based) when there is one. */
export const problem = (
  slug: ProblemSlug,
  detail?: string,
  extra: { requestId?: string; line?: number } = {},
): Problem => ({
  type: `/problems/${slug}`,
  status: PROBLEMS[slug].status,
  title: PROBLEM_TITLES[slug],
  ...(detail === undefined ? {} : { detail }),
  ...extra,
})
