import { SPACE, splitLines, strip } from './python-text'

/** Names under which a run tells where it wrote; two more are left out by the source on purpose. */
const PATH_TOKENS: ReadonlySet<string> = new Set([
  'analysis_file',
  'conflict_report_path',
  'diagnosis_path',
  'diagram_path',
  'evaluation_dashboard',
  'experiment_plan',
  'group_files',
  'groups_path',
  'html_path',
  'investigation_path',
  'manifest_path',
  'plan_parts',
  'plan_path',
  'pr_order_file',
  'prep_path',
  'recipe_path',
  'remediation_path',
  'report_path',
  'report_plan_path',
  'resource_report',
  'results_path',
  'review_path',
  'revision_guidance',
  'scope_report',
  'summary_path',
  'triage_manifest',
  'triage_report',
  'visualization_plan_path',
])

// `$` and `.` of JavaScript stop at line ends of which the source knows only the line feed.
const TOKEN_LINE = new RegExp(`^([a-z_]+)${SPACE}*=${SPACE}*(/.*)$`)
const WORKTREE_LINE = new RegExp(`(?:^|\\n)worktree_path${SPACE}*=${SPACE}*([^\\n]+)`)

const withoutEnd = (folder: string): string => folder.replace(/\/+$/, '')
const isWithin = (path: string, folder: string): boolean =>
  withoutEnd(path) === withoutEnd(folder) || path.startsWith(`${withoutEnd(folder)}/`)

export interface PathOutside {
  token: string
  path: string
}

/** The first path that the agent named as its output and that lies outside of the working directory; null without an absolute directory. */
export function contaminatedPath(messages: readonly string[], cwd: string): PathOutside | null {
  if (!cwd.startsWith('/') || withoutEnd(cwd) === '') return null
  const last = new Map<string, string>()
  for (const message of messages)
    for (const line of splitLines(message)) {
      const [, token = '', path = ''] = TOKEN_LINE.exec(line) ?? []
      if (PATH_TOKENS.has(token)) last.set(token, strip(path))
    }
  for (const [token, path] of last) if (!isWithin(path, cwd)) return { token, path }
  return null
}

/** A sentence for each path outside of the working directory that a call wrote to or named in a shell. */
export function writeWarnings(paths: readonly { tool: string; path: string }[], cwd: string): string[] {
  if (cwd === '') return []
  return paths
    .filter(({ path }) => !isWithin(path, cwd))
    .map(
      ({ tool, path }) =>
        `${tool} ${tool === 'Bash' ? 'command contained path' : 'tool targeted'} '${path}' outside session cwd '${cwd}'`,
    )
}

/** Where the agent said that its work tree is; the last message that names an absolute one counts. */
export function worktreeOf(messages: readonly string[]): string | null {
  let found: string | null = null
  for (const message of messages) {
    const path = strip(WORKTREE_LINE.exec(message)?.[1] ?? '')
    if (path.startsWith('/')) found = path
  }
  return found
}
