import type { CiRun } from '@/lib/model/ci-run'
import { inGithubLog } from '../ci-summary/escapes'

/** CI systems with a syntax for annotations. */
export const ANNOTATIONS = ['github', 'gitlab', 'buildkite', 'none'] as const
export type Annotations = (typeof ANNOTATIONS)[number]

/** The log that the environment writes to, unless another one is named. */
export const annotationsOf = (named: Annotations | undefined, ci: CiRun | null): Annotations =>
  named ?? ANNOTATIONS.find((one) => one === ci?.provider) ?? 'none'

/**
 * A line for a log of Buildkite, which takes `---`, `+++`, `~~~` and `^^^ +++` at the beginning of a line for its groups, and draws `:name:` as
 * an emoji.
 *
 * @see https://buildkite.com/docs/pipelines/configure/managing-log-output
 */
export const inBuildkiteLog = (line: string): string =>
  withoutEmoji(line).replace(/^(?=(?:---|\+\+\+|~~~|\^\^\^))/, ' ')

/** Numbers between colons are places in a file, except the few that are names. */
export const withoutEmoji = (text: string): string =>
  text.replace(/:(?=(?:[+-]1|100|1234|[\w+-]*[a-z_][\w+-]*):)/gi, ': ')

/** GitLab acts on escape sequences alone, which are made visible in every output. */
export const INERT: Record<Annotations, (line: string) => string> = {
  github: inGithubLog,
  gitlab: (line) => line,
  buildkite: inBuildkiteLog,
  none: (line) => line,
}
