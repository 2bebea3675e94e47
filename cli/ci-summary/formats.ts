/** How the log of a job is written; a CI system that is none of these takes plain lines. */
export const FORMATS = ['github', 'gitlab', 'buildkite', 'jenkins', 'circleci', 'plain'] as const
export type Format = (typeof FORMATS)[number]
