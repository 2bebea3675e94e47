/** What a file of a run folder holds, by where it lies in it. */
export const RUN_FILES = [
  'execution',
  'summary',
  'log',
  'prompt',
  'transcript',
  'context',
  'fix',
  'outputs',
  'output',
  'other',
] as const
export type RunFileKind = (typeof RUN_FILES)[number]

export interface RunFile {
  kind: RunFileKind
  /** The task's part of the name. Two tasks can share it (`taskFileName`), so it names a task only where no other has it. */
  stem: string | null
}

const PLACES: readonly [RegExp, RunFileKind][] = [
  [/^execution\.json$/, 'execution'],
  [/^summary\.md$/, 'summary'],
  [/^logs\/([^/]+)\.log$/, 'log'],
  [/^agents\/([^/]+)\.prompt\.txt$/, 'prompt'],
  [/^agents\/([^/]+)\.jsonl$/, 'transcript'],
  [/^context\/([^/]+)\.json$/, 'context'],
  [/^fixes\/([^/]+)\.patch$/, 'fix'],
  [/^cache\/tasks\/([0-9a-f]{64})\/outputs\.json$/, 'outputs'],
  [/^cache\/tasks\/([0-9a-f]{64})\/outputs\/.+$/, 'output'],
]

/** @param path below the folder of the run; what lies in the cache has the path below `.async` */
export function readRunPath(path: string): RunFile {
  for (const [at, kind] of PLACES) {
    const found = at.exec(path)
    if (found) return { kind, stem: found[1] ?? null }
  }
  return { kind: 'other', stem: null }
}

/** The name that the tool makes of a task for its files. Not injective: `a:b` and `a_b` share one file. */
export const taskFileName = (task: string): string => task.replace(/[^A-Za-z0-9._-]/g, '_')

/** Start in UTC with `:` and `.` turned into `-`, and eight hex digits: the tool removes the oldest of these folders after each run. */
const IN_RUN = /\/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-[0-9a-f]{8}(?:\/|$)/
export const isInRunFolder = (path: string): boolean => IN_RUN.test(path)
