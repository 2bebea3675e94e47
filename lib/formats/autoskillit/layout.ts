/** Files that AutoSkillit writes into the folder of a run, by what they hold. Other files of the folder are nothing we read. */
const FILES = {
  'summary.json': 'summary',
  'token_usage.json': 'token_usage',
  'step_timing.json': 'step_timing',
  'audit_log.json': 'audit_log',
  'anomalies.jsonl': 'anomalies',
  'proc_trace.jsonl': 'trace',
  'crash_exception.txt': 'crash',
} as const

export type LogFile = (typeof FILES)[keyof typeof FILES] | 'index'

export interface LogPath {
  /** Null: a name that says nothing about what the file holds. */
  file: LogFile | null
  /** Folder of the run; null when the path does not show one. */
  dir: string | null
}

/** The index of all runs, and where later versions put the lines that they take out of it. */
const INDEX = /^sessions(?:-archive)?\.jsonl$/

/**
 * What a path says: `sessions.jsonl`, or `sessions/<dir>/<file>` with any part of its beginning missing.
 *
 * @see docs/sources/autoskillit.md
 */
export function readLogPath(fileName: string | null | undefined): LogPath {
  const names = (fileName ?? '').split('/').filter((name) => name !== '')
  const base = names.at(-1) ?? ''
  if (INDEX.test(base)) return { file: 'index', dir: null }
  const file = Object.hasOwn(FILES, base) ? FILES[base as keyof typeof FILES] : null
  const dir = names.at(-2) ?? null
  // For an unknown file, only the layout shows that its folder belongs to a run.
  const isRun = dir !== null && dir !== 'sessions' && (file !== null || names.at(-3) === 'sessions')
  return { file, dir: isRun ? dir : null }
}

/** A later version gives a resumed session a folder for each run: the session id, and the start with its colons turned into hyphens. */
const RESUMED = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})_\d{4}-\d\d-\d\dT/i

/** The session that the folder of a run stands for; `no_session_<start>` for a run that never had one. */
export const sessionOfDir = (dir: string): string => RESUMED.exec(dir)?.[1] ?? dir

/** The end of a path that says whose file it is and what it holds; null for a path that is none of a session log. */
export function logFileName(path: string): string | null {
  const { file, dir } = readLogPath(path)
  if (file === null || (file !== 'index' && dir === null)) return null
  const names = path.split('/')
  return names.slice(file === 'index' ? -1 : names.at(-3) === 'sessions' ? -3 : -2).join('/')
}

const LINES: ReadonlySet<LogFile | null> = new Set(['index', 'anomalies', 'trace'])

/** Whether the file of this name is one document, which its source writes at once and without a line end. */
export const isLogDocument = (fileName: string): boolean => {
  const { file } = readLogPath(fileName)
  return file !== null && !LINES.has(file)
}

/** Whether a path is the folder of a run, or a file in it: the source removes the oldest of them whenever it adds one. */
export const isPrunedBySource = (path: string): boolean =>
  /(?:^|\/)sessions\/[^/]+$/.test(path) ||
  (/(?:^|\/)sessions\/[^/]+\/[^/]+$/.test(path) && readLogPath(path).file !== null)
