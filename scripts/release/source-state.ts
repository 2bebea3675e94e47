import { execFileSync } from 'node:child_process'

/** What a release is made from. */
export interface SourceState {
  commit: string
  /** Of the commit, ISO 8601. */
  date: string
  /** Seconds since 1970. */
  epoch: number
  tags: string[]
  clean: boolean
}

export function readSourceState(root: string): SourceState {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const epoch = Number(git('log', '-1', '--format=%ct'))
  return {
    commit: git('rev-parse', 'HEAD'),
    date: new Date(epoch * 1000).toISOString(),
    epoch,
    tags: git('tag', '--points-at', 'HEAD').split('\n').filter(Boolean),
    clean: git('status', '--porcelain') === '',
  }
}

/** Why this is no release; null when it is one. */
export function whyNoRelease({ tags, clean }: SourceState, version: string): string | null {
  if (!clean) return 'the working tree has changes that are in no commit'
  if (!tags.includes(`v${version}`)) return `this commit has no tag v${version}`
  return null
}
